// What each source adds to a destination: its weight times what it holds, rather than the weight alone (Kobayashi et
// al. 2020, section 3). And the plane's convex hull, within which every mixture lies. Knows no heads: give the values
// of one head, or product(v, the head's rows of W_O) for what reaches the residual stream.
#pragma once
#include <vector>

#include "core/tensor.h"

namespace attn::core {

// S×d: row j is weights(j)·v_j; the rows sum to z. weights has S entries, v is S×d.
Matrix<double> contributions(const RowVector<double>& weights, const Matrix<double>& v);

// T×S: weights(i, j)·‖v_j‖.
Matrix<double> contributionNorms(const Matrix<double>& weights, const Matrix<double>& v);

// The rows of W_O that head h reads when all heads are d_v wide: d_v×D_out.
Matrix<double> outputRows(const Matrix<double>& wo, Index head, Index d_v);

// Per row of what contributionNorms shows: how much the contributions sum up to if they all pointed the same way, and
// what they do sum up to. `lengths` > 0 and `sum` = 0 is complete cancellation.
struct Cancellation {
  double lengths = 0;  // Σ ‖weight·v‖
  double sum = 0;      // ‖Σ weight·v‖, at most lengths
};
Cancellation cancellation(const RowVector<double>& weights, const Matrix<double>& v);

// The corners of the smallest convex polygon around the points (N×2, N ≥ 1), as row numbers, counterclockwise (with y
// upwards) from the leftmost lowest; points on an edge are no corners. One point or two when all lie on a line.
// Andrew 1979 (monotone chain).
std::vector<Index> convexHull(const Matrix<double>& points);

// How far the point lies outside the hull of the points: 0 inside and on the edge.
double distanceOutside(const Matrix<double>& points, double x, double y);

}  // namespace attn::core
