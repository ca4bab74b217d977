// What an update is added to.
#include <cmath>

#include "support/problems.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;
using core::Index;
using lesson::Settings;

TEST_CASE("the worked example adds to [5/2, 4]") {  // L1
  const lesson::Page page = pageOf("residual");
  Matrix y(3, 2), sum(3, 2);
  y << 2, 0, 2. / 3, 8. / 3, 1.5, 3;
  sum << 3, 0, 2. / 3, 11. / 3, 2.5, 4;
  CHECK((matrixOf(page, "y") - y).cwiseAbs().maxCoeff() < 1e-15 * 4);  // √2·ln 2 is rounded once, numbers are below 4
  CHECK((matrixOf(page, "sum") - sum).cwiseAbs().maxCoeff() < 1e-15 * 4);
  CHECK(page.says.find("[5/2, 4]") != std::string::npos);
}

TEST_CASE("the pre-normalised block adds to the state, and its input has mean 0 and variance 1") {
  const lesson::Page page = pageOf("residual");
  const Matrix state = matrixOf(page, "state_r"), x = matrixOf(page, "normalised"),
                       y = matrixOf(page, "update");
  CHECK(matrixOf(page, "right") == state + y);
  CHECK(matrixOf(page, "wrong") == x + y);
  for (Index i = 0; i < 3; ++i) {
    CHECK(std::abs(x.row(i).mean()) < 1e-12);  // four numbers below 2
    CHECK(std::abs(x.row(i).squaredNorm() / 4 - 1) < 1e-5);  // eps 1e-5 over variances above 1
  }
  CHECK_FALSE(flagOf(page, "wrong_agrees"));
}

TEST_CASE("the size and the mean of the state reach the right sum and not the wrong one") {
  for (const char* size : {"0.5", "2", "20"}) {
    for (const char* offset : {"-5", "1"}) {
      const lesson::Page page = pageOf("residual", {{"size", size}, {"offset", offset}});
      CHECK(flagOf(page, "update_stays"));
      CHECK_FALSE(flagOf(page, "wrong_notices"));
      CHECK(numberOf(page, "right_change") > .5);
    }
  }
}

TEST_CASE("what the wrong sum has lost is the state without its normalised copy") {
  const lesson::Page page = pageOf("residual");
  const Matrix expected = matrixOf(page, "state_r") - matrixOf(page, "normalised");
  CHECK((matrixOf(page, "lost") - expected).cwiseAbs().maxCoeff() < 1e-14);  // Y added and taken away again
}

TEST_CASE("a state that hardly varies is told that its update has changed") {
  const Settings flat = {{"row_a", "0.001,0,0,0"}, {"row_b", "0.001,0,0,0"}, {"row_c", "0.001,0,0,0"}, {"size", "20"}};
  const lesson::Page page = pageOf("residual", flat);
  CHECK_FALSE(flagOf(page, "update_stays"));
  CHECK(says(page, "vary so little"));
  const lesson::Page constant = pageOf("residual", {{"row_a", "1,1,1,1"}, {"row_b", "1,1,1,1"}, {"row_c", "1,1,1,1"}});
  CHECK(flagOf(constant, "constant_row"));
  CHECK(says(constant, "nothing to stretch"));
  CHECK(matrixOf(constant, "normalised").isZero(0));
  CHECK_FALSE(says(pageOf("residual"), "nothing to stretch"));
}

TEST_CASE("over layers the wrong sum forgets the length of the first state") {
  const lesson::Page small = pageOf("residual", {{"size", "1"}}), large = pageOf("residual", {{"size", "20"}});
  const std::vector<double> small_wrong = listOf(small, "length_wrong"), large_wrong = listOf(large, "length_wrong");
  const std::vector<double> small_right = listOf(small, "length_right"), large_right = listOf(large, "length_right");
  CHECK(large_wrong[0] == doctest::Approx(20 * small_wrong[0]).epsilon(1e-12));  // one multiplication
  CHECK(std::abs(large_wrong[1] - small_wrong[1]) < 1e-4);                       // what eps leaves
  CHECK(large_right[1] > 10 * small_right[1]);
}

}  // namespace
