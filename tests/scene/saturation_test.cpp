// Eight scores with and without their scale.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "support/sanitized.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;

TEST_CASE("the eight scores at width 512 give the lesson's weights and entropies") {  // L13
  const lesson::Page page = pageOf("saturation");
  CHECK(std::abs(numberOf(page, "largest_scaled") - .442) < .0005);
  CHECK(std::abs(numberOf(page, "entropy_scaled") - 1.480) < .0005);
  CHECK(std::abs(numberOf(page, "largest_unscaled") - 1.000) < .0005);
  CHECK(std::abs(numberOf(page, "entropy_unscaled") - 0.000) < .0005);
  CHECK(std::abs(numberOf(page, "entropy_maximum") - 2.079) < .0005);
  for (std::size_t j = 0; j < 8; ++j) {
    if (j != 4) CHECK(listOf(page, "weights_unscaled")[j] < .05);  // the lesson writes 0.0 for the other seven
  }
  CHECK(flagOf(page, "vanished_unscaled"));
  CHECK(flagOf(page, "slopes_left_scaled"));
}

TEST_CASE("the Jacobian is the slope of the weights, measured by a small step") {
  const lesson::Page page = pageOf("saturation");
  const core::Matrix<double> jacobian = matrixOf(page, "jacobian_map_scaled");
  const std::vector<double> scores = listOf(page, "raw_scores");
  const double root = numberOf(page, "root_d"), step = 1e-3;
  for (std::size_t j = 0; j < 8; ++j) {
    const auto moved = [&](double by) {
      std::string list;
      for (std::size_t i = 0; i < 8; ++i) list += (i ? "," : "") + std::to_string(scores[i] + (i == j ? by * root : 0));
      return listOf(pageOf("saturation", {{"scores", list}}), "weights_scaled");
    };
    const std::vector<double> up = moved(step), down = moved(-step);
    for (std::size_t i = 0; i < 8; ++i) {
      // A central difference errs by step² times a third derivative below 1; scores are written with six decimals: 1e-6
      // of 1e-3.
      CHECK(std::abs((up[i] - down[i]) / (2 * step) -
                     jacobian(static_cast<core::Index>(i), static_cast<core::Index>(j))) < 1e-4);
    }
  }
}

TEST_CASE("the Jacobian has rows that sum to zero, and its size falls to nothing at both ends of the divisor") {
  for (const char* temperature : {"0.3", "1", "5", "100"}) {
    const lesson::Page page = pageOf("saturation", {{"temperature", temperature}});
    for (const char* name : {"jacobian_map_unscaled", "jacobian_map_scaled"}) {
      CHECK(matrixOf(page, name).rowwise().sum().cwiseAbs().maxCoeff() < 1e-15);  // eight terms of at most 1/4
    }
  }
  CHECK(numberOf(pageOf("saturation", {{"temperature", "100"}}), "slope_through_scale") <
        numberOf(pageOf("saturation"), "slope_through_scale"));
  CHECK_FALSE(flagOf(pageOf("saturation", {{"d", "1"}}), "slopes_left_scaled"));  // √1: no scaling at all
}

TEST_CASE("temperature divides what softmax gets, as a larger scale would") {
  const std::vector<double> warm = listOf(pageOf("saturation", {{"temperature", "sqrt(512)"}}), "weights_unscaled");
  const std::vector<double> scaled = listOf(pageOf("saturation"), "weights_scaled");
  for (std::size_t j = 0; j < 8; ++j)
    CHECK(std::abs(warm[j] - scaled[j]) < 1e-15 * 8);  // ÷ √d and × 1/√d differ in rounding
}

TEST_CASE("over many draws, unscaled scores at width 512 nearly always saturate and scaled ones never do" *
          doctest::skip(attn::test::kSlow)) {
  constexpr int kSeeds = 1000;
  int saturated = 0, saturated_scaled = 0;
  double entropy = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const lesson::Page page = pageOf("saturation", {{"source", "random"}, {"seed", std::to_string(seed)}});
    saturated += numberOf(page, "largest_unscaled") > .9;
    saturated_scaled += numberOf(page, "largest_scaled") > .9;
    entropy += numberOf(page, "entropy_scaled") / kSeeds;
  }
  // The gap between the two largest of eight normal numbers of deviation 22.6 is below ln 9 = 2.2 in about one draw of
  // seven.
  CHECK(saturated > 800);
  CHECK(saturated_scaled < 5);
  // The lesson's 1.480 is one draw; the mean lies between it and ln 8.
  CHECK(entropy > 1.480);
  CHECK(entropy < std::log(8.0));
}

// What the curve of that name reads at the mark of that name, between its points in a straight line.
double readAt(const lesson::Plot& plot, const std::string& mark, const std::string& curve) {
  const auto named = [](const auto& list, const std::string& label) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const auto& each) { return each.label == label; });
    REQUIRE(found != list.end());
    return *found;
  };
  const double at = named(plot.marks, mark).at;
  const lesson::Plot::Series series = named(plot.series, curve);
  const auto next = static_cast<std::size_t>(std::lower_bound(series.x.begin(), series.x.end(), at) - series.x.begin());
  REQUIRE((next > 0 && next < series.x.size()));
  const double part = (at - series.x[next - 1]) / (series.x[next] - series.x[next - 1]);
  return series.y[next - 1] + part * (series.y[next] - series.y[next - 1]);
}

TEST_CASE("the two divisors stand in the sweep where it reads what the tables say, at every temperature") {
  for (const char* temperature : {"0.3", "1", "10", "100"}) {
    for (const char* d : {"1", "64", "4096"}) {
      const lesson::Page page = pageOf("saturation", {{"temperature", temperature}, {"source", "random"}, {"d", d}});
      for (const lesson::Block& block : page.blocks) {
        const auto* plot = std::get_if<lesson::Plot>(&block.content);
        if (!plot || !plot->log_x) continue;
        // Twenty points a decade: a straight line between two errs by less than a hundredth.
        CHECK(std::abs(readAt(*plot, "unscaled", "entropy") - numberOf(page, "entropy_unscaled")) < .01);
        CHECK(std::abs(readAt(*plot, "scaled", "entropy") - numberOf(page, "entropy_scaled")) < .01);
        CHECK(std::abs(readAt(*plot, "unscaled", "size of the Jacobian") - numberOf(page, "jacobian_unscaled")) < .01);
        CHECK(std::abs(readAt(*plot, "scaled", "size of the Jacobian") - numberOf(page, "jacobian_scaled")) < .01);
      }
    }
  }
}

TEST_CASE("a ratio of weights and a weight near 1 are not rounded to what is not so") {
  const lesson::Page near = pageOf("saturation", {{"scores", "1,1,1,1,1,1,1,2"}});
  CHECK(textOf(near, "ratio_said") == "2.72");  // e
  CHECK(textOf(pageOf("saturation"), "ratio_said") == "59874");  // e to the eleventh
  CHECK(textOf(pageOf("saturation"), "largest_unscaled_said") == "1 − 2e-5");
  CHECK(textOf(pageOf("saturation", {{"scores", "100,-100,-100,-100,-100,-100,-100,-100"}}), "largest_unscaled_said") ==
        "1 − 1e-86");  // seven times e to the −200
}

TEST_CASE("the price of dividing is the quotient that the words say") {
  for (const char* temperature : {"0.3", "1", "7"}) {
    const lesson::Page page = pageOf("saturation", {{"temperature", temperature}});
    CHECK(numberOf(page, "slope_through_scale") ==
          doctest::Approx(numberOf(page, "jacobian_scaled") / numberOf(page, "divisor")).epsilon(1e-15));
    CHECK(numberOf(page, "slope_unscaled") ==
          doctest::Approx(numberOf(page, "jacobian_unscaled") / std::atof(temperature)).epsilon(1e-15));
  }
}

}  // namespace
