// Entropy of a row of weights, and its derivative by the scores. Knows no mask.
#include "core/dispersion.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace attn::core {

double entropy(const RowVector<double>& weights) {
  double sum = 0;
  for (const double w : weights)
    if (w != 0) sum -= w * std::log(w);
  return sum;
}

RowVector<double> rowEntropies(const Matrix<double>& weights) {
  RowVector<double> out(weights.rows());
  for (Index i = 0; i < weights.rows(); ++i) out(i) = entropy(weights.row(i));
  return out;
}

Matrix<double> softmaxJacobian(const RowVector<double>& weights) {
  const Index n = weights.size();
  Matrix<double> jacobian(n, n);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) jacobian(i, j) = weights(i) * ((i == j ? 1 : 0) - weights(j));
  return jacobian;
}

double jacobianFrobenius(const RowVector<double>& weights) { return softmaxJacobian(weights).norm(); }

double jacobianSpectral(const RowVector<double>& weights) {
  // The eigenvalues of diag(w) − wᵀw solve Σ w² / (w − λ) = 1, and the largest lies between the two largest weights,
  // where the left side rises from −∞ to +∞ (Golub 1973, section 5).
  std::vector<double> sorted(weights.begin(), weights.end());
  std::sort(sorted.rbegin(), sorted.rend());
  if (sorted.size() < 2) return 0;
  double low = sorted[1], high = sorted[0];
  for (;;) {
    const double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return low;
    double sum = 0;
    for (const double w : sorted)
      if (w > 0) sum += w * w / (w - middle);
    (sum < 1 ? low : high) = middle;
  }
}

}  // namespace attn::core
