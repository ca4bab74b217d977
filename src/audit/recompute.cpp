// From queries and keys to weights, each departure at its place. See recompute.h.
#include "audit/recompute.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/half.h"
#include "core/mask.h"
#include "core/position.h"

namespace attn::audit {
namespace {

using core::Index;
using core::Matrix;

const Departure* find(const Hypothesis& hypothesis, Kind kind) {
  for (const Departure& departure : hypothesis) {
    if (departure.kind == kind) return &departure;
  }
  return nullptr;
}

// The first `width` coordinates of each row turned; the others stay.
template <class PositionOf>
void turnRows(Matrix<double>& x, const RotaryStep& step, PositionOf position_of) {
  const auto layout = step.half_split ? core::RotaryLayout::kHalfSplit : core::RotaryLayout::kInterleaved;
  for (Index i = 0; i < x.rows(); ++i) {
    x.row(i).head(step.width) = core::rotary(x.row(i).head(step.width), layout, position_of(i), step.base);
  }
}

// Without gain: what the exported numbers alone can tell.
void normaliseRows(Matrix<double>& x, Kind kind) {
  for (Index i = 0; i < x.rows(); ++i) {
    auto row = x.row(i);
    if (kind == Kind::kLayerNorm) row.array() -= row.mean();
    const double square = kind == Kind::kLengthNorm ? row.squaredNorm() : row.squaredNorm() / double(x.cols()) + 1e-6;
    if (square > 0) row /= std::sqrt(square);
  }
}

double scaleOf(const Hypothesis& hypothesis, const Export& exported, Index key_width) {
  const double d = double(key_width);
  const Departure* scale = find(hypothesis, Kind::kScale);
  double factor = 1 / std::sqrt(d);
  if (scale) {
    switch (scale->scale) {
      case ScaleRule::kOne: factor = 1; break;
      case ScaleRule::kKeyWidth: factor = 1 / d; break;
      case ScaleRule::kAllHeads: factor = 1 / std::sqrt(d * double(exported.heads())); break;
      case ScaleRule::kModelWidth: factor = 1 / std::sqrt(double(exported.model_width.value_or(exported.heads() * key_width))); break;
    }
  }
  return factor;
}

Index keyHeadOf(const Hypothesis& hypothesis, const Export& exported, Index h) {
  const auto G = static_cast<Index>(exported.k.size());
  return find(hypothesis, Kind::kSharing) ? h % G : h * G / exported.heads();
}

double toPrecision(double value, Kind kind) {
  const auto single = static_cast<float>(value);
  return kind == Kind::kScores16 || kind == Kind::kSoftmax16 ? core::fromHalf(core::toHalf(single))
                                                            : core::fromBfloat(core::toBfloat(single));
}

void roundAll(Matrix<double>& values, Kind kind) {
  values = values.unaryExpr([kind](double value) { return toPrecision(value, kind); });
}

void keepLargest(Matrix<double>& scores, Matrix<bool>& allowed, Index count) {
  std::vector<Index> order;
  for (Index i = 0; i < scores.rows(); ++i) {
    order.clear();
    for (Index j = 0; j < scores.cols(); ++j) {
      if (allowed(i, j)) order.push_back(j);
    }
    if (static_cast<Index>(order.size()) <= count) continue;
    std::nth_element(order.begin(), order.begin() + count, order.end(),
                     [&](Index a, Index b) { return scores(i, a) > scores(i, b); });
    for (auto it = order.begin() + count; it != order.end(); ++it) allowed(i, *it) = false;
  }
}

// In single precision, as frameworks add it: −1e9 swallows a score there, −1e4 does not.
void penalise(Matrix<double>& scores, const Matrix<bool>& allowed, double penalty) {
  for (Index i = 0; i < scores.rows(); ++i) {
    for (Index j = 0; j < scores.cols(); ++j) {
      if (!allowed(i, j)) scores(i, j) = static_cast<float>(scores(i, j)) + static_cast<float>(penalty);
    }
  }
}

// Softmax of one row over what is allowed, with a sink in the denominator. A fill gives blocked cells a score of their own.
void softmaxRow(Matrix<double>& weights, const Matrix<double>& scores, const Matrix<bool>& allowed, Index i,
                const double* fill, const double* sink) {
  double largest = -std::numeric_limits<double>::infinity();
  for (Index j = 0; j < scores.cols(); ++j) {
    if (allowed(i, j)) largest = std::max(largest, scores(i, j));
    else if (fill) largest = std::max(largest, *fill);
  }
  weights.row(i).setZero();
  if (!std::isfinite(largest)) return;
  double sum = sink ? std::exp(*sink - largest) : 0;
  for (Index j = 0; j < scores.cols(); ++j) {
    if (allowed(i, j)) weights(i, j) = std::exp(scores(i, j) - largest);
    else if (fill) weights(i, j) = std::exp(*fill - largest);
    sum += weights(i, j);
  }
  weights.row(i) /= sum;
}

void dropAsGiven(Matrix<double>& weights, const Matrix<double>& given, double factor) {
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = 0; j < weights.cols(); ++j) weights(i, j) = given(i, j) == 0 ? 0 : weights(i, j) * factor;
  }
}

// Whether a destination at source position p may read source j, as far as this departure has a say.
bool mayRead(const Departure& d, Index p, Index j, Index S, double given) {
  switch (d.kind) {
    case Kind::kCausal: case Kind::kCausalBottomRight: return j <= p;
    case Kind::kWindow: return std::abs(p - j) < d.count;
    case Kind::kCausalWindow: return j <= p && p - j < d.count;
    case Kind::kPaddingLeft: return j >= d.count;
    case Kind::kPaddingRight: return j < S - d.count;
    case Kind::kZeroCells: return given != 0;
    default: return true;
  }
}

}  // namespace

double roundingOf(Precision precision) {
  switch (precision) {
    case Precision::kDouble: return 0x1p-53;
    case Precision::kFloat: return 0x1p-24;
    case Precision::kHalf: return 0x1p-11;
    case Precision::kBfloat: return 0x1p-8;
  }
  return 0;
}

Index Export::T() const { return !q.empty() ? q[0].rows() : !weights.empty() ? weights[0].rows() : out.empty() ? 0 : out[0].rows(); }

Index Export::S() const { return !k.empty() ? k[0].rows() : weights.empty() ? 0 : weights[0].cols(); }

Export rowsOf(const Export& exported, const std::vector<Index>& rows) {
  Export part = exported;
  part.positions = rows;
  part.all_rows = exported.T();
  for (auto* arrays : {&part.q, &part.weights, &part.out, &part.bias}) {
    for (Matrix<double>& array : *arrays) array = Matrix<double>(array(rows, Eigen::all));
  }
  return part;
}

Matrix<bool> allowedBy(const Hypothesis& hypothesis, const Export& exported, const Matrix<double>* given) {
  const Index T = exported.T(), S = exported.S();
  const Index all = exported.positions.empty() ? T : exported.all_rows;
  Matrix<bool> allowed = Matrix<bool>::Constant(T, S, true);
  for (const Departure& d : hypothesis) {
    if (!isMask(d.kind)) continue;
    for (Index i = 0; i < T; ++i) {
      const core::Align align = d.kind == Kind::kCausal ? core::Align::kTopLeft : core::Align::kBottomRight;
      const Index p = core::alignedPosition(align, exported.position(i), all, S);
      for (Index j = 0; j < S; ++j) {
        if (!mayRead(d, p, j, S, given ? (*given)(i, j) : 1)) allowed(i, j) = false;
      }
    }
  }
  return allowed;
}

Scores scoresUnder(const Hypothesis& hypothesis, const Export& exported, Index h) {
  Matrix<double> q = exported.q[h], k = exported.k[keyHeadOf(hypothesis, exported, h)];
  for (const Departure& d : hypothesis) {
    if (d.kind == Kind::kRmsNorm || d.kind == Kind::kLengthNorm || d.kind == Kind::kLayerNorm) {
      normaliseRows(q, d.kind);
      normaliseRows(k, d.kind);
    } else if (d.kind == Kind::kRotary) {
      turnRows(q, d.rotary, [&](Index i) { return exported.position(i) + d.rotary.offset; });
      turnRows(k, d.rotary, [](Index j) { return j; });
    }
  }
  const double scale = scaleOf(hypothesis, exported, q.cols());
  Scores scores;
  scores.values.noalias() = q * k.transpose();
  scores.values *= scale;
  const double rounding = roundingOf(exported.precision);
  // Each product and each addition may round once; so may each stored factor.
  scores.uncertainty = (q.cwiseAbs() * k.cwiseAbs().transpose()).rowwise().maxCoeff().transpose() *
                       (scale * rounding * double(q.cols() + 4));
  for (const Departure& d : hypothesis) {
    if (d.kind == Kind::kScores16 || d.kind == Kind::kScoresB16) roundAll(scores.values, d.kind);
    if (d.kind == Kind::kGivenBias) scores.values += exported.bias[exported.bias.size() == 1 ? 0 : h];
  }
  return scores;
}

Matrix<double> weightsUnder(const Hypothesis& hypothesis, const Export& exported, const Scores& scores,
                            const Matrix<double>* given) {
  Matrix<bool> allowed = allowedBy(hypothesis, exported, given);
  Matrix<double> values = scores.values;
  if (const Departure* top = find(hypothesis, Kind::kTopK)) keepLargest(values, allowed, top->count);
  const Departure* fill = find(hypothesis, Kind::kFill);
  if (const Departure* penalty = find(hypothesis, Kind::kPenalty)) {
    penalise(values, allowed, penalty->value);
    allowed.setConstant(true);
  }
  const Departure* sink = find(hypothesis, Kind::kSink);
  Matrix<double> weights(values.rows(), values.cols());
  for (Index i = 0; i < values.rows(); ++i) {
    softmaxRow(weights, values, allowed, i, fill ? &fill->value : nullptr, sink ? &sink->value : nullptr);
  }
  for (const Departure& d : hypothesis) {
    if (d.kind == Kind::kSoftmax16 || d.kind == Kind::kSoftmaxB16) roundAll(weights, d.kind);
    if (d.kind == Kind::kDropout && given) dropAsGiven(weights, *given, d.value);
  }
  return weights;
}

}  // namespace attn::audit
