// Round numbers along axes.
#include <doctest/doctest.h>

#include <cmath>

#include "figure/axis.h"

using attn::figure::axisFor;
using attn::figure::PlotAxis;
using attn::figure::Tick;
using attn::figure::ticksOf;

namespace {

// 1, 2 or 5 times a power of ten.
bool isRound(double step) {
  const double mantissa = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
  for (const double round : {1.0, 2.0, 5.0, 10.0})
    if (std::abs(mantissa - round) < 1e-4) return true;  // steps of 1e-5 beside 1e6 keep 5 digits
  return false;
}

}  // namespace

TEST_CASE("even ticks are round, inside the axis, evenly apart and as many as asked for at most") {
  for (const double low : {-1234.5, -3.0, -0.013, 0.0, 0.4, 17.0, 1e6}) {
    for (const double span : {1e-4, 0.37, 1.0, 6.0, 99.0, 54321.0, 3e9}) {
      for (const int most : {2, 4, 7, 12}) {
        CAPTURE(low);
        CAPTURE(span);
        CAPTURE(most);
        const PlotAxis axis{low, low + span, false};
        const auto ticks = ticksOf(axis, most);
        CHECK(ticks.size() <= static_cast<std::size_t>(most));
        for (std::size_t i = 0; i < ticks.size(); ++i) {
          CHECK(ticks[i].value >= axis.low - span * 1e-6);
          CHECK(ticks[i].value <= axis.high + span * 1e-6);
          if (i > 1) CHECK(ticks[i].value - ticks[i - 1].value == doctest::Approx(ticks[1].value - ticks[0].value).epsilon(1e-6));
        }
        if (ticks.size() > 1) CHECK(isRound(ticks[1].value - ticks[0].value));
      }
    }
  }
}

TEST_CASE("where something is counted no tick stands between two whole numbers") {
  for (const double high : {1.0, 2.0, 3.0, 7.0, 40.0, 1000.0})
    for (const auto& tick : ticksOf({0, high, false, true}, 9)) CHECK(tick.value == std::round(tick.value));
  CHECK(ticksOf({0, 2, false, true}, 9).size() == 3);
}

TEST_CASE("ticks are written as briefly as their step allows") {
  const auto ticks = ticksOf({0, 1, false}, 6);
  REQUIRE(ticks.size() == 6);
  CHECK(ticks[0].text == "0");
  CHECK(ticks[1].text == "0.2");
  CHECK(ticks[5].text == "1.0");
  CHECK(ticksOf({0, 3e6, false}, 4).back().text == "3·10⁶");
  CHECK(ticksOf({-2, 2, false}, 5).front().text == "−2");
}

TEST_CASE("a logarithmic axis names powers of ten, and 2 and 5 between them where there is room") {
  const auto few = ticksOf({1, 1e4, true}, 6);
  for (const Tick& each : few)
    if (!each.text.empty()) CHECK(std::abs(std::log10(each.value) - std::round(std::log10(each.value))) < 1e-9);
  const auto many = ticksOf({1, 100, true}, 12);
  std::string names;
  for (const Tick& each : many) names += each.text.empty() ? "" : each.text + " ";
  CHECK(names == "1 2 5 10 20 50 100 ");
  CHECK(ticksOf({1, 1e8, true}, 9).back().text == "10⁸");
}

TEST_CASE("less than a decade has even ticks") {
  const auto ticks = ticksOf({3, 8, true}, 5);
  CHECK(ticks.size() >= 2);
  for (const Tick& each : ticks) CHECK_FALSE(each.text.empty());
}

TEST_CASE("an axis holds all that is finite, from 0 where the values nearly reach it") {
  CHECK(axisFor({0.1, 0.9}, false).low == 0);
  CHECK(axisFor({90, 100}, false).low > 80);
  const PlotAxis spread = axisFor({-3, NAN, INFINITY, 5}, false);
  CHECK(spread.low <= -3);
  CHECK(spread.high >= 5);
  CHECK(std::isfinite(spread.high));
  const PlotAxis same = axisFor({2, 2}, false);
  CHECK(same.low < 2);
  CHECK(same.high > 2);
  CHECK(axisFor({}, false).high == 1);
  const PlotAxis log = axisFor({0, -1, 4, 4000}, true);
  CHECK(log.low > 0);
  CHECK(log.low <= 4);
  CHECK(log.high >= 4000);
}

TEST_CASE("places and values of an axis are each other's inverse") {
  for (const PlotAxis& axis : {PlotAxis{-2, 7, false}, PlotAxis{0.5, 5000, true}})
    for (const double place : {0.0, 0.25, 0.5, 1.0})
      CHECK(axis.place(axis.valueAt(place)) == doctest::Approx(place).epsilon(1e-12));  // two roundings
}
