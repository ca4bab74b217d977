// Numbers as people write them, against literals and against the forms that exactText prints.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "core/number.h"

namespace {

using namespace attn;

TEST_CASE("written numbers are read") {
  struct Case { std::string text; double value; };
  const Case cases[] = {{"0.5", 0.5}, {"-3", -3}, {"−3", -3}, {"+2", 2}, {" 07 ", 7}, {".5", 0.5}, {"5.", 5}, {"1e-9", 1e-9},
                        {"1E+3", 1000}, {"1/4", 0.25}, {"3*2/4", 1.5}, {"1 / 2", 0.5}, {"sqrt(2)", std::sqrt(2.0)},
                        {"√2", std::sqrt(2.0)}, {"-2*sqrt(2)/3", -2 * std::sqrt(2.0) / 3}, {"ln(2)", std::log(2.0)},
                        {"2·ln 2", 2 * std::log(2.0)}, {"--1", 1}, {"sqrt(4/9)", std::sqrt(4.0 / 9)}, {"-0", -0.0}};
  for (const Case& each : cases) {
    CAPTURE(each.text);
    const std::optional<double> value = core::parseNumber(each.text);
    REQUIRE(value);
    CHECK(*value == each.value);  // the same operations in the same order
    CHECK(std::signbit(*value) == std::signbit(each.value));
  }
}

TEST_CASE("what is no finite number is not read") {
  for (const std::string text : {"", " ", "-", "one", "1,5", "1.2.3", "1/0", "0/0", "sqrt(-1)", "ln(0)", "ln(", "ln()", "(1)", "1e",
                           "1e999", "1/1e999", "1/ln(0)", "1/sqrt(1/0)", "0*1e999", "1e308*10/10", "inf", "nan", "0x10",
                           "1 2", "2*", "/2", "sqrt", "1)", "∞"}) {
    CAPTURE(text);
    CHECK_FALSE(core::parseNumber(text));
  }
  CHECK_FALSE(core::parseNumber(std::string(100, '(')));
  std::string nested = "1";
  for (int i = 0; i < 1000; ++i) nested = "sqrt(" + nested + ")";
  CHECK_FALSE(core::parseNumber(nested));
}

TEST_CASE("every printed number reads back") {
  for (const double value : {0.1, -2.5, 1.0 / 3, 1e300, 5e-324, 123456789.0, -std::numbers::pi}) {
    CHECK(core::parseNumber(core::fullText(value)) == value);
  }
  for (const double value : {0.75, std::sqrt(2.0), -std::sqrt(2.0) / 2, 2 * std::log(2.0), 0.75 * std::sqrt(2.0) * std::log(2.0)}) {
    const std::optional<std::string> exact = core::exactText(value);
    REQUIRE(exact);
    CAPTURE(*exact);
    REQUIRE(core::parseNumber(*exact));
    // Products in another order: a few units of the last place.
    CHECK(*core::parseNumber(*exact) == doctest::Approx(value).epsilon(1e-15));
  }
}

}  // namespace
