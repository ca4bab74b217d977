// The model's vector shared out among heads: which number goes where, what moves in memory, and what is not being cut.
#include <algorithm>
#include <cmath>

#include "core/cost.h"
#include "core/language.h"
#include "core/multi_head_module.h"
#include "core/number.h"
#include "core/product.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

using lesson::GridScale;

struct Split {
  Index T = 10, D = 64, heads = 4;
  Index width() const { return D / heads; }
  Index size() const { return T * D; }
};

lesson::Grid look(const std::string& title, std::vector<std::string> rows, double limit) {
  lesson::Grid grid;
  grid.title = title;
  grid.scale = GridScale::kPositive;
  grid.limit = std::max(limit, 1.0);
  grid.row_labels = std::move(rows);
  grid.decimals = 0;
  return grid;
}

// Every number says its place in the memory of x, so that it can be followed.
Matrix<double> numberedInput(const Split& s) {
  Matrix<double> x(s.T, s.D);
  for (Index i = 0; i < s.size(); ++i) x.data()[i] = static_cast<double>(i);
  return x;
}

// The heads' arrays one after the other, as a contiguous copy lies in memory, in rows of D addresses.
Matrix<double> contiguous(const std::vector<Matrix<double>>& heads, const Split& s) {
  Matrix<double> memory(s.T, s.D);
  double* to = memory.data();
  for (const Matrix<double>& head : heads) to = std::copy(head.data(), head.data() + head.size(), to);
  return memory;
}

// To which head the number belongs that came from each place of x.
Matrix<double> ownerOf(const Matrix<double>& places, const Split& s) {
  return places.unaryExpr(
      [&](double place) { return static_cast<double>(static_cast<Index>(place) % s.D / s.width()); });
}

// The mistake: (T, D) read as (H, T, D/H) without exchanging axes. The token from which each row of each head begins.
Matrix<double> tokensOfRows(const Split& s, bool right) {
  Matrix<double> tokens(s.heads, s.T);
  for (Index h = 0; h < s.heads; ++h) {
    for (Index t = 0; t < s.T; ++t) {
      const Index place = right ? core::splitOffset(s.D, s.heads, h, t, 0) : (h * s.T + t) * s.width();
      tokens(h, t) = static_cast<double>(place / s.D);
    }
  }
  return tokens;
}

void showSplit(const Split& s, Index t, Index column, Outputs& out) {
  const Matrix<double> x = numberedInput(s);
  const std::vector<Matrix<double>> heads = core::splitHeads(x, s.heads);
  const Index head = column / s.width(), i = column % s.width();
  lesson::Grid whole = look(tr("q {0}: which head gets each number", {tuple({1, s.T, s.D})}),
                            numbered(s.T, trLater("token {0}")), static_cast<double>(s.heads - 1));
  whole.marked = {{t, column}};
  out.grid("x", ownerOf(x, s), whole);
  lesson::Grid part = look(tr("Head {0}: from which place of memory each number comes", {head}),
                           numbered(s.T, trLater("token {0}")), static_cast<double>(s.size() - 1));
  part.column_labels = numbered(s.width());
  part.marked = {{t, i}};
  out.grid("head_array", heads[static_cast<std::size_t>(head)], part);
  out.flag("lossless", core::mergeHeads(heads) == x);
  out.number("d_head", static_cast<double>(s.width()));
  out.number("head", static_cast<double>(head));
  out.number("coordinate", static_cast<double>(i));
  out.number("offset", static_cast<double>(core::splitOffset(s.D, s.heads, head, t, i)));
  out.flag("offset_holds_it", heads[static_cast<std::size_t>(head)](t, i) == x(t, column));
  out.text("tokens_taken", tr("{0} {0|token|tokens}", {s.T}));
  out.text("shape_before", tuple({1, s.T, s.D}));
  out.text("shape_viewed", tuple({1, s.T, s.heads, s.width()}));
  out.text("shape_split", tuple({1, s.heads, s.T, s.width()}));
}

void showMemory(const Split& s, Index t, Index column, Outputs& out) {
  const std::vector<Matrix<double>> heads = core::splitHeads(numberedInput(s), s.heads);
  const Matrix<double> after = contiguous(heads, s);
  const Index copied = column / s.width() * s.T * s.width() + t * s.width() + column % s.width();
  const double limit = static_cast<double>(s.heads - 1);
  lesson::Grid grid = look(tr("Memory after copying: which head's number lies where"), numbered(s.T), limit);
  for (Index row = 0; row < s.T; ++row) {
    grid.row_labels[static_cast<std::size_t>(row)] = tr("from {0}", {row * s.D});
  }
  grid.marked = {{copied / s.D, copied % s.D}};
  out.grid("memory_after", ownerOf(after, s), grid);
  out.number("copied_offset", static_cast<double>(copied));
  lesson::Table table;
  table.title = tr("The same numbers, seen as");
  table.columns = {tr("step"), tr("shape"), tr("strides"), tr("numbers moved")};
  const Index d = s.width(), n = s.size();
  const std::string none = "0", all = std::to_string(n);
  table.rows = {{"q", tuple({1, s.T, s.D}), tuple({n, s.D, 1}), none},
                {"view", tuple({1, s.T, s.heads, d}), tuple({n, s.D, d, 1}), none},
                {"transpose", tuple({1, s.heads, s.T, d}), tuple({n, d, s.D, 1}), none},
                {tr("contiguous copy"), tuple({1, s.heads, s.T, d}), tuple({n, s.T * d, d, 1}), all},
                {tr("transpose back"), tuple({1, s.T, s.heads, d}), tuple({n, d, s.T * d, 1}), none},
                {"reshape", tuple({1, s.T, s.D}), tuple({n, s.D, 1}), s.heads > 1 && s.T > 1 ? all : none}};
  out.figure("layout", std::move(table));
}

void showMistake(const Split& s, Outputs& out) {
  const Matrix<double> right = tokensOfRows(s, true), wrong = tokensOfRows(s, false);
  lesson::Grid grid =
      look(tr("Which token each row of a head comes from"), numbered(s.heads, trLater("head {0}")),
           static_cast<double>(s.T - 1));
  grid.column_labels = numbered(s.T, trLater("row {0}"));  // of the head, which should be the token
  out.grid("rows_right", right, grid);
  grid.title = tr("The same, viewed without the transpose");
  for (Index h = 0; h < s.heads; ++h) {
    for (Index t = 0; t < s.T; ++t) {
      if (right(h, t) != wrong(h, t)) grid.marked.emplace_back(h, t);
    }
  }
  const auto misplaced = static_cast<double>(grid.marked.size());
  out.grid("rows_wrong", wrong, grid);
  out.number("rows_misplaced", misplaced);
  out.text("rows_misplaced_words", tr("{0} {0|row|rows}", {grid.marked.size()}));
  out.number("rows_all", static_cast<double>(s.heads * s.T));
  out.flag("wrong_keeps_tokens", misplaced == 0);
}

// How far the query of each head moves when one number of the input grows by 1, with a full W_Q and with one that only
// lets a head read its own slice.
void showInfluence(const Split& s, Outputs& out) {
  core::Rng rng(1);
  const Matrix<double> x = rng.normalMatrix(1, s.D);
  const Matrix<double> full = core::linearWeights(rng, s.D, s.D);
  Matrix<double> sliced = Matrix<double>::Zero(s.D, s.D);
  for (Index h = 0; h < s.heads; ++h) {
    const Index at = h * s.width();
    sliced.block(at, at, s.width(), s.width()) = full.block(at, at, s.width(), s.width());
  }
  const auto influence = [&](const Matrix<double>& w) {
    Matrix<double> moves(s.heads, s.D);
    const std::vector<Matrix<double>> before = core::splitHeads(core::product(x, w), s.heads);
    for (Index c = 0; c < s.D; ++c) {
      Matrix<double> nudged = x;
      nudged(0, c) += 1;
      const std::vector<Matrix<double>> after = core::splitHeads(core::product(nudged, w), s.heads);
      for (Index h = 0; h < s.heads; ++h) {
        const auto at = static_cast<std::size_t>(h);
        moves(h, c) = (after[at] - before[at]).norm();
      }
    }
    return moves;
  };
  const Matrix<double> real = influence(full), cut = influence(sliced);
  lesson::Grid grid = look(tr("Real: project, then split"), numbered(s.heads, trLater("head {0}")), real.maxCoeff());
  grid.limit = real.maxCoeff();
  grid.decimals = 2;
  out.grid("influence", real, grid);
  grid.title = tr("Sliced: split, then project each slice");
  out.grid("influence_sliced", cut, grid);
  const auto read = [](const Matrix<double>& moves) { return static_cast<double>((moves.row(0).array() > 0).count()); };
  out.number("inputs_read", read(real));
  out.number("inputs_read_sliced", read(cut));
  out.flag("every_head_reads_every_input", (real.array() > 0).all());
  out.flag("sliced_reads_every_input", (cut.array() > 0).all());
}

void showCost(const Split& s, Outputs& out) {
  lesson::Table table;
  table.title = tr("The same width, more heads");
  table.columns = {"",
                   tr("width of a head"),
                   tr("weights of W_Q, W_K, W_V, W_O"),
                   tr("multiply-adds"),
                   tr("numbers in the maps"),
                   tr("weights if every head had full width")};
  std::vector<double> totals, weights;
  for (const Index heads : {Index(1), Index(2), Index(4), Index(8), Index(16)}) {
    core::CostShape shape;
    shape.T = static_cast<double>(s.T);
    shape.d_model = static_cast<double>(s.D);
    shape.heads = static_cast<double>(heads);
    totals.push_back(core::multiplyAdds(shape, false).total());
    weights.push_back(static_cast<double>(4 * s.D * s.D));
    const auto whole = [](double value) { return core::fixedText(value, 0); };
    if (heads == s.heads) table.marked = {static_cast<Index>(table.rows.size())};
    table.rows.push_back({tr("{0} {0|head|heads}", {heads}), std::to_string(s.D / heads),
                          whole(weights.back()), whole(totals.back()), whole(static_cast<double>(heads * s.T * s.T)),
                          whole(static_cast<double>(heads) * weights.back())});
  }
  out.figure("cost", std::move(table));
  out.numbers("multiply_adds", totals);
  out.flag("same_cost", std::all_of(totals.begin(), totals.end(), [&](double total) { return total == totals[0]; }));
}

}  // namespace

core::Check splitIntoHeads(const Inputs& in, Outputs& out, const Progress&) {
  Split s;
  s.T = in.integer("tokens");
  s.D = std::stol(in.text("d_model"));
  s.heads = std::stol(in.text("heads"));
  out.limit("t", static_cast<double>(s.T - 1));
  out.limit("column", static_cast<double>(s.D - 1));
  const Index t = std::min(in.integer("t"), s.T - 1), column = std::min(in.integer("column"), s.D - 1);
  showSplit(s, t, column, out);
  showMemory(s, t, column, out);
  showMistake(s, out);
  showInfluence(s, out);
  showCost(s, out);
  return {};
}

}  // namespace attn::scene
