// Contributions sum to the mixture, and every mixture lies in the hull of the values.
#include "core/contribution.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/product.h"
#include "core/rng.h"
#include "core/softmax.h"
#include "support/problems.h"

namespace attn::core {
namespace {

using test::largestDifference;
using test::matrix;
using test::vector;

Matrix<double> randomWeights(Rng& rng, Index rows, Index columns) {
  return softmaxRows(rng.normalMatrix(rows, columns, 2), Mask(rows, columns)).weights;
}

// A corner has all other points on one side of some line through it: tried for many directions.
bool isExtreme(const Matrix<double>& points, Index corner) {
  for (int n = 0; n < 3600; ++n) {
    const double angle = n * 3.14159265358979323846 / 1800, x = std::cos(angle), y = std::sin(angle);
    bool all = true;
    for (Index j = 0; j < points.rows() && all; ++j)
      all = j == corner || (points(j, 0) - points(corner, 0)) * x + (points(j, 1) - points(corner, 1)) * y < 0;
    if (all) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("Contributions sum to z and their norms are weight times length") {
  Rng rng(1);
  const Matrix<double> weights = randomWeights(rng, 4, 6), v = rng.normalMatrix(6, 3);
  const Matrix<double> norms = contributionNorms(weights, v), z = product(weights, v);
  for (Index i = 0; i < 4; ++i) {
    const Matrix<double> parts = contributions(weights.row(i), v);
    CHECK(largestDifference(parts.colwise().sum(), z.row(i)) < 2e-15);  // six terms below 3
    CHECK(largestDifference(parts.rowwise().norm().transpose(), norms.row(i)) < 2e-15);
    const Cancellation all = cancellation(weights.row(i), v);
    CHECK(std::abs(all.sum - z.row(i).norm()) < 2e-15);
    CHECK(std::abs(all.lengths - norms.row(i).sum()) < 4e-15);
    CHECK(all.sum <= all.lengths);
  }
}

TEST_CASE("Two bright contributions can cancel, and W_O can remove one altogether") {
  const Matrix<double> v = matrix({{4, 2}, {-4, -2}});
  const Cancellation both = cancellation(vector({.5, .5}), v);
  CHECK(both.sum == 0);
  CHECK(std::abs(both.lengths - std::sqrt(20.0)) < 1e-15 * 5);
  // W_O that drops the first coordinate and doubles the second.
  const Matrix<double> wo = matrix({{1, 0}, {0, 1}, {0, 0}, {0, 2}});
  const Matrix<double> second_head = outputRows(wo, 1, 2);
  CHECK(second_head == matrix({{0, 0}, {0, 2}}));
  CHECK(contributionNorms(matrix({{1}}), product(matrix({{7, 0}}), second_head))(0, 0) == 0);
}

TEST_CASE("The worked example of lesson 2.2: equal maps, other contributions once v₂ is 0") {
  const Matrix<double> weights = matrix({{.25, .25, .5}});
  CHECK(contributionNorms(weights, matrix({{2, 0}, {0, 4}, {2, 4}})).row(0).head(2) == matrix({{.5, 1}}));
  CHECK(contributionNorms(weights, matrix({{2, 0}, {0, 0}, {2, 4}}))(0, 1) == 0);
}

TEST_CASE("The hull has exactly the extreme points, counterclockwise") {
  Rng rng(2);
  for (int n = 0; n < 20; ++n) {
    const Matrix<double> points = rng.normalMatrix(9, 2);
    const std::vector<Index> hull = convexHull(points);
    double area = 0;
    for (std::size_t c = 0; c < hull.size(); ++c) {
      const auto a = points.row(hull[c]), b = points.row(hull[(c + 1) % hull.size()]);
      area += a(0) * b(1) - a(1) * b(0);
      // Seen in steps of 0.1°, a very blunt corner may be missed; none of these is.
      CHECK(isExtreme(points, hull[c]));
    }
    CHECK(area > 0);
    for (Index j = 0; j < 9; ++j)
      if (std::find(hull.begin(), hull.end(), j) == hull.end()) CHECK(!isExtreme(points, j));
  }
}

TEST_CASE("Hulls of a square with points on its edges, of a line and of one point") {
  const Matrix<double> square = matrix({{1, 1}, {0, 0}, {.5, 0}, {1, 0}, {0, 1}, {.5, .5}, {0, 0}});
  CHECK(convexHull(square) == std::vector<Index>{1, 3, 0, 4});
  CHECK(convexHull(matrix({{1, 1}, {0, 0}, {2, 2}})) == std::vector<Index>{1, 2});
  CHECK(convexHull(matrix({{3, 4}, {3, 4}})) == std::vector<Index>{0});
}

TEST_CASE("Every mixture lies in the hull, and W_O can take it out") {
  Rng rng(3);
  const Matrix<double> v = rng.normalMatrix(5, 2);
  const Matrix<double> z = product(randomWeights(rng, 30, 5), v);
  // z is rounded; a point on the edge may lie outside by that much.
  for (Index i = 0; i < 30; ++i) CHECK(distanceOutside(v, z(i, 0), z(i, 1)) < 1e-15);
  const Matrix<double> square = matrix({{0, 0}, {2, 0}, {2, 2}, {0, 2}});
  CHECK(distanceOutside(square, 1, 1) == 0);
  CHECK(distanceOutside(square, 2, 1) == 0);
  CHECK(distanceOutside(square, -1, -1) == std::sqrt(2.0));
  CHECK(distanceOutside(square, 3, 1) == 1);
  CHECK(distanceOutside(matrix({{0, 0}, {2, 0}}), 1, 0) == 0);
  CHECK(distanceOutside(matrix({{0, 0}, {2, 0}}), 1, 3) == 3);
  CHECK(distanceOutside(matrix({{3, 4}}), 0, 0) == 5);
}

}  // namespace attn::core
