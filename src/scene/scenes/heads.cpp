// Two heads over one sentence: one looks at the position before, one for its own word. Their weights are built, not
// learned, and how sharply they look is a number of their own.
#include <algorithm>
#include <cmath>

#include "core/language.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

constexpr Index kMostHeadTokens = 12;
constexpr Index kCurvePoints = 61;

// The slot of each token's word: the same word, the same slot, in order of first appearance.
std::vector<Index> slotsOf(const Tokens& tokens) {
  std::vector<Index> slots;
  Tokens seen;
  for (const std::string& token : tokens) {
    const auto found = std::find(seen.begin(), seen.end(), token);
    slots.push_back(static_cast<Index>(found - seen.begin()));
    if (found == seen.end()) seen.push_back(token);
  }
  return slots;
}

// A sentence of T tokens has at most T different words: T numbers say which word, T more say which position.
struct HeadSentence {
  Tokens tokens;
  std::vector<Index> slots;
  Index T = 0;
  std::vector<std::string> features;  // 2T names: words, then positions
};

HeadSentence sentenceOf(Tokens tokens) {
  HeadSentence s;
  s.T = static_cast<Index>(tokens.size());
  s.slots = slotsOf(tokens);
  s.features.assign(static_cast<std::size_t>(s.T), "–");
  for (std::size_t i = 0; i < tokens.size(); ++i) s.features[static_cast<std::size_t>(s.slots[i])] = tokens[i];
  for (Index i = 0; i < s.T; ++i) s.features.push_back(tr("at {0}", {i}));
  s.tokens = std::move(tokens);
  return s;
}

// Head A asks for the position before with the position part, head B for its own word with the word part. A match gives
// the scaled score `logit`, everything else 0.
core::Problem<double> problemOf(const HeadSentence& s, double logit, bool causal) {
  const Index T = s.T;
  core::Problem<double> problem;
  problem.T = problem.S = T;
  problem.x = Matrix<double>::Zero(T, 2 * T);
  for (Index i = 0; i < T; ++i) (*problem.x)(i, s.slots[static_cast<std::size_t>(i)]) = (*problem.x)(i, T + i) = 1;
  const double ask = logit * std::sqrt(static_cast<double>(T));  // the scale 1/√d_k takes the root away again
  Matrix<double> query_a = Matrix<double>::Zero(2 * T, T), query_b = query_a, words = query_a, positions = query_a;
  for (Index i = 0; i < T; ++i) query_a(T + i, std::max<Index>(i - 1, 0)) = ask;
  for (const Index slot : s.slots) query_b(slot, slot) = ask;
  words.topRows(T).setIdentity();
  positions.bottomRows(T).setIdentity();
  problem.wq = {query_a, query_b};
  problem.wk = {positions, words};
  problem.wv = {words, positions};
  problem.mask.causal = causal;
  return problem;
}

// What W_O does with the two halves of a row, as T×T blocks that are multiples of the identity.
Matrix<double> outputProjection(const std::string& kind, Index T) {
  const auto blocks = [&](double aa, double ab, double ba, double bb) {
    const Matrix<double> one = Matrix<double>::Identity(T, T);
    Matrix<double> wo(2 * T, 2 * T);
    wo << aa * one, ab * one, ba * one, bb * one;
    return wo;
  };
  if (kind == "only-a") return blocks(1, 0, 0, 0);
  if (kind == "swap") return blocks(0, 1, 1, 0);
  if (kind == "mix") return blocks(1, 1, 1, 1);
  if (kind == "amplify") return blocks(3, 0, 0, 3);
  if (kind == "negate") return blocks(-1, 0, 0, 1);
  return blocks(1, 0, 0, 1);
}

// A map with the cells of `row` marked that it may read.
lesson::Grid mapWithRow(const std::string& title, const Tokens& tokens, const core::Mask& mask, Index row) {
  lesson::Grid grid = mapLook(title, tokens, tokens, &mask);
  for (Index j = 0; j < mask.columns(); ++j) {
    if (mask.allowed(row, j)) grid.marked.emplace_back(row, j);
  }
  return grid;
}

lesson::Grid plainLook(const std::string& title, Tokens rows, Tokens columns, lesson::GridScale scale, int decimals) {
  lesson::Grid grid;
  grid.title = title;
  grid.scale = scale;
  grid.row_labels = std::move(rows);
  grid.column_labels = std::move(columns);
  grid.decimals = decimals;
  return grid;
}

std::string tokenAt(const HeadSentence& s, Index i) { return s.tokens[static_cast<std::size_t>(i)]; }

void showConstruction(const core::Problem<double>& problem, const HeadSentence& s, Outputs& out) {
  using lesson::GridScale;
  out.grid("x", *problem.x, plainLook("X", s.tokens, s.features, GridScale::kPositive, 0));
  const char* const names[] = {"wq_a", "wk_a", "wq_b", "wk_b"};
  const Matrix<double>* const matrices[] = {&problem.wq[0], &problem.wk[0], &problem.wq[1], &problem.wk[1]};
  const std::string titles[] = {tr("W_Q of head A: what a row looks for"), tr("W_K of head A: what a row offers"),
                                tr("W_Q of head B: what a row looks for"), tr("W_K of head B: what a row offers")};
  // Head A reads the position part only, head B the word part; the other half of each matrix is 0 and not drawn.
  for (int i = 0; i < 4; ++i) {
    const bool position = i < 2;
    const Tokens names_of_half(s.features.begin() + (position ? s.T : 0), s.features.end() - (position ? 0 : s.T));
    const Matrix<double> half = position ? matrices[i]->bottomRows(s.T) : matrices[i]->topRows(s.T);
    lesson::Grid grid = plainLook(titles[i], names_of_half, names_of_half, GridScale::kPositive, 2);
    grid.rows = grid.columns = s.T;
    grid.values.assign(half.data(), half.data() + half.size());
    out.matrix(names[i], *matrices[i]);
    out.figure(names[i], std::move(grid));
  }
}

// Both maps, their average, and what the chosen row holds in each.
void showMaps(const core::Trace<double>& trace, const HeadSentence& s, Index row, Outputs& out) {
  const Matrix<double>&a = trace.heads[0].softmax.weights, &b = trace.heads[1].softmax.weights;
  const Matrix<double> average = (a + b) / 2;
  out.grid("weights_a", a, mapWithRow(tr("Head A: the position before"), s.tokens, trace.mask, row));
  out.grid("weights_b", b, mapWithRow(tr("Head B: the same word"), s.tokens, trace.mask, row));
  out.grid("average", average, mapWithRow(tr("Average of both"), s.tokens, trace.mask, row));
  const Index before = std::max<Index>(row - 1, 0);
  out.text("token", tokenAt(s, row));
  out.text("before", tokenAt(s, before));
  out.number("before_at", static_cast<double>(before));
  out.number("row_a", a(row, before));
  out.number("row_b_itself", b(row, row));
  out.number("row_average_before", average(row, before));
  out.number("row_average_itself", average(row, row));
  Index same = 0, copies = 0;
  for (Index j = 0; j < s.T; ++j) {
    const bool same_word = s.slots[static_cast<std::size_t>(j)] == s.slots[static_cast<std::size_t>(row)];
    if (!same_word || !trace.mask.allowed(row, j)) continue;
    same += copies == 0 ? j : 0;
    ++copies;
  }
  out.number("copies", static_cast<double>(copies));
  out.number("first_copy_at", static_cast<double>(same));
  out.number("row_b_first_copy", b(row, same));
  out.number("row_average_first_copy", average(row, same));
  out.flag("one_cell", same == before);
  out.flag("heads_differ", a != b);
  out.flag("first_row", row == 0);
  out.flag("several_copies", copies > 1);
  // A pair of heads that both read as the average does has the same average: the picture cannot tell them apart.
  const Matrix<double> other = (average + average) / 2;
  out.flag("same_average_from_other_heads", other == average && a != b);
  out.number("largest_in_average", average.bottomRows(s.T - 1).maxCoeff());
}

void showConcatenation(const core::Trace<double>& trace, const HeadSentence& s, Outputs& out) {
  using lesson::GridScale;
  Tokens columns;
  for (Index i = 0; i < s.T; ++i) columns.push_back("A " + s.features[static_cast<std::size_t>(i)]);
  for (Index i = 0; i < s.T; ++i) columns.push_back("B " + s.features[static_cast<std::size_t>(s.T + i)]);
  out.grid("concat", trace.concat, plainLook(tr("Concatenation"), s.tokens, columns, GridScale::kSigned, 2));
  out.grid("y", trace.y, plainLook(tr("Y = concatenation · W_O"), s.tokens, s.features, GridScale::kSigned, 2));
  const Matrix<double>&za = trace.heads[0].z, &zb = trace.heads[1].z;
  Matrix<double> stacked(2 * s.T, za.cols());
  stacked << za, zb;
  Tokens rows;
  for (const char* head : {"A ", "B "}) {
    for (const std::string& token : s.tokens) rows.push_back(head + token);
  }
  out.grid("stacked", stacked, plainLook(tr("Joined along the sequence"), rows, numbered(s.T), GridScale::kSigned, 2));
  const Matrix<double> left = trace.concat.leftCols(s.T), right = trace.concat.rightCols(s.T);
  out.flag("concat_keeps_both", left == za && right == zb);
  out.number("tokens", static_cast<double>(s.T));
  out.number("width", static_cast<double>(2 * s.T));
  out.number("stacked_rows", static_cast<double>(stacked.rows()));
  out.number("stacked_columns", static_cast<double>(stacked.cols()));
  out.flag("wrong_axis_one_row_per_token", stacked.rows() == s.T);
  out.flag("wrong_axis_fits_wo", stacked.cols() == trace.problem.wo->rows());
  // Every x_i lies between 0 and 1, so a mixture of them would too.
  const double low = trace.y.minCoeff(), high = trace.y.maxCoeff(), slack = 1e-12;
  out.number("y_min", low);
  out.number("y_max", high);
  out.flag("y_within_x", low >= -slack && high <= 1 + slack);
}

// Three tokens with invented values, seen from the last: head A is to read the first only, head B the second only.
core::Problem<double> routing(double logit) {
  core::Problem<double> problem;
  problem.T = 1;
  problem.S = 3;
  problem.cross = true;
  problem.scale = 1;
  problem.q = {Matrix<double>::Constant(1, 1, logit), Matrix<double>::Constant(1, 1, logit)};
  Matrix<double> first(3, 1), second(3, 1), va(3, 2), vb(3, 2);
  first << 1, 0, 0;
  second << 0, 1, 0;
  va << 3, 0, 1, 1, 0, 2;
  vb << 1, 0, 0, 5, 2, 2;
  problem.k = {first, second};
  problem.v = {va, vb};
  return problem;
}

// 1 − the largest weight, from the other two weights: not lost in rounding when it is small.
double missing(double logit) {
  const core::Trace<double> trace = traceOf(routing(logit));
  const Matrix<double>& weights = trace.heads[0].softmax.weights;
  return weights(0, 1) + weights(0, 2);
}

// The smallest score, in steps of the control, whose largest weight is stored as exactly 1.
double storedAsOneFrom(double largest) {
  double score = 0;
  while (score < largest && traceOf(routing(score)).heads[0].softmax.weights(0, 0) != 1) score += 0.5;
  return score;
}

void showRouting(double logit, double largest, Outputs& out) {
  const core::Trace<double> trace = traceOf(routing(logit));
  const auto& heads = trace.heads;
  Matrix<double> weights(4, 3), concat(2, 4), values(3, 4);
  values << heads[0].v, heads[1].v;
  const Tokens coordinates = {"A 0", "A 1", "B 0", "B 1"};
  const Tokens tokens = numbered(3, trLater("token {0}"));
  out.grid("routing_values", values,
           plainLook(tr("Values of the three tokens"), tokens, coordinates, lesson::GridScale::kSigned, 0));
  weights << 1, 0, 0, heads[0].softmax.weights, 0, 1, 0, heads[1].softmax.weights;
  concat << heads[0].v.row(0), heads[1].v.row(1), trace.concat;
  lesson::Grid look = plainLook(tr("What the last token reads"),
                                {tr("A wished for"), tr("A softmax"), tr("B wished for"), tr("B softmax")}, tokens,
                                lesson::GridScale::kWeights, 4);
  out.grid("routing_weights", weights, look);
  out.grid("routing_concat", concat,
           plainLook(tr("What comes out, side by side"), {tr("wished for"), tr("softmax")}, coordinates,
                     lesson::GridScale::kSigned, 4));
  const double short_of_one = missing(logit);
  out.number("short_of_one", short_of_one);
  out.flag("one_hot_reached", short_of_one == 0);
  out.flag("one_hot_never_reached", short_of_one > 0);
  out.number("stored_as_one_from", storedAsOneFrom(largest));
  out.flag("one_hot_in_double", weights(1, 0) == 1);
  out.number("routing_difference", (concat.row(0) - concat.row(1)).cwiseAbs().maxCoeff());
  lesson::Plot plot;
  plot.title = tr("How far the largest weight is from 1");
  plot.x_label = tr("scaled score of the match");
  plot.y_label = tr("1 − weight");
  plot.log_y = true;
  lesson::Plot::Series curve{tr("1 − largest weight"), lesson::Plot::Kind::kLine, {}, {}};
  for (Index i = 0; i < kCurvePoints; ++i) {
    curve.x.push_back(largest * static_cast<double>(i) / (kCurvePoints - 1));
    curve.y.push_back(missing(curve.x.back()));
  }
  plot.series.push_back(std::move(curve));
  plot.marks.push_back({tr("now"), logit, true});
  out.figure("approach", std::move(plot));
}

}  // namespace

core::Check severalHeads(const Inputs& in, Outputs& out, const Progress&) {
  Tokens tokens = tokensOf(in.text("sentence"));
  if (tokens.size() < 2 || static_cast<Index>(tokens.size()) > kMostHeadTokens) {
    return core::Error{tr("The sentence has {0} {0|word|words}; write 2 to {1}, with blanks between them.",
                          {tokens.size(), kMostHeadTokens})};
  }
  const HeadSentence s = sentenceOf(std::move(tokens));
  const double logit = in.number("logit");
  core::Problem<double> problem = problemOf(s, logit, in.on("causal"));
  problem.wo = outputProjection(in.text("wo"), s.T);
  const core::Trace<double> trace = traceOf(problem);
  out.limit("row", static_cast<double>(s.T - 1));
  const Index row = std::min(in.integer("row"), s.T - 1);
  showConstruction(problem, s, out);
  showMaps(trace, s, row, out);
  showConcatenation(trace, s, out);
  showRouting(logit, 60, out);
  return {};
}

}  // namespace attn::scene
