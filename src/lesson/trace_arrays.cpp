// Collects the arrays of a Trace by name and stacks those of heads.
#include "lesson/trace_arrays.h"

#include <algorithm>

#include "core/language.h"
#include "core/mask.h"

namespace attn::lesson {
namespace {

using core::Index;
using Matrix = core::Matrix<double>;
using Vector = core::RowVector<double>;
using io::NamedArray;

std::uint64_t size(Index n) { return static_cast<std::uint64_t>(n); }

void append(std::vector<double>& values, const double* data, Index count) { values.insert(values.end(), data, data + count); }

class Collector {
 public:
  // Everything, or what has this name; of the rest only the names are seen.
  explicit Collector(std::optional<std::string_view> wanted = {}) : wanted_(wanted) {}

  void matrix(std::string_view name, const Matrix& matrix) {
    if (!takes(name)) return;
    NamedArray& array = add(name, {size(matrix.rows()), size(matrix.cols())});
    append(numbers(array), matrix.data(), matrix.size());
  }
  void matrix(std::string_view name, const std::optional<Matrix>& matrix) {
    if (matrix) this->matrix(name, *matrix);
  }
  void vector(std::string_view name, const Vector& vector) {
    if (!takes(name)) return;
    append(numbers(add(name, {size(vector.size())})), vector.data(), vector.size());
  }
  void number(std::string_view name, double value) {
    if (takes(name)) numbers(add(name, {})) = {value};
  }
  void texts(std::string_view name, const std::vector<std::string>& texts) {
    if (takes(name)) add(name, {texts.size()}).values = texts;
  }

  // One array of several of the same shape, or the only one as it is.
  template <class Each>
  void stacked(std::string_view name, Index count, Each each) {
    if (count == 0 || !takes(name)) return;
    const std::size_t first = arrays.size();
    for (Index n = 0; n < count; ++n) each(n);
    if (count == 1 || arrays.size() == first) return;
    NamedArray whole = std::move(arrays[first]);
    whole.shape.insert(whole.shape.begin(), size(count));
    for (std::size_t n = first + 1; n < arrays.size(); ++n) {
      std::vector<double>& more = numbers(arrays[n]);
      numbers(whole).insert(numbers(whole).end(), more.begin(), more.end());
    }
    whole.name = name;
    arrays.resize(first);
    arrays.push_back(std::move(whole));
  }

  template <class Value>
  void list(std::string_view name, const std::vector<Value>& list) {
    stacked(name, static_cast<Index>(list.size()), [&](Index n) { put(name, list[static_cast<std::size_t>(n)]); });
  }

  // A text for each cell of the mask.
  void reasons(std::string_view name, const core::Mask& mask) {
    if (!takes(name)) return;
    NamedArray& array = add(name, {size(mask.rows()), size(mask.columns())});
    std::vector<std::string> texts;
    for (Index i = 0; i < mask.rows(); ++i) {
      for (Index j = 0; j < mask.columns(); ++j) texts.push_back(core::blockReasonText(mask.reasons(i, j)));
    }
    array.values = std::move(texts);
  }

  void flags(std::string_view name, const core::Mask& mask) {
    if (!takes(name)) return;
    NamedArray& array = add(name, {size(mask.rows()), size(mask.columns())});
    std::vector<bool> flags;
    for (Index i = 0; i < mask.rows(); ++i) {
      for (Index j = 0; j < mask.columns(); ++j) flags.push_back(mask.allowed(i, j));
    }
    array.values = std::move(flags);
  }

  void put(std::string_view name, const Matrix& value) { matrix(name, value); }
  void put(std::string_view name, const Vector& value) { vector(name, value); }
  void put(std::string_view name, double value) { number(name, value); }

  std::vector<NamedArray> arrays;
  std::vector<std::string> names;

 private:
  bool takes(std::string_view name) {
    if (names.empty() || names.back() != name) names.emplace_back(name);
    return !wanted_ || name == *wanted_;
  }
  NamedArray& add(std::string_view name, std::vector<std::uint64_t> shape) {
    arrays.push_back({std::string(name), std::move(shape), std::vector<double>()});
    return arrays.back();
  }
  static std::vector<double>& numbers(NamedArray& array) { return *std::get_if<std::vector<double>>(&array.values); }

  std::optional<std::string_view> wanted_;
};

// Of the heads that share keys and values, the first one's stand for all.
Index firstUser(const core::Trace<double>& trace, Index kv_head) {
  for (std::size_t h = 0; h < trace.heads.size(); ++h) {
    if (trace.heads[h].kv_head == kv_head) return static_cast<Index>(h);
  }
  return 0;
}

void collectHeads(Collector& all, const core::Trace<double>& trace) {
  const core::Problem<double>& problem = trace.problem;
  const auto H = static_cast<Index>(trace.heads.size()), G = problem.keyValueHeads();
  const auto head = [&](Index h) -> const core::HeadTrace<double>& { return trace.heads[static_cast<std::size_t>(h)]; };
  all.list("wq", problem.wq);
  all.list("wk", problem.wk);
  all.list("wv", problem.wv);
  all.list("bq", problem.bq);
  all.list("bk", problem.bk);
  all.list("bv", problem.bv);
  const auto each = [&](std::string_view name, Index count, auto value) {
    all.stacked(name, count, [&](Index n) {
      const auto& one = value(n);
      all.put(name, one);
    });
  };
  each("q", H, [&](Index h) -> const Matrix& { return head(h).q; });
  each("k", G, [&](Index g) -> const Matrix& { return head(firstUser(trace, g)).k; });
  each("v", G, [&](Index g) -> const Matrix& { return head(firstUser(trace, g)).v; });
  each("scores", H, [&](Index h) -> const Matrix& { return head(h).scores; });
  all.number("scale", trace.scale);
  if (problem.temperature) all.number("temperature", *problem.temperature);
  if (problem.softcap) all.number("softcap", *problem.softcap);
  each("scaled", H, [&](Index h) -> const Matrix& { return head(h).scaled; });
  if (head(0).softcapped) each("softcapped", H, [&](Index h) -> const Matrix& { return *head(h).softcapped; });
  if (head(0).bias) each("bias", H, [&](Index h) -> const Matrix& { return *head(h).bias; });
  if (head(0).biased) each("biased", H, [&](Index h) -> const Matrix& { return *head(h).biased; });
  all.flags("allowed", trace.mask);
  all.reasons("blocked_by", trace.mask);
  each("masked", H, [&](Index h) -> const Matrix& { return head(h).masked; });
  each("row_max", H, [&](Index h) -> const Vector& { return head(h).softmax.row_max; });
  each("exp", H, [&](Index h) -> const Matrix& { return head(h).softmax.exp; });
  each("row_sum", H, [&](Index h) -> const Vector& { return head(h).softmax.row_sum; });
  each("exp_plain", H, [&](Index h) -> const Matrix& { return head(h).softmax.exp_plain; });
  each("row_sum_plain", H, [&](Index h) -> const Vector& { return head(h).softmax.row_sum_plain; });
  if (head(0).sink) each("sink", H, [&](Index h) { return *head(h).sink; });
  each("weights", H, [&](Index h) -> const Matrix& { return head(h).softmax.weights; });
  each("z", H, [&](Index h) -> const Matrix& { return head(h).z; });
}

constexpr std::string_view kVectorsOfHeads[] = {"bq", "bk", "bv", "row_max", "row_sum", "row_sum_plain"};
constexpr std::string_view kMatricesOfHeads[] = {"wq", "wk", "wv", "q", "k", "v", "scores", "scaled", "softcapped", "bias", "biased",
                                                 "masked", "exp", "exp_plain", "weights", "z"};

template <class Names>
bool holds(const Names& names, std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Heads come first where an array has one axis more than it has in a single head.
bool isStacked(const NamedArray& array, const core::Trace<double>& trace, std::string_view name) {
  return trace.heads.size() > 1 &&
         ((holds(kVectorsOfHeads, name) && array.shape.size() == 2) || (holds(kMatricesOfHeads, name) && array.shape.size() == 3) ||
          (name == "sink" && array.shape.size() == 1));
}

void collect(Collector& all, const Example& example, const core::Trace<double>& trace) {
  const core::Problem<double>& problem = trace.problem;
  all.texts("tokens", example.tokens);
  all.texts("sources", example.sources);
  all.matrix("state", problem.state);
  all.matrix("x", trace.x);
  all.matrix("x_sources", problem.x_sources);
  collectHeads(all, trace);
  all.matrix("concat", trace.concat);
  all.matrix("wo", problem.wo);
  if (problem.bo) all.vector("bo", *problem.bo);
  all.matrix("y", trace.y);
  all.matrix("residual", trace.residual);
}

}  // namespace

std::vector<NamedArray> traceArrays(const Example& example, const core::Trace<double>& trace) {
  Collector all;
  collect(all, example, trace);
  return std::move(all.arrays);
}

std::vector<std::string> traceArrayNames(const Example& example, const core::Trace<double>& trace) {
  Collector none("");
  collect(none, example, trace);
  return std::move(none.names);
}

core::Result<NamedArray> traceArray(const Example& example, const core::Trace<double>& trace, std::string_view name,
                                    std::optional<Index> head) {
  Collector one(name);
  collect(one, example, trace);
  if (one.arrays.empty()) {
    std::string names;
    for (const std::string& each : one.names) names += (names.empty() ? "" : ", ") + each;
    return core::Error{tr("This example has no {0}; it has {1}.", {name, names})};
  }
  NamedArray& array = one.arrays.front();
  if (!head) return std::move(array);
  const auto H = static_cast<Index>(trace.heads.size());
  if (*head < 0 || *head >= H) {
    return core::Error{tr("There is no head {0}; heads go from 0 to {1}.", {*head, H - 1})};
  }
  if (!isStacked(array, trace, name)) return std::move(array);
  const bool of_keys = array.shape[0] != static_cast<std::uint64_t>(H);
  const auto index = static_cast<std::size_t>(of_keys ? trace.heads[static_cast<std::size_t>(*head)].kv_head : *head);
  std::vector<double>& all = *std::get_if<std::vector<double>>(&array.values);
  const std::size_t count = all.size() / array.shape[0];
  const auto begin = all.begin() + static_cast<std::ptrdiff_t>(index * count);
  all = std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(count));
  array.shape.erase(array.shape.begin());
  return std::move(array);
}

bool isPerHead(std::string_view name) {
  return holds(kVectorsOfHeads, name) || holds(kMatricesOfHeads, name) || name == "sink";
}

AxisKinds axesOf(std::string_view name) {
  constexpr std::string_view kMaps[] = {"scores", "scaled", "softcapped", "bias", "biased", "masked", "exp", "exp_plain",
                                        "weights", "allowed", "blocked_by"};
  constexpr std::string_view kOfSources[] = {"k", "v", "x_sources"};
  constexpr std::string_view kOfDestinations[] = {"state", "x", "q", "z", "concat", "y", "residual", "row_max", "row_sum",
                                                  "row_sum_plain"};
  if (holds(kMaps, name)) return {AxisKind::kDestinations, AxisKind::kSources};
  if (holds(kOfSources, name)) return {AxisKind::kSources, AxisKind::kFeatures};
  if (holds(kOfDestinations, name)) return {AxisKind::kDestinations, AxisKind::kFeatures};
  return {};
}

Labels labelsOf(const Example& example, const NamedArray& array) {
  const auto labels = [&](AxisKind axis) {
    std::vector<std::string> names;
    if (axis == AxisKind::kFeatures) return names;
    const std::vector<std::string>& tokens = axis == AxisKind::kSources ? example.sources : example.tokens;
    for (std::size_t n = 0; n < tokens.size(); ++n) names.push_back(std::to_string(n) + " " + tokens[n]);
    return names;
  };
  const AxisKinds axes = axesOf(array.name);
  return {labels(axes.rows), labels(axes.columns)};
}

}  // namespace attn::lesson
