// A drill: given the sizes of one head, which shapes do its arrays have? The right ones are read off arrays that were
// really computed. Knows no task by heart but the sizes of the first.
#include <algorithm>
#include <array>
#include <optional>

#include "core/language.h"
#include "core/rng.h"
#include "core/trace.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

struct Sizes {
  Index T = 5, S = 5, D = 12, d_k = 3, d_v = 4;
};

// Rows, then columns.
struct Shape {
  Index rows = 0, columns = 0;
  bool operator==(const Shape&) const = default;
  Shape swapped() const { return {columns, rows}; }
  std::string text() const { return core::shapeText(rows, columns); }
};

// What can be asked for, in the order of the computation.
constexpr std::array<const char*, 4> kShapeKeys = {"wq", "s", "a", "z"};
constexpr std::array<const char*, 4> kShapeNames = {"W_Q", "S", "A", "Z"};

// Sizes that all differ, so that a wrong answer tells which one was taken for which.
Sizes randomSizes(std::uint64_t task, bool cross) {
  core::Rng rng(task);
  std::vector<Index> few = {2, 3, 4, 5, 6, 7, 8, 9};
  const std::vector<Index> order = rng.permutation(static_cast<Index>(few.size()));
  const auto pick = [&](std::size_t i) { return few[static_cast<std::size_t>(order[i])]; };
  Sizes sizes;
  sizes.d_k = pick(0);
  sizes.d_v = pick(1);
  sizes.T = pick(2);
  sizes.S = cross ? pick(3) : sizes.T;
  sizes.D = 10 + rng.below(15);
  return sizes;
}

core::Result<core::Trace<double>> compute(const Sizes& sizes, bool cross, std::uint64_t seed) {
  core::Rng rng(seed);
  core::Problem<double> problem;
  problem.T = sizes.T;
  problem.S = sizes.S;
  problem.cross = cross;
  problem.x = rng.normalMatrix(sizes.T, sizes.D);
  if (cross) problem.x_sources = rng.normalMatrix(sizes.S, sizes.D);
  problem.wq = {core::linearWeights(rng, sizes.D, sizes.d_k)};
  problem.wk = {core::linearWeights(rng, sizes.D, sizes.d_k)};
  problem.wv = {core::linearWeights(rng, sizes.D, sizes.d_v)};
  return core::computeTrace(problem);
}

template <class Array>
Shape shapeOf(const Array& array, bool columns) {
  const Shape shape{array.rows(), array.cols()};
  return columns ? shape.swapped() : shape;
}

// The two whole numbers in "12x3", "12 × 3", "(12, 3)"; nothing when there are not exactly two.
std::optional<Shape> parseShape(const std::string& text) {
  std::vector<Index> found;
  bool within = false;
  for (const char c : text) {
    const bool digit = c >= '0' && c <= '9';
    if (digit && !within) found.push_back(0);
    if (digit) found.back() = std::min<Index>(found.back() * 10 + (c - '0'), 1000000);
    if (c == '.' || c == '-') return std::nullopt;
    within = digit;
  }
  if (found.size() != 2) return std::nullopt;
  return Shape{found[0], found[1]};
}

std::string sizeName(Index value, const Sizes& sizes, bool cross) {
  if (value == sizes.D) return "d_model";
  if (value == sizes.d_k) return "d_k";
  if (value == sizes.d_v) return "d_v";
  if (value == sizes.T) return cross ? tr("the number of destinations") : tr("the number of tokens");
  if (value == sizes.S) return tr("the number of sources");
  return "";
}

// Why the array has the shape it has, in the chosen convention.
std::string reasonFor(std::size_t which, const Sizes& sizes, bool columns) {
  switch (which) {
    case 0: return tr("It takes a token's {0} numbers (d_model) and gives a query of {1} (d_k).", {sizes.D, sizes.d_k});
    case 1:
      return columns ? tr("One column for each of the {0} destinations, one row for each of the {1} sources. The d_k products "
                          "of a pair are added up, so d_k is gone.", {sizes.T, sizes.S})
                     : tr("One row for each of the {0} destinations, one column for each of the {1} sources. The d_k products "
                          "of a pair are added up, so d_k is gone.", {sizes.T, sizes.S});
    case 2:
      return columns ? tr("The shape of S: softmax changes the numbers of a column, not how many there are.")
                     : tr("The shape of S: softmax changes the numbers of a row, not how many there are.");
    default:
      return columns ? tr("One column for each of the {0} destinations. What is mixed are values, so it has {1} numbers "
                          "(d_v).", {sizes.T, sizes.d_v})
                     : tr("One row for each of the {0} destinations. What is mixed are values, so it has {1} numbers "
                          "(d_v).", {sizes.T, sizes.d_v});
  }
}

std::string sideFault(const std::string& side, Index given, Index right, const Sizes& sizes, bool cross) {
  if (given == right) return "";
  const std::string taken = sizeName(given, sizes, cross), wanted = sizeName(right, sizes, cross);
  return (taken.empty() ? tr("{0}: {1} should be {2}.", {side, given, wanted})
                        : tr("{0}: {1} is {2}, it should be {3}.", {side, given, taken, wanted})) + " ";
}

struct Verdict {
  std::string given, verdict, why;
  bool answered = false, right = false;
};

Verdict judge(std::size_t which, const std::string& answer, Shape right, const Sizes& sizes, bool cross, bool columns) {
  Verdict result;
  result.given = answer.empty() ? "–" : answer;
  if (answer.empty()) {
    result.verdict = tr("not yet");
    result.why = tr("Type it under \"Shape of {0}\".", {kShapeNames[which]});
    return result;
  }
  const std::optional<Shape> given = parseShape(answer);
  result.answered = given.has_value();
  if (!given) {
    result.verdict = tr("not a shape");
    result.why = tr("Write two whole numbers, rows first, as in 7x2.");
  } else if (*given == right) {
    result.right = true;
    result.verdict = tr("right");
    result.why = reasonFor(which, sizes, columns);
  } else if (*given == right.swapped()) {
    result.verdict = tr("swapped");
    result.why = columns ? tr("Here tokens are columns, so the sides are the other way round.")
                         : tr("Here tokens are rows, so the sides are the other way round.");
    if (which == 1 || which == 2) result.why += " " + tr("Turned over, it would say who is read by whom.");
  } else {
    result.verdict = tr("wrong");
    result.why = sideFault(tr("Rows"), given->rows, right.rows, sizes, cross) +
                 sideFault(tr("Columns"), given->columns, right.columns, sizes, cross);
  }
  return result;
}

std::string productLine(const std::string& name, const std::string& left, Shape a, const std::string& right, Shape b) {
  return name + " = " + left + " · " + right + "    (" + a.text() + ")(" + b.text() + ") = " + Shape{a.rows, b.columns}.text();
}

// The computation with its shapes, one line for each product. Keys and values are made of the other sequence, X₂, where
// there is one.
std::vector<std::string> lines(const core::Trace<double>& trace, bool columns) {
  const auto& head = trace.heads[0];
  const core::Problem<double>& problem = trace.problem;
  const std::string read = problem.cross ? "X₂" : "X";
  const Shape x = shapeOf(*trace.x, columns), wq = shapeOf(problem.wq[0], columns), q = shapeOf(head.q, columns);
  const Shape x2 = problem.cross ? shapeOf(*problem.x_sources, columns) : x;
  const Shape wk = shapeOf(problem.wk[0], columns), wv = shapeOf(problem.wv[0], columns);
  const Shape k = shapeOf(head.k, columns), v = shapeOf(head.v, columns), a = shapeOf(head.softmax.weights, columns);
  if (columns) {
    return {productLine("Q", "W_Q", wq, "X", x), productLine("K", "W_K", wk, read, x2),
            productLine("V", "W_V", wv, read, x2), productLine("S", "Kᵀ", k.swapped(), "Q", q),
            tr("A = softmax of each column of S / √d_k: still {0}", {a.text()}), productLine("Z", "V", v, "A", a)};
  }
  return {productLine("Q", "X", x, "W_Q", wq), productLine("K", read, x2, "W_K", wk),
          productLine("V", read, x2, "W_V", wv), productLine("S", "Q", q, "Kᵀ", k.swapped()),
          tr("A = softmax of each row of S / √d_k: still {0}", {a.text()}), productLine("Z", "A", a, "V", v)};
}

// The head from left to right: what is given has its shape, what is asked for a question mark until it is known.
lesson::Strip chain(const core::Trace<double>& trace, bool columns, const std::array<std::string, kShapeKeys.size()>& known) {
  lesson::Strip strip;
  strip.title = tr("Which shapes are missing?");
  strip.items.push_back({"X", shapeOf(*trace.x, columns).text(), -1, false});
  if (trace.problem.cross) strip.items.push_back({"X₂", shapeOf(*trace.problem.x_sources, columns).text(), -1, false});
  for (std::size_t i = 0; i < known.size(); ++i) {
    strip.items.push_back({kShapeNames[i], known[i].empty() ? "?" : known[i], -1, known[i].empty()});
  }
  return strip;
}

lesson::Grid gridOf(const std::string& title, const Matrix<double>& array, bool columns) {
  const Matrix<double> shown = columns ? Matrix<double>(array.transpose()) : array;
  lesson::Grid grid;
  grid.title = title + "  " + core::shapeText(shown.rows(), shown.cols());
  grid.rows = shown.rows();
  grid.columns = shown.cols();
  grid.values.assign(shown.data(), shown.data() + shown.size());
  grid.decimals = 2;
  return grid;
}

void showArrays(const core::Trace<double>& trace, bool columns, bool revealed, Outputs& out) {
  const auto& head = trace.heads[0];
  std::vector<lesson::Block> arrays;
  if (revealed) {
    arrays.push_back({gridOf("X", *trace.x, columns)});
    if (trace.problem.cross) arrays.push_back({gridOf("X₂", *trace.problem.x_sources, columns), true});
    arrays.push_back({gridOf("W_Q", trace.problem.wq[0], columns), true});
    arrays.push_back({gridOf("S", head.scores, columns)});
    lesson::Grid weights = gridOf("A", head.softmax.weights, columns);
    weights.scale = lesson::GridScale::kWeights;
    arrays.push_back({weights, true});
    arrays.push_back({gridOf("Z", head.z, columns), true});
  }
  out.blocks("arrays", std::move(arrays));
}

std::string taskText(const core::Trace<double>& trace, const Sizes& s, bool columns, std::uint64_t task) {
  const std::string x = shapeOf(*trace.x, columns).text();
  if (!trace.problem.cross)
    return tr("Task {0}.  X is {1}: {2} tokens, d_model = {3}.  d_k = {4},  d_v = {5}.", {task, x, s.T, s.D, s.d_k, s.d_v});
  return tr("Task {0}.  X is {1}: {2} destinations, d_model = {3}.  The other sequence X₂ is {4}: {5} sources.  d_k = {6},  "
            "d_v = {7}.", {task, x, s.T, s.D, shapeOf(*trace.problem.x_sources, columns).text(), s.S, s.d_k, s.d_v});
}

void showSizes(const core::Trace<double>& trace, const Sizes& sizes, bool columns, Outputs& out) {
  const bool cross = trace.problem.cross;
  out.text("shape_x", shapeOf(*trace.x, columns).text());
  if (cross) out.text("shape_x_sources", shapeOf(*trace.problem.x_sources, columns).text());
  out.number("d_model", static_cast<double>(sizes.D));
  out.number("d_k", static_cast<double>(sizes.d_k));
  out.number("d_v", static_cast<double>(sizes.d_v));
  out.number("destinations", static_cast<double>(sizes.T));
  out.number("sources", static_cast<double>(sizes.S));
  out.flag("two_sequences", cross);
}

// The four answers, each with what is said of it; returns how many are right.
Index showAnswers(const Inputs& in, const core::Trace<double>& trace, const Sizes& sizes, bool columns, Outputs& out) {
  const auto& head = trace.heads[0];
  const std::array<Shape, kShapeKeys.size()> right = {shapeOf(trace.problem.wq[0], columns), shapeOf(head.scores, columns),
                                                 shapeOf(head.softmax.weights, columns), shapeOf(head.z, columns)};
  lesson::Table table{tr("Your answers"), "", {tr("array"), tr("you say"), tr("it is"), tr("why")}, {}, {}};
  std::array<std::string, kShapeKeys.size()> known;
  Index answered = 0, count = 0;
  for (std::size_t i = 0; i < kShapeKeys.size(); ++i) {
    const Verdict verdict = judge(i, in.text(kShapeKeys[i]), right[i], sizes, trace.problem.cross, columns);
    table.rows.push_back({kShapeNames[i], verdict.given, verdict.verdict, verdict.why});
    answered += verdict.answered;
    count += verdict.right;
    if (!verdict.right && !in.text(kShapeKeys[i]).empty()) table.marked.push_back(static_cast<Index>(i));
    if (verdict.right || in.on("reveal")) known[i] = right[i].text();
    out.text("shape_" + std::string(kShapeKeys[i]), right[i].text());
  }
  out.number("answered", static_cast<double>(answered));
  out.number("right", static_cast<double>(count));
  out.flag("typed", std::any_of(kShapeKeys.begin(), kShapeKeys.end(), [&](const char* key) { return !in.text(key).empty(); }));
  out.figure("answers", std::move(table));
  out.figure("chain", chain(trace, columns, known));
  return count;
}

}  // namespace

core::Check shapesDrill(const Inputs& in, Outputs& out, const Progress&) {
  const auto task = static_cast<std::uint64_t>(in.integer("task"));
  const bool first = task == 1, columns = in.text("convention") == "columns";
  const bool cross = !first && in.on("two");
  if (first) out.hide("two");
  const Sizes sizes = first ? Sizes{} : randomSizes(task, cross);
  const core::Result<core::Trace<double>> trace = compute(sizes, cross, task);
  if (!trace) return trace.error();
  out.text("task_said", taskText(trace.value(), sizes, columns, task));
  showSizes(trace.value(), sizes, columns, out);
  const bool all_right = showAnswers(in, trace.value(), sizes, columns, out) == static_cast<Index>(kShapeKeys.size());
  const bool revealed = in.on("reveal") || all_right;
  out.flag("all_right", all_right);
  out.flag("revealed", revealed);
  out.texts("steps", lines(trace.value(), columns));
  showArrays(trace.value(), columns, revealed, out);
  return {};
}

}  // namespace attn::scene
