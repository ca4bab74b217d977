// What is said about a whole layer: findings of several heads as one, claims, exchanged axes, heads in another order.
#include "audit/report.h"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <string>
#include <vector>

#include "core/rng.h"

namespace {

using namespace attn;
using audit::Export;
using audit::MaskClaim;
using core::Index;
using core::Matrix;

Matrix<double> single(const Matrix<double>& values) { return values.cast<float>().cast<double>(); }

Matrix<double> weightsOf(const Matrix<double>& q, const Matrix<double>& k, bool causal) {
  Matrix<double> weights = q * k.transpose() / std::sqrt(double(q.cols()));
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = 0; j < weights.cols(); ++j) weights(i, j) = causal && j > i ? 0 : std::exp(weights(i, j));
    weights.row(i) /= weights.row(i).sum();
  }
  return single(weights);
}

Export layer(Index heads, bool causal) {
  core::Rng rng(11);
  Export exported;
  for (Index h = 0; h < heads; ++h) {
    exported.q.push_back(single(rng.normalMatrix(10, 6)));
    exported.k.push_back(single(rng.normalMatrix(10, 6)));
    exported.v.push_back(single(rng.normalMatrix(10, 6)));
    exported.weights.push_back(weightsOf(exported.q.back(), exported.k.back(), causal));
  }
  return exported;
}

std::string codesOf(const audit::Report& report) {
  std::string codes;
  for (const audit::Finding& finding : report.findings) codes += (codes.empty() ? "" : " ") + finding.code;
  return codes;
}

}  // namespace

TEST_CASE("a layer that is what it should be has no findings, and says with what it agrees") {
  const audit::Report report = audit::reportOn(layer(3, true), 0, MaskClaim::kCausal);
  CHECK(codesOf(report) == "");
  CHECK(report.words.find("The weights fit a causal mask: the largest difference is ") == 0);
}

TEST_CASE("the same finding in several heads is one that names the first and counts the others") {
  Export exported = layer(3, false);
  exported.weights[1] *= 0.9, exported.weights[2] *= 0.9;
  const audit::Report report = audit::reportOn(exported, 4, MaskClaim::kOpen);
  REQUIRE(!report.findings.empty());
  CHECK(report.findings[0].code == "row-sum");
  CHECK(report.findings[0].layer == 4);
  CHECK(*report.findings[0].head == 1);
  CHECK(report.findings[0].sentence.find("The same in 1 more head.") != std::string::npos);
}

TEST_CASE("a mask that is not the one named is a finding that says which it is") {
  CHECK(codesOf(audit::reportOn(layer(2, false), 0, MaskClaim::kCausal)) == "future mask");
  CHECK(codesOf(audit::reportOn(layer(2, true), 0, MaskClaim::kNone)) == "mask");
  CHECK(codesOf(audit::reportOn(layer(2, false), 0, MaskClaim::kNone)) == "");
}

TEST_CASE("exchanged rows and columns are told where the turned weights fit") {
  for (const bool causal : {false, true}) {
    Export exported = layer(2, causal);
    for (Matrix<double>& weights : exported.weights) weights = Matrix<double>(weights.transpose());
    CHECK(codesOf(audit::reportOn(exported, 0, MaskClaim::kOpen)) == "transposed");
  }
}

TEST_CASE("heads in another order are told with the order") {
  Export exported = layer(4, true);
  std::swap(exported.weights[0], exported.weights[3]);
  const audit::Report report = audit::reportOn(exported, 0, MaskClaim::kOpen);
  CHECK(codesOf(report) == "heads-order");
  CHECK(report.words == "The heads are in another order: the weights are those of the query and key heads 3, 1, 2, 0.");
}

TEST_CASE("what nothing explains is not called wrong: the nearest, the difference and the place are named") {
  Export exported = layer(2, false);
  std::swap(exported.weights[1](5, 2), exported.weights[1](5, 7));
  const audit::Report report = audit::reportOn(exported, 0, MaskClaim::kOpen);
  CHECK(codesOf(report) == "none-fits");
  CHECK(*report.findings[0].head == 1);
  CHECK(*report.findings[0].row == 5);
  CHECK(*report.findings[0].col == 2);
}

TEST_CASE("weights without queries and keys get no verdict; the output stands in for weights") {
  Export exported = layer(2, true);
  Export alone;
  alone.weights = exported.weights;
  CHECK_FALSE(audit::reportOn(alone, 0, MaskClaim::kOpen).verdict.has_value());
  for (Index h = 0; h < 2; ++h) {
    const auto n = static_cast<std::size_t>(h);
    exported.out.push_back(single(exported.weights[n] * exported.v[n]));
  }
  exported.weights.clear();
  const audit::Report report = audit::reportOn(exported, 0, MaskClaim::kOpen);
  CHECK(codesOf(report) == "");
  CHECK(report.words.find("The output fits a causal mask") == 0);
}
