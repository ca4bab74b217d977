// Every task of ours, solved rightly and wrongly by a computation of the test's own, and nothing told too early.
#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <string>

#include "core/number.h"
#include "lesson/example.h"
#include "lesson/page_json.h"
#include "scene/scene.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;
using lesson::Settings;
using Judgement = lesson::Verdict::Judgement;

const lesson::Verdict* verdictOf(const lesson::Page& page) {
  for (const lesson::Block& block : page.blocks)
    if (const auto* verdict = std::get_if<lesson::Verdict>(&block.content)) return verdict;
  return nullptr;
}

// The ids of tasks by their titles.
std::map<std::string, std::string> offered(const Settings& settings = {}) {
  std::map<std::string, std::string> ids;
  for (const lesson::Param& param : pageOf("task", settings).params)
    if (param.key == "task")
      for (const auto& option : param.options) ids[option.label] = option.id;
  return ids;
}

std::string jumpOf(const lesson::Page& page, std::string_view label) {
  for (const lesson::Block& block : page.blocks)
    if (const auto* jump = std::get_if<lesson::Jump>(&block.content))
      if (jump->label == label) return jump->link;
  return "none";
}

bool isShown(const lesson::Page& page, std::string_view key) {
  for (const lesson::Param& param : page.params)
    if (param.key == key) return param.shown;
  return false;
}

std::string joined(const std::vector<double>& values) {
  std::string text;
  for (const double each : values) text += (text.empty() ? "" : ", ") + core::fullText(each);
  return text;
}

// Softmax written anew.
std::vector<double> softmax(std::vector<double> scores) {
  double sum = 0;
  for (double& each : scores) sum += each = std::exp(each);
  for (double& each : scores) each /= sum;
  return scores;
}

// Of the cat that sat down, without a mask and with one.
const double kQ[4][2] = {{0, 1}, {0, 1}, {2, 0}, {2, 0.5}}, kK[4][2] = {{0, 1}, {2, 0}, {0.5, 0.5}, {0, 0.5}},
             kV[4][2] = {{1, 0}, {0, 1}, {1, 1}, {0.5, 0.5}};

std::vector<std::vector<double>> catWeights(bool causal) {
  std::vector<std::vector<double>> rows;
  for (int i = 0; i < 4; ++i) {
    std::vector<double> scores;
    for (int j = 0; j < (causal ? i + 1 : 4); ++j)
      scores.push_back((kQ[i][0] * kK[j][0] + kQ[i][1] * kK[j][1]) / std::sqrt(2.0));
    rows.push_back(softmax(scores));
    rows.back().resize(4, 0.0);
  }
  return rows;
}

std::vector<double> mixed(const std::vector<double>& weights) {
  std::vector<double> z = {0, 0};
  for (std::size_t j = 0; j < 4; ++j)
    for (std::size_t c = 0; c < 2; ++c) z[c] += weights[j] * kV[j][c];
  return z;
}

std::string printed(const std::vector<std::vector<double>>& rows) {
  std::string text = "[";
  for (const auto& row : rows) text += (text.size() > 1 ? ",\n [" : "[") + joined(row) + "]";
  return text + "]";
}

struct Solution {
  const char* title;
  const char* key;  // which control takes it
  std::string right, wrong;
};

std::vector<Solution> solutions() {
  const double l = std::log(2.0);
  std::vector<std::vector<double>> scores;
  for (int i = 0; i < 4; ++i) {
    scores.emplace_back();
    for (int j = 0; j < 4; ++j) scores.back().push_back((kQ[i][0] * kK[j][0] + kQ[i][1] * kK[j][1]) / std::sqrt(2.0));
  }
  const auto causal = catWeights(true);
  std::vector<std::vector<double>> z;
  for (const auto& row : causal) z.push_back(mixed(row));
  return {
      {"A softmax by hand", "typed", joined(softmax({l, l, 2 * l})), "1/3, 1/3, 1/3"},
      {"One source less", "typed", "1/3, 0, 2/3", "1/2, 0, 1/2"},
      {"A value of zero: the map", "choice", "same", "other"},
      {"A value of zero: the output", "typed", "3/2, 2", "2, 8/3"},
      {"Three equal values", "typed", "0", "-1/4"},
      {"No division by √2", "choice", "rises", "stays"},
      {"Zero instead of −∞", "typed", "1/4", "0"},
      {"The triangle too late", "typed", "1/5, 2/5, 0", "1/3, 2/3, 0"},
      {"A token moves", "typed", joined(mixed(catWeights(false)[3])), joined(mixed(catWeights(false)[0]))},
      {"Two heads, side by side", "typed", "2, 0, 0, 4", "1, 2, 1, 2"},
      {"What it is added to", "typed", "5/2, 4", "3/2, 3"},
      {"A claim and its control", "choice", "control2", "edits"},
      {"A uniform row", "typed", "5/8, 5/8", "1/4, 1/4"},
      {"Implement the scores", "numbers", printed(scores), printed(causal)},
      {"Implement the weights", "numbers", printed(causal), printed(catWeights(false))},
      {"Implement the output", "numbers", printed(z), "1 0 0 1 1 1 .5 .5"},
      {"From one language into another", "choice", "2", "0"},
      {"A query of zeros", "typed", "1/3", "1/2"},
  };
}

}  // namespace

TEST_CASE("every task of ours is right when it is solved, and wrong when it is not") {
  const auto ids = offered();
  const auto all = solutions();
  CHECK(all.size() == ids.size());
  for (const Solution& each : all) {
    CAPTURE(each.title);
    REQUIRE(ids.count(each.title) == 1);
    const std::string id = ids.at(each.title);
    const Settings right = {{"task", id}, {each.key, each.right}, {"reveal", "1"}};
    const Settings wrong = {{"task", id}, {each.key, each.wrong}, {"reveal", "1"}};
    const lesson::Page solved = pageOf("task", right), missed = pageOf("task", wrong);
    REQUIRE(verdictOf(solved));
    CHECK_MESSAGE(verdictOf(solved)->judgement == Judgement::kRight, verdictOf(solved)->words);
    CHECK(verdictOf(solved)->words.rfind("Right", 0) == 0);
    CHECK(flagOf(solved, "right"));
    REQUIRE(verdictOf(missed));
    CHECK_MESSAGE(verdictOf(missed)->judgement == Judgement::kWrong, verdictOf(missed)->words);
    CHECK_FALSE(flagOf(missed, "right"));
    CHECK(verdictOf(solved)->task == verdictOf(missed)->task);
    CHECK_FALSE(textOf(solved, "why").empty());
  }
}

TEST_CASE("what cannot be read is said before the answer is revealed, and blanks part numbers too") {
  const std::string id = offered().at("A value of zero: the output");
  for (const char* typed : {"hello", "1/0", "%", "1.5 two"}) {
    CAPTURE(typed);
    const lesson::Page page = pageOf("task", {{"task", id}, {"typed", typed}});
    CHECK(flagOf(page, "unreadable"));
    CHECK(page.says.find("no number that can be read") != std::string::npos);
  }
  for (const char* typed : {"1.5 2", "3/2, 2", "[1.5; 2]", " 3 / 2 , 2 ", "150%, 200 %"}) {
    CAPTURE(typed);
    CHECK_FALSE(flagOf(pageOf("task", {{"task", id}, {"typed", typed}}), "unreadable"));
    CHECK(verdictOf(pageOf("task", {{"task", id}, {"typed", typed}, {"reveal", "1"}}))->judgement == Judgement::kRight);
  }
}

TEST_CASE("nothing of the answer is in a page, its mirror or its results before it is revealed") {
  for (const auto& each : offered()) {
    const std::string& title = each.first;
    const std::string& id = each.second;
    CAPTURE(title);
    const lesson::Page before = pageOf("task", {{"task", id}});
    CHECK_FALSE(verdictOf(before));
    CHECK_FALSE(flagOf(before, "revealed"));
    for (const lesson::Outcome& result : before.results) {
      CHECK(result.name != "answer");
      CHECK(result.name != "answer_numbers");
      CHECK(result.name != "why");
    }
    const lesson::Page after = pageOf("task", {{"task", id}, {"reveal", "1"}});
    const std::string json = lesson::pageJson(before) + lesson::sceneJson(before);
    REQUIRE(verdictOf(after));
    CHECK(json.find("Computed: " + verdictOf(after)->answer) == std::string::npos);
    if (verdictOf(after)->answer.size() > 4) CHECK(json.find(verdictOf(after)->answer) == std::string::npos);
    CHECK(json.find(textOf(after, "why")) == std::string::npos);
    // What is laid out beside the question is not what is asked.
    for (const lesson::Block& block : before.blocks)
      if (const auto* grid = std::get_if<lesson::Grid>(&block.content))
        CHECK(grid->title.find("after") == std::string::npos);
  }
}

TEST_CASE("looking without a prediction is possible, and said") {
  const lesson::Page page = pageOf("task", {{"reveal", "1"}});
  REQUIRE(verdictOf(page));
  CHECK(verdictOf(page)->judgement == Judgement::kNone);
  CHECK(verdictOf(page)->words.find("No prediction") != std::string::npos);
  CHECK(verdictOf(page)->prediction.empty());
  CHECK_FALSE(flagOf(page, "right"));
}

TEST_CASE("what cannot be read reveals nothing, and the sentence says what to write") {
  struct Entry {
    const char *title, *key, *text, *says;
  };
  for (const Entry& each : {Entry{"Implement the output", "numbers", "1 2 3", "4×2 are wanted"},
                            Entry{"Implement the weights", "numbers", "1,0;0;0;0\n0,5;0,5;0;0\n0,2;0,2;0,6;0\n0,1;0,2;0,3;0,4", "decimal points"},
                            Entry{"A uniform row", "typed", "0,625 0,625", "decimal comma"},
                            Entry{"A query of zeros", "typed", "0,333", "the answer has 1. A comma parts numbers"},
                            Entry{"A uniform row", "typed", "0.625", "You wrote 1 number, and the answer has 2."},
                            Entry{"A query of zeros", "typed", "a third", "no number that can be read"}}) {
    CAPTURE(each.text);
    const lesson::Page page = pageOf("task", {{"task", offered().at(each.title)}, {each.key, each.text}, {"reveal", "1"}});
    CHECK_FALSE(verdictOf(page));
    CHECK_FALSE(flagOf(page, "revealed"));
    for (const lesson::Outcome& result : page.results) CHECK(result.name != "answer");
    CHECK_MESSAGE(page.look.find(each.says) != std::string::npos, page.look);
    CHECK(page.says.find("Nothing is revealed until it can be read") != std::string::npos);
  }
}

TEST_CASE("what came out names its task, so that another task is announced") {
  const auto ids = offered();
  CHECK(pageOf("task", {{"task", ids.at("A uniform row")}}).says.find("“A uniform row”") == 0);
  CHECK(pageOf("task", {{"task", ids.at("A token moves")}, {"reveal", "1"}}).says.find("“A token moves”") == 0);
}

TEST_CASE("a claim is held against every control, and each control has its differences") {
  const lesson::Page page = pageOf("task", {{"task", offered().at("A claim and its control")}, {"choice", "edits"}, {"reveal", "1"}});
  REQUIRE(verdictOf(page));
  CHECK(verdictOf(page)->judgement == Judgement::kWrong);
  const std::string& answer = verdictOf(page)->answer;
  CHECK_MESSAGE(answer.find("control 2; the intervention moves it by 1.0138, control 1 by") == 0, answer);
  CHECK(answer.find("and control 2 by 1.1180, each time the length of the straight line") != std::string::npos);
  CHECK(says(page, "the claim does not hold"));
  const auto* second = figureOf<lesson::Grid>(page, "in control 2 − before");
  REQUIRE(second);
  CHECK(second->values[4] == doctest::Approx(-0.5));
  CHECK(second->values[5] == doctest::Approx(-1));
}

TEST_CASE("each task shows the control that its prediction needs, and no other") {
  const auto ids = offered();
  for (const Solution& each : solutions()) {
    CAPTURE(each.title);
    const lesson::Page page = pageOf("task", {{"task", ids.at(each.title)}});
    for (const char* key : {"typed", "choice", "numbers"}) CHECK(isShown(page, key) == (std::string(key) == each.key));
    CHECK(isShown(page, "reveal"));
    CHECK(isShown(page, "note"));
  }
}

TEST_CASE("tasks of the open document come first, and are about it") {
  const std::string document =
      R"({"attnscope": 1, "title": "Mine", "tokens": ["a", "b"], "q": [[1],[2]], "k": [[3],[4]], "v": [[5],[6]],
          "tasks": [{"title": "Mine alone", "question": "Which z?", "edits": ["v[0]=6"],
                     "answer": {"kind": "vector", "of": "z", "row": 1}}]})";
  const lesson::Page page = pageOf("task", {{"example", document}});
  CHECK(textOf(page, "asked_title") == "Mine alone");
  CHECK(numberOf(page, "tasks") == numberOf(pageOf("task"), "tasks") + 1);
  const lesson::Page solved = pageOf("task", {{"example", document}, {"typed", "6"}, {"reveal", "1"}});
  REQUIRE(verdictOf(solved));
  CHECK(verdictOf(solved)->judgement == Judgement::kRight);
  CHECK(jumpOf(solved, "Carry it out on the stage").find("v=1&d=") == 0);
  CHECK(offered({{"example", document}}).at("A softmax by hand") == offered().at("A softmax by hand"));
}

TEST_CASE("before, after and their difference are laid out, and lead to the stage") {
  const auto id = offered().at("One source less");
  const lesson::Page page = pageOf("task", {{"task", id}, {"typed", "1/3,0,2/3"}, {"reveal", "1"}});
  const auto* before = figureOf<lesson::Grid>(page, "Weights before");
  const auto* after = figureOf<lesson::Grid>(page, "Weights after");
  const auto* change = figureOf<lesson::Grid>(page, "after − before");
  REQUIRE((before && after && change));
  CHECK(before->values[6] == doctest::Approx(0.25));
  CHECK(after->values[6] == doctest::Approx(1.0 / 3));
  CHECK(change->values[6] == doctest::Approx(1.0 / 12));
  CHECK(change->values[0] == 0);
  CHECK(jumpOf(page, "Carry it out on the stage") == "v=1&edits=forbid%3D2%2C1&stage=weights");
}

TEST_CASE("before and after have one colour for one number, and mark the token that is asked about where it stands") {
  const auto ids = offered();
  const lesson::Page zero = pageOf("task", {{"task", ids.at("A value of zero: the output")}, {"reveal", "1"}});
  const auto *before = figureOf<lesson::Grid>(zero, " before"), *after = figureOf<lesson::Grid>(zero, " after");
  REQUIRE((before && after));
  CHECK(before->limit == after->limit);
  CHECK(before->limit == 3);  // the largest of both
  const lesson::Page moved = pageOf("task", {{"task", ids.at("A token moves")}, {"reveal", "1"}});
  before = figureOf<lesson::Grid>(moved, " before"), after = figureOf<lesson::Grid>(moved, " after");
  REQUIRE((before && after && !before->marked.empty() && !after->marked.empty()));
  const auto label = [](const lesson::Grid& grid) { return grid.row_labels[static_cast<std::size_t>(grid.marked[0].first)]; };
  CHECK(label(*before) == label(*after));
  CHECK(before->marked[0].first != after->marked[0].first);
}

TEST_CASE("the stage shows the row that a task asks about or changes most, beside what the task begins with") {
  const auto ids = offered();
  const auto linkOf = [&](const char* title, const char* label = "Carry it out on the stage") {
    return jumpOf(pageOf("task", {{"task", ids.at(title)}, {"reveal", "1"}}), label);
  };
  CHECK(linkOf("A uniform row") == "v=1&ex=cat-sat-down&edits=uniform%3Dh0%2C2&stage=z&row=2");
  CHECK(linkOf("Implement the weights") == "v=1&ex=cat-sat-down&edits=mask%3Dcausal&stage=weights&row=0");
  CHECK(linkOf("A claim and its control", "Carry out control 2 on the stage") == "v=1&edits=forbid%3D2%2C2&stage=z");
  CHECK(linkOf("Two heads, side by side").find("&pin=v%3D1%26edits%3Dadd-head%253Dh0&stage=concat") != std::string::npos);
  CHECK(linkOf("From one language into another", "See it on the stage").find("v=1&d=") == 0);
  CHECK(linkOf("A query of zeros").find("&edits=q%5B0%5D%3D0%2C0&stage=weights&row=0") != std::string::npos);
}

TEST_CASE("components are counted as the example counts its positions, in tables and in words") {
  const auto ids = offered();
  for (const char* title : {"A uniform row", "A value of zero: the output"}) {
    const lesson::Page page = pageOf("task", {{"task", ids.at(title)}});
    const auto* v = figureOf<lesson::Grid>(page, "v");
    REQUIRE(v);
    const bool from_one = std::string(title) == "A value of zero: the output";
    CHECK(v->column_labels == (from_one ? std::vector<std::string>{"1", "2"} : std::vector<std::string>{"0", "1"}));
  }
}
