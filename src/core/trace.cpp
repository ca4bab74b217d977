// Runs one attention sublayer from inputs to residual, keeping every intermediate. Knows nothing of steps or of how edits
// are written.
#include "core/trace.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "core/language.h"
#include "core/norm.h"
#include "core/product.h"

namespace attn::core {
namespace {

// Head `h` of Q, or key/value head `h` of K or V.
template <class Scalar>
Matrix<Scalar> project(const Matrix<Scalar>* input, const std::vector<Matrix<Scalar>>& weights,
                       const std::vector<RowVector<Scalar>>& biases, const std::vector<Matrix<Scalar>>& given,
                       std::size_t h) {
  if (weights.empty()) return given[h];
  Matrix<Scalar> out = product(*input, weights[h]);
  if (!biases.empty()) out.rowwise() += biases[h];
  return out;
}

// One value for all heads, or one per head.
template <class T>
const T& perHead(const std::vector<T>& values, std::size_t h) {
  return values.size() == 1 ? values[0] : values[h];
}

template <class Scalar>
std::optional<Matrix<Scalar>> biasOf(const Problem<Scalar>& p, std::size_t h) {
  if (p.bias.empty() && p.alibi.empty()) return std::nullopt;
  Matrix<Scalar> bias = p.bias.empty() ? Matrix<Scalar>::Zero(p.T, p.S) : perHead(p.bias, h);
  if (p.alibi.empty()) return bias;
  const Scalar slope = perHead(p.alibi, h);
  for (Index i = 0; i < p.T; ++i) {
    const Index position = alignedPosition(p.mask.align, i, p.T, p.S);
    for (Index j = 0; j < p.S; ++j) bias(i, j) += slope * static_cast<Scalar>(-std::abs(position - j));
  }
  return bias;
}

// Dividing by √d_k rounds once less than multiplying by 1/√d_k; this is what people do by hand.
template <class Scalar>
Matrix<Scalar> scaleScores(const Problem<Scalar>& p, const Matrix<Scalar>& scores, Index d_k) {
  Matrix<Scalar> scaled = p.scale ? Matrix<Scalar>(scores * *p.scale)
                                  : Matrix<Scalar>(scores / std::sqrt(static_cast<Scalar>(d_k)));
  if (p.temperature) scaled /= *p.temperature;
  return scaled;
}

// weights·V over the sources that may be read: a blocked source adds nothing, even one that is not finite, unless it was
// given a weight.
template <class Scalar>
Matrix<Scalar> mix(const Softmax<Scalar>& softmax, const Mask& mask, const Matrix<Scalar>& v) {
  if (v.allFinite()) return product(softmax.weights, v);
  Matrix<Scalar> z = Matrix<Scalar>::Zero(mask.rows(), v.cols());
  for (Index i = 0; i < mask.rows(); ++i)
    for (Index j = 0; j < mask.columns(); ++j)
      if (mask.allowed(i, j) || softmax.weights(i, j) != 0) z.row(i) += softmax.weights(i, j) * v.row(j);
  return z;
}

// What was asked to be done to `array` of this head, in order; the array as it was computed when anything was.
template <class Scalar>
std::optional<Matrix<Scalar>> intervene(const Trace<Scalar>& trace, Array array, Index head, Matrix<Scalar>& values) {
  using Kind = Intervention::Kind;
  std::optional<Matrix<Scalar>> computed;
  for (const Intervention& one : trace.problem.interventions) {
    if (!concerns(trace.problem, one, array, head)) continue;
    if (!computed) computed = values;
    if (one.kind == Kind::kAblate) values.setZero();
    else if (one.kind == Kind::kMeanAblate) values.rowwise() = RowVector<Scalar>(values.colwise().mean());
    else intervene(one, values, trace.mask);
  }
  return computed;
}

template <class Scalar>
HeadTrace<Scalar> computeHead(const Trace<Scalar>& trace, std::size_t h) {
  const Problem<Scalar>& p = trace.problem;
  const Matrix<Scalar>* x = trace.x ? &*trace.x : nullptr;
  const Matrix<Scalar>* sources = p.cross ? (p.x_sources ? &*p.x_sources : nullptr) : x;
  HeadTrace<Scalar> head;
  head.kv_head = static_cast<Index>(h) * p.keyValueHeads() / p.heads();
  const auto g = static_cast<std::size_t>(head.kv_head);
  // 1. Projections.
  const auto act = [&](Array array, Matrix<Scalar>& values) {
    if (auto computed = intervene(trace, array, static_cast<Index>(h), values))
      head.overwritten.emplace_back(array, std::move(*computed));
  };
  head.q = project(x, p.wq, p.bq, p.q, h);
  head.k = project(sources, p.wk, p.bk, p.k, g);
  head.v = project(sources, p.wv, p.bv, p.v, g);
  act(Array::kQ, head.q);
  act(Array::kK, head.k);
  act(Array::kV, head.v);
  // 2. Scores and the rules that change them, in the order of the format.
  head.scores = product<Scalar>(head.q, head.k.transpose());
  act(Array::kScores, head.scores);
  head.scaled = scaleScores(p, head.scores, head.q.cols());
  const Matrix<Scalar>* latest = &head.scaled;
  if (p.softcap) {
    const Scalar cap = *p.softcap;
    head.softcapped = latest->unaryExpr([cap](Scalar s) { return cap * std::tanh(s / cap); });
    latest = &*head.softcapped;
  }
  head.bias = biasOf(p, h);
  if (head.bias) {
    head.biased = *latest + *head.bias;
    latest = &*head.biased;
  }
  // 3. Mask.
  head.masked = *latest;
  for (Index i = 0; i < p.T; ++i)
    for (Index j = 0; j < p.S; ++j)
      if (!trace.mask.allowed(i, j)) head.masked(i, j) = -std::numeric_limits<Scalar>::infinity();
  act(Array::kMasked, head.masked);
  // 4. Softmax and mix.
  if (!p.sink.empty()) head.sink = perHead(p.sink, h);
  head.softmax = softmaxRows(head.masked, trace.mask, head.sink);
  act(Array::kWeights, head.softmax.weights);
  head.z = mix(head.softmax, trace.mask, head.v);
  act(Array::kZ, head.z);
  return head;
}

// The bytes that a Trace of `p` takes, as a double so that nothing overflows.
template <class Scalar>
double traceBytes(const Problem<Scalar>& p) {
  const auto size = [](Index rows, Index columns) { return static_cast<double>(rows) * static_cast<double>(columns); };
  const auto sizes = [&](const std::vector<Matrix<Scalar>>& list) {
    double sum = 0;
    for (const Matrix<Scalar>& m : list) sum += size(m.rows(), m.cols());
    return sum;
  };
  const auto h = static_cast<double>(p.heads());
  const double cells = size(p.T, p.S);
  const int rules = (p.softcap ? 1 : 0) + (p.bias.empty() && p.alibi.empty() ? 0 : 2);
  const Index d_k = (p.wq.empty() ? p.q : p.wq)[0].cols();
  Index d_v = 0;
  for (const Matrix<Scalar>& m : p.wv.empty() ? p.v : p.wv) d_v = std::max(d_v, m.cols());
  double numbers = h * cells * (6 + rules);                                // scores … weights
  numbers += h * (size(p.T, d_k + 2 * d_v) + size(p.S, d_k + d_v));        // q, k, v, z, concat
  numbers += size(p.T, 2 * (p.wo ? p.wo->cols() : p.heads() * d_v));       // y, residual
  for (const auto* list : {&p.wq, &p.wk, &p.wv, &p.q, &p.k, &p.v, &p.bias}) numbers += sizes(*list);
  for (const auto* m : {&p.x, &p.x, &p.x_sources, &p.wo, &p.state})
    if (*m) numbers += size((*m)->rows(), (*m)->cols());
  return numbers * sizeof(Scalar) + cells;
}

// Matrices end the program when memory runs out, so ask first with the one call that can say no.
Check checkMemory(double bytes) {
  const Error refusal{tr("tokens: the whole computation takes {0} MiB, which this machine does not give; use fewer "
                         "tokens, heads or columns", {static_cast<long long>(bytes / 1048576)})};
  if (bytes >= static_cast<double>(std::numeric_limits<std::size_t>::max()) / 2) return refusal;
  void* probe = std::malloc(static_cast<std::size_t>(bytes));
  if (probe == nullptr) return refusal;
  *static_cast<volatile char*>(probe) = 0;  // so that the call is not optimised away
  std::free(probe);
  return std::nullopt;
}

}  // namespace

template <class Scalar>
Result<Trace<Scalar>> computeTrace(const Problem<Scalar>& problem) {
  if (Check bad = checkProblem(problem)) return *bad;
  if (Check bad = checkMemory(traceBytes(problem))) return *bad;
  Trace<Scalar> trace;
  trace.problem = problem;
  const Problem<Scalar>& p = trace.problem;
  trace.mask = makeMask(p.mask, p.T, p.S).take();
  trace.x = p.norm ? normaliseRows(*p.state, *p.norm) : p.x;
  if (p.norm) trace.overwritten_x = intervene(trace, Array::kX, 0, *trace.x);
  trace.heads.reserve(static_cast<std::size_t>(p.heads()));
  Index width = 0;
  for (std::size_t h = 0; h < static_cast<std::size_t>(p.heads()); ++h) {
    trace.heads.push_back(computeHead(trace, h));
    width += trace.heads.back().z.cols();
  }
  trace.default_scale = !p.scale;
  trace.scale = p.scale ? *p.scale : 1 / std::sqrt(static_cast<Scalar>(trace.heads[0].q.cols()));
  trace.concat.resize(p.T, width);
  Index column = 0;
  for (const HeadTrace<Scalar>& head : trace.heads) {
    trace.concat.middleCols(column, head.z.cols()) = head.z;
    column += head.z.cols();
  }
  trace.y = p.wo ? product(trace.concat, *p.wo) : trace.concat;
  if (p.bo) trace.y.rowwise() += *p.bo;
  if (p.residual == Residual::kInput) trace.residual = trace.y + *trace.x;
  if (p.state) trace.residual = trace.y + *p.state;
  return trace;
}

template Result<Trace<double>> computeTrace(const Problem<double>&);
template Result<Trace<float>> computeTrace(const Problem<float>&);

std::vector<Stage> stagesOf(const Problem<double>& p) {
  std::vector<Stage> stages;
  const auto add = [&stages](bool used, Stage stage) {
    if (used) stages.push_back(stage);
  };
  add(p.residual == Residual::kPreNorm, Stage::kNorm);
  add(!p.wq.empty(), Stage::kQ);
  add(!p.wk.empty(), Stage::kK);
  add(!p.wv.empty(), Stage::kV);
  add(true, Stage::kScores);
  add(true, Stage::kScaled);
  add(p.softcap.has_value(), Stage::kSoftcapped);
  add(!p.bias.empty() || !p.alibi.empty(), Stage::kBiased);
  add(!p.mask.none(), Stage::kMasked);
  add(true, Stage::kWeights);
  add(true, Stage::kZ);
  add(p.heads() > 1, Stage::kConcat);
  add(p.wo || p.bo || p.residual != Residual::kNone, Stage::kY);
  add(p.residual != Residual::kNone, Stage::kResidual);
  return stages;
}

}  // namespace attn::core
