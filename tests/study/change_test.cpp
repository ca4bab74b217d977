// What a change of the trained model does, on the pages about it, and what is measured with a head off.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "study/pages.h"
#include "support/sanitized.h"

namespace {

using namespace attn;
using lesson::Page;
using lesson::Settings;
using test::gridOf;
using test::isShown;
using test::number;
using test::pageOf;
using test::result;

}  // namespace

TEST_CASE("Switching the previous-token head off costs more than any other head of its layer but one, and is no small matter") {
  const Page page = pageOf({{"part", "change"}, {"act", "zero"}, {"layer", "0"}, {"head", "3"}, {"outcome", "loss"}});
  CHECK(number(page, "loss_after") > number(page, "loss_before") + 0.5);
  const auto& elsewhere = result<std::vector<double>>(page, "elsewhere");
  REQUIRE(elsewhere.size() == 8);
  CHECK(elsewhere[3] == doctest::Approx(number(page, "loss_after") - number(page, "loss_before")));
}

TEST_CASE("Before anything is changed the page says what can be, and shows each head as it is") {
  for (const Settings& settings : {Settings{{"part", "change"}}, Settings{{"part", "change"}, {"seen", "none"}}}) {
    const Page page = pageOf(settings);
    CHECK(page.says == "Nothing is changed yet.");
  }
  CHECK(pageOf({{"part", "change"}, {"seen", "0.3"}}).says.find("In layer 0, head 3,") == 0);
}

TEST_CASE("Nothing that stands later is changed by what is changed behind it") {
  const Settings at = {{"part", "change"}, {"act", "replace"}, {"text", "Mr. Darcy dances"}, {"source", "9"}, {"with", "Z"}};
  Settings before = at, after = at;
  before.emplace_back("at", "8");
  after.emplace_back("at", "9");
  const Page earlier = pageOf(before), later = pageOf(after);
  CHECK(number(earlier, "logit_after") == number(earlier, "logit_before"));
  CHECK(number(later, "logit_after") != number(later, "logit_before"));
}

TEST_CASE("A change in the last layer has the same effect with later patterns frozen, one before it has not") {
  const auto after = [](const char* act, const char* layer, bool frozen) {
    return number(pageOf({{"part", "change"}, {"text", "Mr. Darcy dances"}, {"act", act}, {"layer", layer}, {"head", "3"}, {"frozen", frozen ? "1" : "0"}}), "logit_after");
  };
  CHECK(after("zero", "1", true) == after("zero", "1", false));
  CHECK(after("zero", "0", true) != after("zero", "0", false));
  if (!test::kSlow) CHECK(after("mean", "0", true) != after("mean", "0", false));
}

TEST_CASE("A head patched with its own text changes nothing, and one row's mean is said to be the same everywhere") {
  const std::string text = "Emma Woodhouse, handsome, clever, and rich";
  const Page own = pageOf({{"part", "change"}, {"act", "patch"}, {"text", text}, {"other", text}});
  CHECK(number(own, "logit_after") == number(own, "logit_before"));
  if (test::kSanitized) return;  // a mean over all lines twice
  const Page pooled = pageOf({{"part", "change"}, {"act", "mean"}, {"mean_of", "lines"}});
  CHECK(pooled.says.find("the same at every position") != std::string::npos);
  const Page each = pageOf({{"part", "change"}, {"act", "mean"}, {"mean_of", "positions"}});
  CHECK(each.says.find("its mean at each position") != std::string::npos);
  CHECK(number(each, "logit_after") != number(pooled, "logit_after"));
}

TEST_CASE("Only the controls that a change needs are shown") {
  const std::pair<std::string, std::string> text = {"text", "Mr. Darcy dances"};
  const Page zero = pageOf({{"part", "change"}, text, {"act", "zero"}});
  CHECK(isShown(zero, "head"));
  CHECK_FALSE(isShown(zero, "source"));
  CHECK_FALSE(isShown(zero, "other"));
  const Page forbid = pageOf({{"part", "change"}, text, {"act", "forbid"}, {"everywhere", "1"}});
  CHECK(isShown(forbid, "source"));
  CHECK_FALSE(isShown(forbid, "head"));
  CHECK_FALSE(isShown(forbid, "frozen"));
}

TEST_CASE("A head that is looked at under a change is told with it, and leaves alone which head is changed") {
  const Settings change = {{"part", "change"}, {"act", "zero"}, {"layer", "0"}, {"head", "3"}};
  const Page effect = pageOf(change);
  const auto maps = std::find_if(effect.blocks.begin(), effect.blocks.end(), [](const auto& block) { return std::holds_alternative<lesson::Maps>(block.content); });
  REQUIRE(maps != effect.blocks.end());
  CHECK(std::get<lesson::Maps>(maps->content).keys == std::vector<std::string>{"seen"});
  CHECK(std::get<lesson::Maps>(maps->content).items[5].values == std::vector<std::string>{"1.1"});
  Settings looking = change;
  looking.emplace_back("seen", "1.1");
  const Page seen = pageOf(looking);
  CHECK(gridOf(seen).title == "Weights of layer 1, head 1, with head 0.3 set to zero");
  CHECK(seen.says.find("In layer 1, head 1, with head 0.3 set to zero, ") == 0);
  const Page plain = pageOf({{"part", "head"}, {"layer", "1"}, {"head", "1"}});
  CHECK(gridOf(plain).title == "Weights of layer 1, head 1");
  CHECK(result<core::Matrix<double>>(seen, "weights") != result<core::Matrix<double>>(plain, "weights"));
  const bool back = std::any_of(seen.blocks.begin(), seen.blocks.end(), [](const lesson::Block& block) {
    const auto* jump = std::get_if<lesson::Jump>(&block.content);
    return jump && jump->keys == std::vector<std::string>{"seen"} && jump->values == std::vector<std::string>{"none"};
  });
  CHECK(back);
  const Page unchanged = pageOf({{"part", "change"}, {"seen", "1.1"}});
  CHECK(gridOf(unchanged).title == "Weights of layer 1, head 1");
  CHECK(result<core::Matrix<double>>(unchanged, "weights") == result<core::Matrix<double>>(plain, "weights"));
}

TEST_CASE("The control head is another one of the same layer") {
  for (const char* seed : {"1", "2", "3", "4", "5", "6"}) {
    const Page page = pageOf({{"part", "lines"}, {"inputs", "text"}, {"text", "Mr. Darcy"}, {"act", "zero"}, {"layer", "0"}, {"head", "3"}, {"seed", seed}});
    const auto* words = std::get_if<lesson::Words>(&page.blocks.front().content);
    REQUIRE(words);
    const std::size_t control = words->text.find("the same is done to layer 0, head ");
    REQUIRE(control != std::string::npos);
    CHECK(words->text[control + 34] != '3');
    CHECK(words->text.find("drawn at random among the other heads of its layer") != std::string::npos);
  }
}

TEST_CASE("The scores are measured with a head off, beside a control, and the second task leads there") {
  if (test::kSlow) return;  // some hundred runs of the model
  const Page off = pageOf({{"part", "scores"}, {"inputs", "repeats"}, {"off", "1"}, {"seed", "1"}, {"layer", "0"}, {"head", "3"}});
  const Page tasks = pageOf({{"part", "tasks"}});
  CHECK(number(off, "found") == doctest::Approx(number(tasks, "repeat")));
  CHECK(number(off, "found_off") == doctest::Approx(number(tasks, "repeat_without")));
  CHECK(number(off, "loss_off") == doctest::Approx(number(tasks, "loss_without")));
  CHECK(std::abs(number(off, "found_control") - number(off, "found")) < 0.3);
  const auto& without = result<core::Matrix<double>>(off, "repeat");
  CHECK(without.maxCoeff() < number(off, "found"));
  CHECK(off.says.find("With layer 0, head 3 off: loss ") == 0);
  CHECK(off.says.find("With the control layer 0, head ") != std::string::npos);
  const bool leads = std::any_of(tasks.blocks.begin(), tasks.blocks.end(), [](const lesson::Block& block) {
    const auto* jump = std::get_if<lesson::Jump>(&block.content);
    return jump && jump->keys == std::vector<std::string>{"part", "inputs", "off", "seed"} && jump->values == std::vector<std::string>{"scores", "repeats", "1", "1"};
  });
  CHECK(leads);
}

TEST_CASE("Over the held-out lines a head is switched off beside a control, with means over all lines") {
  if (test::kSlow) return;  // 600 runs of the model
  const Page page = pageOf({{"part", "lines"}, {"act", "zero"}, {"inputs", "lines"}, {"layer", "0"}, {"head", "3"}});
  CHECK(number(page, "change") == doctest::Approx(number(page, "after") - number(page, "before")).epsilon(1e-9));
  CHECK(number(page, "change") > number(page, "control") + 0.3);  // the control is of the same layer, and not idle
  const auto tables = std::count_if(page.blocks.begin(), page.blocks.end(), [](const lesson::Block& block) {
    const auto* table = std::get_if<lesson::Table>(&block.content);
    return table && table->rows.size() == 200;
  });
  CHECK(tables == 1);
  const Page pasted = pageOf({{"part", "lines"}, {"act", "zero"}, {"inputs", "pasted"}, {"pasted", "Dear Jane,\n\n1811\nDear Emma,\n" + std::string(70, 'a')}});
  CHECK(pasted.says.find("3 pasted lines") != std::string::npos);
  const bool noted = std::any_of(pasted.blocks.begin(), pasted.blocks.end(), [](const lesson::Block& block) {
    const auto* words = std::get_if<lesson::Words>(&block.content);
    return words && words->text.find("1 line is left out; the first: line 3: The model has never seen the character “1”") == 0 &&
           words->text.find("1 line is cut: the model reads 64 characters.") != std::string::npos;
  });
  CHECK(noted);
}
