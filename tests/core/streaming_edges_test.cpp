// Attention over long sequences at its edges: rows that may read nothing, numbers that are none or beyond all numbers, and
// the exponential itself.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "core/streaming/streaming.h"
#include "support/long_attention.h"

namespace attn::core::streaming {
namespace {

using test::LongAttention;
using test::LongCase;
using test::LongError;
using test::longError;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();

LongCase square(core::Index length, core::Index d, bool causal) {
  LongCase the;
  the.T = the.S = length;
  the.d_k = the.d_v = d;
  the.causal = causal;
  return the;
}

void computeWith(LongAttention& attention, const Kernel& kernel) {
  CAPTURE(kernel.name);
  REQUIRE(!attention.compute(kernel));
}

}  // namespace

TEST_CASE("A power of two is right to 3e-7 for all that weights need, and exactly 0 below") {
  for (const Kernel* kernel : kernels()) {
    double worst = 0;
    for (float x = 0; x > -125.9f; x -= 0.0016f) {
      alignas(64) std::array<float, 16> numbers;
      std::array<double, 16> wanted;
      for (std::size_t n = 0; n < 16; ++n) {
        numbers[n] = x - static_cast<float>(n) * 1e-4f;
        wanted[n] = std::exp2(static_cast<double>(numbers[n]));
      }
      kernel->exp2(numbers.data(), 16 / kernel->lanes);
      for (std::size_t n = 0; n < 16; ++n) worst = std::fmax(worst, std::abs(numbers[n] / wanted[n] - 1));
    }
    CAPTURE(kernel->name);
    CHECK(worst <= 3e-7);
    alignas(64) std::array<float, 16> low;
    for (float x : {-126.6f, -127.f, -128.f, -1000.f, -1e30f, -kInfinity}) {
      low.fill(x);
      kernel->exp2(low.data(), 1);
      CHECK(low[0] == 0);
    }
    low.fill(-kNan);
    kernel->exp2(low.data(), 1);
    CHECK(std::isnan(low[0]));
  }
}

TEST_CASE("A row that may read nothing is 0 and says so, wherever it lies") {
  for (const Kernel* kernel : kernels()) {
    LongCase the = square(200, 8, true);
    the.padding = true;
    LongAttention attention(the);
    std::fill(attention.padding.begin(), attention.padding.end(), 1);
    std::fill(attention.padding.begin(), attention.padding.begin() + 101, 0);
    computeWith(attention, *kernel);
    const auto trace = core::computeTrace(attention.problem());
    CHECK(attention.row_status[100] == RowStatus::kNoSource);
    CHECK(attention.row_status[101] == RowStatus::kOk);
    CHECK(longError(attention, trace.value()).status);
    CHECK(longError(attention, trace.value()).z < 5e-6);
    std::fill(attention.padding.begin(), attention.padding.end(), 0);
    computeWith(attention, *kernel);
    for (std::size_t i = 0; i < 200; ++i) {
      CHECK(attention.row_status[i] == RowStatus::kNoSource);
      CHECK(attention.row_max[i] == -kInfinity);
      CHECK(attention.row_sum[i] == 0);
      CHECK(attention.z[8 * i + 7] == 0);
    }
  }
}

TEST_CASE("Before the first source, aligned to the end, a row may read nothing") {
  for (const Kernel* kernel : kernels()) {
    LongCase the = square(150, 4, true);
    the.S = 40;
    the.align = Align::kBottomRight;
    LongAttention attention(the);
    computeWith(attention, *kernel);
    CHECK(attention.row_status[109] == RowStatus::kNoSource);
    CHECK(attention.row_status[110] == RowStatus::kOk);
    CHECK(attention.row_sum[110] == doctest::Approx(1));
  }
}

TEST_CASE("What a row may not read has no part in it, whatever it is") {
  for (const Kernel* kernel : kernels()) {
    for (float strange : {kNan, kInfinity, -kInfinity}) {
      LongCase the = square(140, 20, true);
      the.padding = true;
      LongAttention attention(the);
      attention.padding.assign(140, 1);
      attention.padding[3] = 0;
      computeWith(attention, *kernel);
      const std::vector<float> before = attention.z;
      for (core::Index n = 0; n < 20; ++n) {
        attention.k(0, 3, n) = attention.v(0, 3, n) = strange;
        attention.k(0, 70, n) = attention.v(0, 70, n) = strange;
      }
      computeWith(attention, *kernel);
      CAPTURE(strange);
      double apart = 0;
      for (std::size_t n = 0; n < std::size_t{70} * 20; ++n) apart = std::fmax(apart, std::abs(before[n] - attention.z[n]));
      CHECK(apart < 1e-6);
      CHECK(attention.row_status[69] == RowStatus::kOk);
      CHECK(!std::isfinite(attention.z[std::size_t{70} * 20]));
    }
  }
}

TEST_CASE("A value that is not finite shows where its source may be read, in its own column only") {
  for (const Kernel* kernel : kernels()) {
    LongAttention attention(square(90, 20, true));
    attention.v(0, 50, 17) = kInfinity;
    computeWith(attention, *kernel);
    CHECK(attention.z[std::size_t{60} * 20 + 17] == kInfinity);
    CHECK(std::isfinite(attention.z[std::size_t{60} * 20 + 16]));
    CHECK(std::isfinite(attention.z[std::size_t{49} * 20 + 17]));
  }
}

TEST_CASE("Scores that are no numbers, or beyond all numbers, show in their row as in core's softmax") {
  for (const Kernel* kernel : kernels()) {
    CAPTURE(kernel->name);
    LongAttention attention(square(40, 4, false));
    for (core::Index n = 0; n < 4; ++n) {
      attention.q(0, 5, n) = kNan;
      attention.q(0, 6, n) = 3e38f;
      attention.q(0, 7, n) = 0;
    }
    for (core::Index j = 0; j < 40; ++j)
      for (core::Index n = 0; n < 4; ++n) attention.k(0, j, n) = j == 9 ? 2.f : 1.f;
    attention.k(0, 11, 0) = 3e38f;
    attention.q(0, 8, 0) = -3e38f, attention.q(0, 8, 1) = attention.q(0, 8, 2) = attention.q(0, 8, 3) = 0;
    computeWith(attention, *kernel);
    CHECK(std::isnan(attention.row_max[5]));
    CHECK(std::isnan(attention.row_sum[5]));
    CHECK(std::isnan(attention.z[5 * 4]));
    CHECK(attention.row_max[6] == kInfinity);
    CHECK(std::isnan(attention.row_sum[6]));
    CHECK(std::isnan(attention.z[6 * 4]));
    CHECK(attention.row_max[7] == 0);
    CHECK(attention.row_sum[7] == doctest::Approx(40));
    CHECK(std::isfinite(attention.z[8 * 4]));  // −∞ beside numbers is a weight of 0
    for (core::Index j = 0; j < 40; ++j)
      for (core::Index n = 0; n < 4; ++n) attention.k(0, j, n) = n == 0 ? 3e38f : 0.f;
    attention.q(0, 8, 0) = -3e38f;
    computeWith(attention, *kernel);
    CHECK(attention.row_status[8] == RowStatus::kNoSource);
    CHECK(attention.row_max[8] == -kInfinity);
    CHECK(attention.z[8 * 4] == 0);
  }
}

TEST_CASE("Huge scores that are numbers leave the largest alone, and their row is finite") {
  for (const Kernel* kernel : kernels()) {
    LongCase the = square(70, 1, false);
    the.scale = 1;
    LongAttention attention(the);
    for (core::Index j = 0; j < 70; ++j) {
      attention.q(0, j, 0) = j % 2 ? 1e30f : -1e30f;
      attention.k(0, j, 0) = static_cast<float>(j + 1);
    }
    computeWith(attention, *kernel);
    CHECK(attention.row_max[1] == doctest::Approx(7e31));
    CHECK(attention.row_sum[1] == doctest::Approx(1));
    CHECK(attention.z[1] == doctest::Approx(attention.v(0, 69, 0)));
    CHECK(attention.z[0] == doctest::Approx(attention.v(0, 0, 0)));
  }
}

TEST_CASE("A sink above all scores takes all the weight, and one far below none") {
  for (const Kernel* kernel : kernels()) {
    LongCase the = square(30, 4, false);
    the.sink = true;
    LongAttention attention(the);
    attention.sink = {1000};
    computeWith(attention, *kernel);
    CHECK(attention.z[0] == 0);
    attention.sink = {-1000};
    computeWith(attention, *kernel);
    the.sink = false;
    LongAttention without(the);
    computeWith(without, *kernel);
    CHECK(attention.z == without.z);
  }
}

TEST_CASE("Weights computed again from the largest score and the sum add up to 1") {
  LongCase the = square(300, 64, true);
  the.scale = 4;  // scores to about 150
  LongAttention attention(the);
  const auto trace = core::computeTrace(attention.problem());
  for (const Kernel* kernel : kernels()) {
    computeWith(attention, *kernel);
    for (core::Index i = 0; i < 300; ++i) {
      double sum = 0;
      for (core::Index j = 0; j <= i; ++j)
        sum += std::exp(trace.value().heads[0].masked(i, j) - attention.row_max[static_cast<std::size_t>(i)]);
      CHECK(sum / attention.row_sum[static_cast<std::size_t>(i)] == doctest::Approx(1).epsilon(2e-5));
    }
  }
}

TEST_CASE("The sum of a row is relative to its largest score as that is given, rounded to a float") {
  for (const Kernel* kernel : kernels()) {
    LongCase the = square(1, 1, false);
    the.scale = std::log(2.0);  // so that scores are whole numbers for the kernel, and exact
    LongAttention attention(the);
    attention.q(0, 0, 0) = 1;
    for (float score = 90; score < 110; ++score) {
      attention.k(0, 0, 0) = score;
      computeWith(attention, *kernel);
      const double weight = std::exp(static_cast<double>(score) * std::log(2.0) - attention.row_max[0]) / attention.row_sum[0];
      CHECK(std::abs(weight - 1) < 4e-7);
    }
  }
}

TEST_CASE("Over many tiles nothing drifts") {
  for (const Kernel* kernel : kernels()) {
    LongCase the = square(1, 1, false);
    the.S = 100000;
    LongAttention attention(the);
    attention.q(0, 0, 0) = 0;
    for (core::Index j = 0; j < the.S; ++j) attention.v(0, j, 0) = j < the.S / 2 ? 1.f : 0.f;
    computeWith(attention, *kernel);
    CHECK(attention.row_sum[0] / 100000 == doctest::Approx(1).epsilon(5e-6));
    CHECK(attention.z[0] == doctest::Approx(0.5).epsilon(5e-6));
  }
}

}  // namespace attn::core::streaming
