// Sums that stop early. Knows no walk.
#include "core/partial.h"

#include <algorithm>

namespace attn::core {
namespace {

// left[row][t] · right[t][column] for t < terms, then the bias.
double runningSum(ArrayView left, Index row, ArrayView right, Index column, ArrayView bias, Index terms) {
  double sum = 0;
  for (Index t = 0; t < std::min(terms, left.columns); ++t) {
    sum += left(row, t) * right(t, column);
  }
  return terms > left.columns && bias ? sum + bias(0, column) : sum;
}

// A blocked source without a weight adds nothing, even one that is not finite.
double runningMix(const Trace<double>& trace, Index head, Index row, Index column, Index terms) {
  const ArrayView weights = arrayOf(trace, head, Array::kWeights), v = arrayOf(trace, head, Array::kV);
  double sum = 0;
  for (Index t = 0; t < std::min(terms, weights.columns); ++t) {
    sum += trace.mask.allowed(row, t) || weights(row, t) != 0 ? weights(row, t) * v(t, column) : 0;
  }
  return sum;
}

}  // namespace

double partialValue(const Trace<double>& trace, Index head, Stage stage, Index row, Index column, Index terms) {
  const auto array = [&](Array name) { return arrayOf(trace, head, name); };
  const ArrayView sources = trace.problem.x_sources ? array(Array::kXSources) : array(Array::kX);
  switch (stage) {
    case Stage::kQ: return runningSum(array(Array::kX), row, array(Array::kWq), column, array(Array::kBq), terms);
    case Stage::kK: return runningSum(sources, row, array(Array::kWk), column, array(Array::kBk), terms);
    case Stage::kV: return runningSum(sources, row, array(Array::kWv), column, array(Array::kBv), terms);
    case Stage::kZ: return runningMix(trace, head, row, column, terms);
    case Stage::kY:
      if (const ArrayView wo = array(Array::kWo)) {
        return runningSum(array(Array::kConcat), row, wo, column, array(Array::kBo), terms);
      }
      return terms > 1 ? array(Array::kY)(row, column) : array(Array::kConcat)(row, column);
    case Stage::kWeights: return trace.heads[static_cast<std::size_t>(head)].softmax.exp(row, column);
    case Stage::kScores: {
      const ArrayView q = array(Array::kQ);
      const ArrayView k = array(Array::kK);
      double sum = 0;
      for (Index t = 0; t < std::min(terms, q.columns); ++t) {
        sum += q(row, t) * k(column, t);
      }
      return sum;
    }
    default: return array(resultOf(stage))(row, column);
  }
}

}  // namespace attn::core
