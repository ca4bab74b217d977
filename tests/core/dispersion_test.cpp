// Entropy and the softmax Jacobian: finite differences, closed forms, and the eight scores of lesson 6.3 (L13).
#include "core/dispersion.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/rng.h"
#include "core/softmax.h"
#include "support/problems.h"

namespace attn::core {
namespace {

using test::matrix;
using test::vector;

RowVector<double> softmaxOf(const Matrix<double>& row) { return softmaxRows(row, Mask(1, row.cols())).weights.row(0); }

// The largest eigenvalue of a symmetric matrix without negative ones, by repeated multiplication.
double largestEigenvalue(const Matrix<double>& m) {
  Matrix<double> v(m.rows(), 1);
  for (Index i = 0; i < m.rows(); ++i) v(i, 0) = 1 + 0.7 * static_cast<double>(i * i);
  double length = 0;
  for (int n = 0; n < 20000; ++n) {
    v = (m * v).eval();
    length = v.norm();
    if (length == 0) return 0;
    v /= length;
  }
  return length;
}

const Matrix<double> kEight = matrix({{-6, -23, -40, -10, 47, -13, 36, 22}});

}  // namespace

TEST_CASE("Eight scores at d = 512 have the printed largest weight and entropy, scaled and unscaled") {
  const RowVector<double> scaled = softmaxOf(kEight / std::sqrt(512.0)), unscaled = softmaxOf(kEight);
  CHECK(std::abs(scaled.maxCoeff() - .442) <= 0.0005);
  CHECK(std::abs(entropy(scaled) - 1.480) <= 0.0005);
  CHECK(std::abs(unscaled.maxCoeff() - 1.000) <= 0.0005);
  CHECK(std::abs(entropy(unscaled) - 0.000) <= 0.0005);
  CHECK(std::abs(entropy(softmaxOf(Matrix<double>::Zero(1, 8))) - 2.079) <= 0.0005);
  // The gradient vanishes with the spread.
  CHECK(jacobianSpectral(unscaled) < 1e-4 * jacobianSpectral(scaled));
}

TEST_CASE("Entropy is 0 on one source, ln n when uniform, and never outside") {
  CHECK(entropy(vector({0, 1, 0})) == 0);
  CHECK(std::abs(entropy(vector({.25, .25, .25, .25})) - std::log(4.0)) < 1e-15);
  CHECK(std::abs(entropy(vector({.5, 0, .5})) - std::log(2.0)) < 1e-15);
  Rng rng(1);
  for (int n = 0; n < 100; ++n) {
    const double e = entropy(softmaxOf(rng.normalMatrix(1, 9, 3)));
    CHECK(e >= 0);
    CHECK(e <= std::log(9.0));
  }
  CHECK(rowEntropies(matrix({{0, 1}, {.5, .5}}))(0) == 0);
}

TEST_CASE("The Jacobian is the change of the weights with each score") {
  Rng rng(2);
  const Matrix<double> scores = rng.normalMatrix(1, 6, 2);
  const Matrix<double> jacobian = softmaxJacobian(softmaxOf(scores));
  for (Index j = 0; j < 6; ++j) {
    Matrix<double> up = scores, down = scores;
    up(0, j) += 1e-5, down(0, j) -= 1e-5;
    const RowVector<double> difference = (softmaxOf(up) - softmaxOf(down)) / 2e-5;
    // Central differences are off by h² (1e-10) times a third derivative below 1, and by rounding over h: 2e-11.
    CHECK((difference - jacobian.col(j).transpose()).cwiseAbs().maxCoeff() < 2e-10);
  }
  CHECK(jacobian == Matrix<double>(jacobian.transpose()));
  CHECK(jacobian.rowwise().sum().cwiseAbs().maxCoeff() < 1e-16 * 6);
}

TEST_CASE("The sizes of the Jacobian agree with the whole matrix and with closed forms") {
  Rng rng(3);
  for (Index n : {2, 3, 8}) {
    const RowVector<double> w = softmaxOf(rng.normalMatrix(1, n, 1.5));
    // Repeated multiplication has converged to the last digits for so few weights that differ.
    CHECK(std::abs(jacobianSpectral(w) - largestEigenvalue(softmaxJacobian(w))) < 1e-9);
    const double p2 = w.array().square().sum(), p3 = w.array().cube().sum();
    CHECK(std::abs(jacobianFrobenius(w) - std::sqrt(p2 - 2 * p3 + p2 * p2)) < 1e-15 * 8);
    CHECK(jacobianSpectral(w) <= 0.5);
  }
  const RowVector<double> uniform = vector({.25, .25, .25, .25});
  CHECK(jacobianSpectral(uniform) == 0.25);
  CHECK(std::abs(jacobianFrobenius(uniform) - std::sqrt(3.0) / 4) < 1e-16 * 4);
  CHECK(std::abs(jacobianSpectral(vector({.5, .5, 0})) - 0.5) < 1e-16);
  CHECK(jacobianSpectral(vector({1, 0, 0})) == 0);
  CHECK(jacobianFrobenius(vector({1, 0, 0})) == 0);
  CHECK(jacobianSpectral(vector({1})) == 0);
}

}  // namespace attn::core
