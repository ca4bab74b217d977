// How spread out the weights of one row are, and how they answer to a change of the scores. Knows no mask: a weight of
// 0 is just 0.
#pragma once
#include "core/tensor.h"

namespace attn::core {

// −Σ w ln w in nats, with 0·ln 0 = 0; between 0 (all on one source) and ln n (uniform). Shannon 1948.
double entropy(const RowVector<double>& weights);
RowVector<double> rowEntropies(const Matrix<double>& weights);

// n×n: ∂w_i / ∂s_j = w_i·(δ_ij − w_j), that is diag(w) − wᵀw for a row w; symmetric, and every row sums to 0.
// The change of the weights with the scores, before any scale or temperature (each divides it once).
Matrix<double> softmaxJacobian(const RowVector<double>& weights);

// Two sizes of that matrix: √(sum of squares), and the largest factor by which it stretches a change of the scores
// (its largest eigenvalue; at most 1/2). Weights ≥ 0 that sum to 1. Both go to 0 as the row saturates.
double jacobianFrobenius(const RowVector<double>& weights);
double jacobianSpectral(const RowVector<double>& weights);

}  // namespace attn::core
