// Contributions of sources and the convex hull of points. Knows no heads and no masks.
#include "core/contribution.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>

namespace attn::core {
namespace {

// Twice the signed area of the triangle a, b, (x, y): > 0 when the point lies to the left of a → b.
double turn(const Matrix<double>& points, Index a, Index b, double x, double y) {
  return (points(b, 0) - points(a, 0)) * (y - points(a, 1)) - (points(b, 1) - points(a, 1)) * (x - points(a, 0));
}

double distanceToSegment(const Matrix<double>& points, Index a, Index b, double x, double y) {
  const double dx = points(b, 0) - points(a, 0), dy = points(b, 1) - points(a, 1), square = dx * dx + dy * dy;
  double along = square == 0 ? 0 : ((x - points(a, 0)) * dx + (y - points(a, 1)) * dy) / square;
  along = std::clamp(along, 0.0, 1.0);
  return std::hypot(x - points(a, 0) - along * dx, y - points(a, 1) - along * dy);
}

// The corners from the first to the last of `order` with the rest to their left.
std::vector<Index> chain(const Matrix<double>& points, const std::vector<Index>& order) {
  std::vector<Index> corners;
  for (const Index next : order) {
    while (corners.size() >= 2 &&
           turn(points, corners[corners.size() - 2], corners.back(), points(next, 0), points(next, 1)) <= 0)
      corners.pop_back();
    corners.push_back(next);
  }
  return corners;
}

}  // namespace

Matrix<double> contributions(const RowVector<double>& weights, const Matrix<double>& v) {
  assert(weights.size() == v.rows());
  Matrix<double> out(v.rows(), v.cols());
  for (Index j = 0; j < v.rows(); ++j) out.row(j) = weights(j) * v.row(j);
  return out;
}

Matrix<double> contributionNorms(const Matrix<double>& weights, const Matrix<double>& v) {
  assert(weights.cols() == v.rows());
  Matrix<double> out(weights.rows(), weights.cols());
  for (Index j = 0; j < v.rows(); ++j) out.col(j) = weights.col(j) * v.row(j).norm();
  return out;
}

Matrix<double> outputRows(const Matrix<double>& wo, Index head, Index d_v) {
  assert((head + 1) * d_v <= wo.rows());
  return wo.middleRows(head * d_v, d_v);
}

Cancellation cancellation(const RowVector<double>& weights, const Matrix<double>& v) {
  const Matrix<double> parts = contributions(weights, v);
  return {parts.rowwise().norm().sum(), parts.colwise().sum().norm()};
}

std::vector<Index> convexHull(const Matrix<double>& points) {
  assert(points.cols() == 2 && points.rows() >= 1);
  std::vector<Index> order(static_cast<std::size_t>(points.rows()));
  std::iota(order.begin(), order.end(), Index{0});
  const auto before = [&](Index a, Index b) {
    return points(a, 0) != points(b, 0) ? points(a, 0) < points(b, 0) : points(a, 1) < points(b, 1);
  };
  const auto same = [&](Index a, Index b) { return points.row(a) == points.row(b); };
  std::stable_sort(order.begin(), order.end(), before);
  order.erase(std::unique(order.begin(), order.end(), same), order.end());
  if (order.size() == 1) return order;
  std::vector<Index> hull = chain(points, order);
  std::reverse(order.begin(), order.end());
  const std::vector<Index> upper = chain(points, order);
  hull.insert(hull.end(), upper.begin() + 1, upper.end() - 1);
  return hull;
}

double distanceOutside(const Matrix<double>& points, double x, double y) {
  const std::vector<Index> hull = convexHull(points);
  bool inside = hull.size() > 2;
  double distance = std::numeric_limits<double>::infinity();
  for (std::size_t n = 0; n < hull.size(); ++n) {
    const Index a = hull[n], b = hull[(n + 1) % hull.size()];
    inside = inside && turn(points, a, b, x, y) >= 0;
    distance = std::min(distance, distanceToSegment(points, a, b, x, y));
  }
  return inside ? 0 : distance;
}

}  // namespace attn::core
