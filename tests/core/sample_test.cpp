// Distributions by hand, and how often each token is drawn.
#include "core/sample.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/rng.h"

namespace attn::core {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();

// Chances 1, 2, 5 of 8, and one token that never comes.
RowVector<float> logits() {
  RowVector<float> row(4);
  row << 0, std::log(2.0f), -kInfinite, std::log(5.0f);
  return row;
}

RowVector<double> distributionOf(const RowVector<float>& row, const Sampling& sampling) {
  const auto distribution = samplingDistribution(row, sampling);
  REQUIRE_MESSAGE(distribution.ok(), (distribution ? "" : distribution.error().message));
  return distribution.value();
}

void checkNear(const RowVector<double>& got, const std::vector<double>& wanted) {
  REQUIRE(got.size() == static_cast<Index>(wanted.size()));
  for (Index c = 0; c < got.size(); ++c) CHECK(got(c) == doctest::Approx(wanted[static_cast<std::size_t>(c)]).epsilon(1e-6));
}

std::string refusalOf(const RowVector<float>& row, const Sampling& sampling) {
  const auto distribution = samplingDistribution(row, sampling);
  return distribution ? "computed" : distribution.error().message;
}

}  // namespace

TEST_CASE("Temperature 1 is the softmax of the row, 2 its square root, and ½ its square") {
  checkNear(distributionOf(logits(), {}), {1.0 / 8, 2.0 / 8, 0, 5.0 / 8});
  const double roots = 1 + std::sqrt(2.0) + std::sqrt(5.0);
  checkNear(distributionOf(logits(), {2, {}}), {1 / roots, std::sqrt(2.0) / roots, 0, std::sqrt(5.0) / roots});
  checkNear(distributionOf(logits(), {0.5, {}}), {1.0 / 30, 4.0 / 30, 0, 25.0 / 30});
}

TEST_CASE("Temperature 0 always takes the likeliest token, of equal ones the first") {
  checkNear(distributionOf(logits(), {0, {}}), {0, 0, 0, 1});
  RowVector<float> equal(3);
  equal << 1, 2, 2;
  checkNear(distributionOf(equal, {0, {}}), {0, 1, 0});
  checkNear(distributionOf(equal, {1e-300, {}}), {0, 0.5, 0.5});
}

TEST_CASE("Top-k keeps the k likeliest and shares the rest of the chance among them") {
  checkNear(distributionOf(logits(), {1, 2}), {0, 2.0 / 7, 0, 5.0 / 7});
  checkNear(distributionOf(logits(), {1, 1}), {0, 0, 0, 1});
  checkNear(distributionOf(logits(), {1, 99}), {1.0 / 8, 2.0 / 8, 0, 5.0 / 8});
}

TEST_CASE("A token is drawn where the running sum passes the number, and never one without a chance") {
  RowVector<double> distribution(5);
  distribution << 0, 0.25, 0, 0.75, 0;
  CHECK(drawn(distribution, 0) == 1);
  CHECK(drawn(distribution, 0.2499) == 1);
  CHECK(drawn(distribution, 0.25) == 3);
  distribution(3) = 0.7499999;
  CHECK(drawn(distribution, 0x1.fffffffffffffp-1) == 3);
}

TEST_CASE("Over many draws each token comes as often as its chance says") {
  const RowVector<double> distribution = distributionOf(logits(), {});
  Rng rng(31);
  constexpr int kDraws = 80000;
  RowVector<double> counts = RowVector<double>::Zero(4);
  for (int n = 0; n < kDraws; ++n) counts(drawn(distribution, rng.uniform())) += 1;
  CHECK(counts(2) == 0);
  for (const Index c : {0, 1, 3}) {
    const double deviation = std::sqrt(kDraws * distribution(c) * (1 - distribution(c)));
    CHECK(std::abs(counts(c) - kDraws * distribution(c)) < 4 * deviation);
  }
}

TEST_CASE("What nothing can be drawn from is refused") {
  CHECK(refusalOf(logits(), {}) == "computed");
  for (const double temperature : {-1.0, std::nan(""), double(kInfinite)})
    CHECK(refusalOf(logits(), {temperature, {}}) ==
          "The temperature must be a finite number from 0 up; 0 always takes the likeliest token.");
  CHECK(refusalOf(logits(), {1, 0}) == "Top-k keeps at least 1 token, not 0.");
  RowVector<float> row = logits();
  row(1) = kInfinite;
  CHECK(refusalOf(row, {}) == "The logit of token 1 is no finite number, so no token can be drawn.");
  row(1) = std::nanf("");
  CHECK(refusalOf(row, {}) == "The logit of token 1 is no finite number, so no token can be drawn.");
  row.setConstant(-kInfinite);
  CHECK(refusalOf(row, {}) == "No token has a logit above −∞, so none can be drawn.");
}

}  // namespace attn::core
