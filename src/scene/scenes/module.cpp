// The multi-head module of a small GPT on a batch, line by line: shapes, parameters, and whether it computes what PyTorch
// computes. Knows no training.
#include <algorithm>
#include <cmath>

#include "core/language.h"
#include "core/module_reference.h"
#include "core/multi_head_module.h"
#include "core/number.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

using lesson::GridScale;
using Sequence = core::ModuleSequence<float>;

constexpr double kReferenceTolerance = 1e-6;  // sums of 64 products of order 1 in single precision
constexpr double kTraceTolerance = 1e-5;      // single against double precision

struct ModuleShape {
  Index B = 2, T = 12, D = 64, heads = 4;
  Index width() const { return D / heads; }
};

struct Line {
  std::string code, shape, what;
  std::string see, link;  // where this is shown by itself
};

std::vector<Line> linesOf(const ModuleShape& s) {
  const std::string model = tuple({s.B, s.T, s.D}), heads = tuple({s.B, s.heads, s.T, s.width()});
  const std::string grid = tuple({s.B, s.heads, s.T, s.T});
  return {{"x", model, tr("The input: for each sequence, one row of numbers per token."), tr("Why a token must read others"),
           "v=1&scene=why-context"},
          {"qkv = x · W_qkv + b_qkv", tuple({s.B, s.T, 3 * s.D}),
           tr("W_Q, W_K and W_V stand side by side in one matrix, W_qkv, so that one product makes queries, keys and "
              "values."),
           tr("Query, key and value"), "v=1&scene=query-key-value"},
          {tr("q, k, v = thirds of qkv"), model,
           tr("The first third of the columns is q, the second k, the last v. You see q."), tr("Query, key and value"),
           "v=1&scene=query-key-value"},
          {tr("q, k, v = cut into heads"), heads,
           tr("Each head takes its own columns of q, k and v (in PyTorch: view, then transpose). You see q of one head."),
           tr("One vector, shared out among heads"), "v=1&scene=split-heads"},
          {"scores = q · kᵀ", grid,
           tr("In every head, each token's query meets every key of its own sequence, never one of another sequence."),
           tr("Query, key and value"), "v=1&scene=query-key-value"},
          {"scaled = scores / √d_head", grid,
           tr("Division by the root of the head's width keeps the scores from growing with it."),
           tr("Why scores are divided by √d"), "v=1&scene=scaling"},
          {tr("masked = scaled, −∞ above the diagonal"), grid,
           tr("A score of −∞ will get the weight 0: no token reads a later one."), tr("Masks"), "v=1&scene=masks"},
          {tr("weights = softmax(masked), row by row"), grid,
           tr("Each row becomes positive numbers that sum to 1: the shares of what its token reads."),
           tr("Softmax, taken apart"), "v=1&scene=softmax"},
          {"z = weights · v", heads, tr("Each token's row is the mixture of the values that it reads, in this head."),
           tr("Two dimensions: mixtures"), "v=1&scene=plane"},
          {tr("merged = heads side by side"), model,
           tr("The heads' results stand side by side in each token's row again (in PyTorch: transpose, then view)."),
           tr("Several heads"), "v=1&scene=heads"},
          {"y = merged · W_proj + b_proj", model,
           tr("W_proj is W_O: it mixes what the heads found into the update of each token."),
           tr("What the result is added to"), "v=1&scene=residual"}};
}

lesson::Grid gridOf(const Matrix<float>& array, const std::string& title) {
  lesson::Grid grid;
  grid.column_labels = numbered(array.cols());
  grid.title = title;
  grid.rows = array.rows();
  grid.columns = array.cols();
  grid.values.assign(array.data(), array.data() + array.size());
  grid.row_labels = numbered(array.rows());
  return grid;
}

// The array that a line has made, of one sequence and where there are heads of one head.
lesson::Grid arrayOfLine(Index line, const ModuleShape& s, const Matrix<float>& x, const Sequence& sequence, Index head) {
  const auto& one = sequence.heads[static_cast<std::size_t>(head)];
  const auto map = [&](const Matrix<float>& array, const char* title) {
    lesson::Grid grid = gridOf(array, title);
    grid.map = true;
    grid.column_labels = grid.row_labels;
    return grid;
  };
  const auto blocked = [&](lesson::Grid grid) {
    for (Index i = 0; i < s.T; ++i) {
      for (Index j = 0; j < s.T; ++j) grid.blocked.push_back(j > i ? core::blockReasonText(core::kBlockedByCausal) : "");
    }
    return grid;
  };
  switch (line) {
    case 1: return gridOf(x, "x");
    case 2: return gridOf(sequence.qkv, "qkv");
    case 3: return gridOf(sequence.qkv.leftCols(s.D), "q");
    case 4: return gridOf(one.q, tr("q of this head"));
    case 5: return map(one.scores, "scores");
    case 6: return map(one.scaled, "scaled");
    case 7: return blocked(map(one.scaled, "masked"));
    case 8: {
      lesson::Grid weights = blocked(map(one.softmax.weights, "weights"));
      weights.scale = GridScale::kWeights;
      return weights;
    }
    case 9: return gridOf(one.z, tr("z of this head"));
    case 10: return gridOf(sequence.merged, "merged");
    default: return gridOf(sequence.y, "y");
  }
}

void showLines(Index line, const ModuleShape& s, Outputs& out) {
  const std::vector<Line> lines = linesOf(s);
  lesson::Table table;
  table.title = tr("The module, line by line");
  table.columns = {tr("code line"), tr("code"), tr("shape of the result")};
  std::vector<std::string> shapes;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    table.rows.push_back({std::to_string(i + 1), lines[i].code, lines[i].shape});
    shapes.push_back(lines[i].shape);
  }
  table.marked = {line - 1};
  const Line& now = lines[static_cast<std::size_t>(line - 1)];
  out.text("line_said", tr("Line {0} of {1}: {2}", {line, lines.size(), now.code}));
  out.text("code", now.code);
  out.text("shape", now.shape);
  out.text("what", now.what);
  out.text("see", now.see);
  out.text("see_link", now.link);
  out.flag("is_map", line >= 5 && line <= 8);
  out.texts("shapes", shapes);
  out.text("input_shape", lines.front().shape);
  out.text("output_shape", lines.back().shape);
  out.text("weights_shape", lines[7].shape);
  out.flag("per_head", (line >= 4 && line <= 9));
  out.figure("lines", std::move(table));
}

void showParameters(const ModuleShape& s, Outputs& out) {
  const auto whole = [](Index count) { return core::fixedText(static_cast<double>(count), 0); };
  core::Rng rng(1);
  const core::ParameterCount count = core::parametersOf(core::randomModule(rng, s.D, s.heads));
  lesson::Table parts;
  parts.title = tr("Learned numbers, by part");
  parts.columns = {tr("part"), tr("shape"), tr("count")};
  parts.rows = {{"W_qkv", core::shapeText(s.D, 3 * s.D), whole(count.qkv_weights)},
                {"b_qkv", std::to_string(3 * s.D), whole(count.qkv_biases)},
                {"W_proj", core::shapeText(s.D, s.D), whole(count.proj_weights)},
                {"b_proj", std::to_string(s.D), whole(count.proj_biases)},
                {tr("together"), "", whole(count.total())}};
  parts.marked = {4};
  out.figure("parameters_by_part", std::move(parts));
  out.number("parameters", static_cast<double>(count.total()));
  out.numbers("parts", {static_cast<double>(count.qkv_weights), static_cast<double>(count.qkv_biases),
                        static_cast<double>(count.proj_weights), static_cast<double>(count.proj_biases)});
  lesson::Table table;
  table.title = tr("The same with other numbers of heads");
  table.columns = {"", "d_head", tr("learned numbers")};
  std::vector<double> totals;
  for (const Index heads : {Index(1), Index(2), Index(4), Index(8), Index(16)}) {
    const Index total = core::parametersOf(core::randomModule(rng, s.D, heads)).total();
    totals.push_back(static_cast<double>(total));
    if (heads == s.heads) table.marked = {static_cast<Index>(table.rows.size())};
    table.rows.push_back({tr("{0} {0|head|heads}", {heads}), std::to_string(s.D / heads), whole(total)});
  }
  out.figure("parameters_by_heads", std::move(table));
  out.numbers("parameters_with_1_2_4_8_16_heads", totals);
  out.flag("same_parameters", std::all_of(totals.begin(), totals.end(), [&](double n) { return n == totals[0]; }));
}

double largestDifference(const Matrix<float>& a, const Matrix<float>& b) {
  return static_cast<double>((a - b).cwiseAbs().maxCoeff());
}

void showReference(Outputs& out) {
  const std::vector<Sequence> ours = core::runModule(core::referenceModule(), core::referenceInput());
  const std::vector<Matrix<float>> theirs = core::referenceOutput();
  const std::vector<std::vector<Matrix<float>>> their_weights = core::referenceWeights();
  double output = 0, weights = 0;
  for (std::size_t b = 0; b < ours.size(); ++b) {
    output = std::max(output, largestDifference(ours[b].y, theirs[b]));
    for (std::size_t h = 0; h < ours[b].heads.size(); ++h) {
      weights = std::max(weights, largestDifference(ours[b].heads[h].softmax.weights, their_weights[b][h]));
    }
  }
  out.text("pytorch", core::referenceVersion());
  out.number("reference_difference", output);
  out.number("reference_weights_difference", weights);
  out.number("tolerance", kReferenceTolerance);
  out.flag("matches_pytorch", output <= kReferenceTolerance && weights <= kReferenceTolerance);
}

// One head of the module's own queries, keys and values through the step-by-step computation, in double precision.
double traceDifference(const core::ModuleHead<float>& head) {
  core::Problem<double> problem;
  problem.T = problem.S = head.q.rows();
  problem.q = {head.q.cast<double>()};
  problem.k = {head.k.cast<double>()};
  problem.v = {head.v.cast<double>()};
  problem.mask.causal = true;
  return largestChange(traceOf(problem).heads[0].z, head.z.cast<double>());
}

void checkRun(const std::vector<Sequence>& run, const ModuleShape& s, Outputs& out) {
  float above = 0;
  double sums = 0, difference = 0;
  for (const Sequence& sequence : run) {
    for (const auto& head : sequence.heads) {
      for (Index i = 0; i < s.T; ++i) {
        above = std::max(above, head.softmax.weights.row(i).tail(s.T - i - 1).sum());
        sums = std::max(sums, std::abs(static_cast<double>(head.softmax.weights.row(i).sum()) - 1));
      }
      difference = std::max(difference, traceDifference(head));
    }
  }
  out.flag("nothing_above_diagonal", above == 0);
  out.number("largest_row_sum_error", sums);
  out.flag("rows_sum_to_one", sums <= 1e-6);  // 12 to 24 weights in single precision
  out.number("trace_difference", difference);
  out.flag("agrees_with_walkthrough", difference <= kTraceTolerance);
}

// A batch does not mix: the last sequence alone gives the same.
void checkBatch(const core::MultiHeadModule<float>& module, const std::vector<Matrix<float>>& batch,
                const std::vector<Sequence>& run, Outputs& out) {
  const std::vector<Sequence> alone = core::runModule<float>(module, {batch.back()});
  out.flag("batch_does_not_mix", alone.front().y == run.back().y);
}

}  // namespace

core::Check moduleScene(const Inputs& in, Outputs& out, const Progress&) {
  ModuleShape s;
  s.B = in.integer("batch");
  s.T = in.integer("tokens");
  s.D = std::stol(in.text("d_model"));
  s.heads = std::stol(in.text("heads"));
  out.limit("sequence", static_cast<double>(s.B - 1));
  out.limit("head", static_cast<double>(s.heads - 1));
  const Index at = std::min(in.integer("sequence"), s.B - 1), head = std::min(in.integer("head"), s.heads - 1);
  core::Rng rng(in.seed("seed"));
  const core::MultiHeadModule<float> module = core::toFloat(core::randomModule(rng, s.D, s.heads));
  std::vector<Matrix<float>> batch;
  for (Index b = 0; b < s.B; ++b) batch.push_back(rng.normalMatrix(s.T, s.D).cast<float>());
  const std::vector<Sequence> run = core::runModule(module, batch);
  const Index line = in.integer("line");
  const auto chosen = static_cast<std::size_t>(at);
  out.number("d_head", static_cast<double>(s.width()));
  showLines(line, s, out);
  lesson::Grid array = arrayOfLine(line, s, batch[chosen], run[chosen], head);
  array.title = line >= 4 && line <= 9 ? tr("{0}, sequence {1}, head {2}", {array.title, at, head})
                                       : tr("{0}, sequence {1}", {array.title, at});
  out.figure("array", std::move(array));
  showParameters(s, out);
  showReference(out);
  checkRun(run, s, out);
  checkBatch(module, batch, run, out);
  return {};
}

}  // namespace attn::scene
