// The drill on shapes: right answers by formula, and what is said of wrong ones.
#include <string>

#include "core/tensor.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;
using lesson::Settings;

std::string verdict(const lesson::Page& page, std::size_t row, std::size_t column = 2) {
  for (const lesson::Block& block : page.blocks) {
    if (const auto* table = std::get_if<lesson::Table>(&block.content)) return table->rows.at(row).at(column);
  }
  return "no table";
}

std::string shape(double rows, double columns) {
  return core::shapeText(static_cast<core::Index>(rows), static_cast<core::Index>(columns));
}

TEST_CASE("the first task is the lesson's") {
  const lesson::Page page = pageOf("shapes");
  CHECK(textOf(page, "shape_x") == "5×12");
  CHECK(textOf(page, "shape_wq") == "12×3");
  CHECK(textOf(page, "shape_s") == "5×5");
  CHECK(textOf(page, "shape_a") == "5×5");
  CHECK(textOf(page, "shape_z") == "5×4");
  CHECK(numberOf(page, "answered") == 0);
}

TEST_CASE("right answers are accepted however they are written") {
  for (const char* written : {"12x3", "12 × 3", "(12, 3)", "12 by 3", "12*3", "[12 3]"}) {
    CHECK(verdict(pageOf("shapes", {{"wq", written}}), 0) == "right");
  }
  const lesson::Page all = pageOf("shapes", {{"wq", "12x3"}, {"s", "5x5"}, {"a", "5x5"}, {"z", "5x4"}});
  CHECK(flagOf(all, "all_right"));
  CHECK(flagOf(all, "revealed"));
}

TEST_CASE("a wrong answer is told what it took for what") {
  CHECK(verdict(pageOf("shapes", {{"wq", "3x12"}}), 0) == "swapped");
  CHECK(verdict(pageOf("shapes", {{"wq", "12"}}), 0) == "not a shape");
  CHECK(verdict(pageOf("shapes", {{"wq", "-12x3"}}), 0) == "not a shape");
  CHECK(verdict(pageOf("shapes", {{"wq", "99999999999999999999x3"}}), 0) == "wrong");
  const lesson::Page page = pageOf("shapes", {{"wq", "12x4"}, {"s", "5x3"}, {"z", "5x3"}});
  CHECK(verdict(page, 0, 3).find("4 is d_v, it should be d_k") != std::string::npos);
  CHECK(verdict(page, 1, 3).find("3 is d_k") != std::string::npos);
  CHECK(verdict(page, 3, 3).find("it should be d_v") != std::string::npos);
  CHECK(numberOf(page, "right") == 0);
  CHECK(numberOf(page, "answered") == 3);
}

TEST_CASE("what is no shape is no answer") {
  const lesson::Page page = pageOf("shapes", {{"wq", "nonsense"}});
  CHECK(numberOf(page, "answered") == 0);
  CHECK(verdict(page, 0) == "not a shape");
}

TEST_CASE("keys and values are made of the sequence that is read") {
  using Lines = std::vector<std::string>;
  const Lines one = resultOf<Lines>(pageOf("shapes"), "steps");
  CHECK(one.at(1) == "K = X · W_K    (5×12)(12×3) = 5×3");
  CHECK(one.at(2) == "V = X · W_V    (5×12)(12×4) = 5×4");
  const lesson::Page page = pageOf("shapes", {{"task", "7"}, {"two", "1"}});
  const std::string k = shape(numberOf(page, "sources"), numberOf(page, "d_k"));
  const Lines two = resultOf<Lines>(page, "steps");
  CHECK(two.at(1).rfind("K = X₂ · W_K", 0) == 0);
  CHECK(two.at(1).substr(two.at(1).size() - k.size()) == k);
}

TEST_CASE("random tasks follow the rules in both conventions, for one sequence and two") {
  for (int task = 2; task < 60; ++task) {
    for (const char* two : {"0", "1"}) {
      const Settings settings = {{"task", std::to_string(task)}, {"two", two}};
      Settings turned = settings;
      turned.emplace_back("convention", "columns");
      const lesson::Page page = pageOf("shapes", settings), other = pageOf("shapes", turned);
      const double T = numberOf(page, "destinations"), S = numberOf(page, "sources"), D = numberOf(page, "d_model");
      const double d_k = numberOf(page, "d_k"), d_v = numberOf(page, "d_v");
      CHECK((T == S) == (std::string(two) == "0"));
      CHECK(d_k != d_v);
      CHECK(textOf(page, "shape_wq") == shape(D, d_k));
      CHECK(textOf(page, "shape_s") == shape(T, S));
      CHECK(textOf(page, "shape_a") == shape(T, S));
      CHECK(textOf(page, "shape_z") == shape(T, d_v));
      CHECK(textOf(other, "shape_wq") == shape(d_k, D));
      CHECK(textOf(other, "shape_s") == shape(S, T));
      CHECK(textOf(other, "shape_z") == shape(d_v, T));
    }
  }
}

}  // namespace
