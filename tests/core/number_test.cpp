// Numbers in print.
#include "core/number.h"

#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "support/problems.h"

namespace attn::core {
namespace {

using test::kInfinity;
using test::Random;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kSqrt2 = std::numbers::sqrt2, kLn2 = std::numbers::ln2;

std::string exact(double value) { return exactText(value).value_or("none"); }

}  // namespace

TEST_CASE("Fixed decimals keep trailing zeros and write a true minus") {
  CHECK(fixedText(2.828, 4) == "2.8280");
  CHECK(fixedText(-0.5, 2) == "−0.50");
  CHECK(fixedText(3, 0) == "3");
  CHECK(fixedText(1234567.891, 2) == "1234567.89");
}

TEST_CASE("Zero, nearly zero, infinity and NaN all read differently") {
  CHECK(fixedText(0, 4) == "0");
  CHECK(fixedText(-0.0, 4) == "0");
  CHECK(fixedText(3e-9, 4) == "3e-9");
  CHECK(fixedText(-3.4e-9, 4) == "−3e-9");
  CHECK(fixedText(5e-324, 4) == "5e-324");
  CHECK(fixedText(kInfinity, 4) == "∞");
  CHECK(fixedText(-kInfinity, 4) == "−∞");
  CHECK(fixedText(kNaN, 4) == "NaN");
}

TEST_CASE("A number just large enough to round up is not written as nearly zero") {
  CHECK(fixedText(0.00006, 4) == "0.0001");
  CHECK(fixedText(0.00004, 4) == "4e-5");
}

TEST_CASE("Very large numbers are short") {
  CHECK(fixedText(1.23456e300, 4) == "1.2346e300");
  CHECK(fixedText(999999999, 2) == "999999999.00");
  CHECK(fixedText(1e12, 4) == "1e12");
  CHECK(fixedText(-1.25e10, 4) == "−1.25e10");
  CHECK(fixedText(-1e15, 2) == "−1e15");
}

TEST_CASE("A fixed text is exact when it reads back as the value") {
  CHECK(fixedIsExact(0.1, 1));
  CHECK(fixedIsExact(0.5, 4));
  CHECK(fixedIsExact(-2.25, 2));
  CHECK(fixedIsExact(0, 2));
  CHECK(fixedIsExact(kInfinity, 2));
  CHECK_FALSE(fixedIsExact(0.1 + 0.2, 4));
  CHECK_FALSE(fixedIsExact(1. / 3, 4));
  CHECK_FALSE(fixedIsExact(3.4e-9, 4));
}

TEST_CASE("The exact form knows fractions of 1, √2, ln 2 and √2·ln 2") {
  CHECK(exact(0) == "0");
  CHECK(exact(-0.0) == "0");
  CHECK(exact(1) == "1");
  CHECK(exact(-7) == "−7");
  CHECK(exact(1.5) == "3/2");
  CHECK(exact(-1. / 3) == "−1/3");
  CHECK(exact(0.1) == "1/10");
  CHECK(exact(63. / 64) == "63/64");
  CHECK(exact(kSqrt2) == "√2");
  CHECK(exact(-kSqrt2) == "−√2");
  CHECK(exact(2 * kSqrt2) == "2·√2");
  CHECK(exact(-kSqrt2 / 2) == "−1/2·√2");
  CHECK(exact(kLn2) == "ln 2");
  CHECK(exact(2 * kLn2) == "2·ln 2");
  CHECK(exact(kSqrt2 * kLn2) == "√2·ln 2");
  CHECK(exact(0.75 * kSqrt2 * kLn2) == "3/4·√2·ln 2");
}

TEST_CASE("The exact form allows 1e-13 relative and no more") {
  CHECK(exact(1. / 3 * (1 + 0.9e-13)) == "1/3");
  CHECK(exact(1. / 3 * (1 + 1.2e-13)) == "none");
  CHECK(exact(1e-17) == "none");
  CHECK(exact(0.8482) == "none");
  CHECK(exact(1. / 65) == "none");
  CHECK(exact(std::sqrt(3.0)) == "none");
  CHECK(exact(std::numbers::pi) == "none");
  CHECK(exact(kInfinity) == "none");
  CHECK(exact(kNaN) == "none");
}

TEST_CASE("Large whole numbers are exact, large fractions are not offered") {
  CHECK(exact(1000000) == "1000000");
  CHECK(exact(1000001) == "none");
  CHECK(exact(4096 * kSqrt2) == "4096·√2");
  CHECK(exact(4097 * kSqrt2) == "none");
  CHECK(exact(4097. / 2) == "none");
}

// About 4·1,300 exact forms fall into each unit of length near 1, each 2e-13 wide: one hit in 1e9 numbers.
TEST_CASE("Random numbers have no exact form") {
  Random random(1);
  int hits = 0;
  for (int n = 0; n < 20000; ++n) hits += exactText(10 * random.normal()) ? 1 : 0;
  CHECK(hits == 0);
}

TEST_CASE("Every number of the first worked example has an exact form") {
  const auto trace = attn::test::traceOf(attn::test::threePositions());
  for (int array = 0; array < kArrayCount; ++array) {
    const ArrayView view = arrayOf(trace, 0, static_cast<Array>(array));
    CAPTURE(arrayName(static_cast<Array>(array)));
    for (Index i = 0; i < view.rows; ++i)
      for (Index j = 0; j < view.columns; ++j)
        if (std::isfinite(view(i, j))) CHECK(exactText(view(i, j)).has_value());
  }
  CHECK(exact(trace.heads[0].scaled(2, 2)) == "2·ln 2");
  CHECK(exact(trace.heads[0].scores(2, 2)) == "2·√2·ln 2");
  CHECK(exact((*trace.residual)(2, 0)) == "5/2");
}

TEST_CASE("Full precision is the shortest decimal that reads back") {
  CHECK(fullText(0.1) == "0.1");
  CHECK(fullText(-2 * kSqrt2) == "-2.8284271247461903");
  CHECK(fullText(0.1 + 0.2) == "0.30000000000000004");
  CHECK(fullText(1000000) == "1000000");
  CHECK(fullText(120) == "120");
  CHECK(fullText(1.5e-7) == "1.5e-7");
  CHECK(fullText(0.00001) == "0.00001");
  CHECK(fullText(1e300) == "1e300");
  CHECK(fullText(0) == "0");
  CHECK(fullText(kInfinity) == "inf");
  CHECK(fullText(-kInfinity) == "-inf");
  CHECK(fullText(kNaN) == "nan");
}

TEST_CASE("Full and machine texts of any number read back as the same bits") {
  Random random(2);
  for (int n = 0; n < 2000; ++n) {
    const double value = std::ldexp(random.normal(), static_cast<int>(random.below(400)) - 200);
    CHECK(std::strtod(fullText(value).c_str(), nullptr) == value);
    CHECK(std::strtod(machineText(value).c_str(), nullptr) == value);
  }
  CHECK(machineText(0.1) == "0.10000000000000001");
  CHECK(machineText(-kInfinity) == "-inf");
}

}  // namespace attn::core
