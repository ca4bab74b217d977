// What if each in turn: every effect against the whole computation with that edit, and the deals likewise.
#include <cmath>

#include "lesson/edits.h"
#include "support/generated_documents.h"
#include "support/problems.h"
#include "support/sanitized.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;
using lesson::Settings;
using Texts = std::vector<std::string>;

lesson::Page whatIf(const Settings& settings) { return test::pageOf("what-if", settings); }

Trace traceWith(const std::string& document, const std::string& edits) {
  auto example = lesson::parseExample(document, "");
  REQUIRE(example.ok());
  auto edited = lesson::editExample(example.take(), lesson::splitEdits(edits));
  REQUIRE_MESSAGE(edited.ok(), (edited ? "" : edited.error().message));
  return test::traceOf(edited.value().problem);
}

struct Question {
  Index row, head;
  bool of_y;
  std::string measure;
};

// With a read-out of 1, −2, 3, …
double outcome(const Trace& trace, const Question& q) {
  const Matrix& array = q.of_y ? trace.y : trace.heads[static_cast<std::size_t>(q.head)].z;
  const core::RowVector<double> row = array.row(q.row);
  if (q.measure == "coordinate") return row(1);
  double sum = 0;
  for (Index c = 0; c < row.size(); ++c) {
    const double read = (c % 2 ? -1. : 1.) * static_cast<double>(c + 1);
    sum += row(c) * (q.measure == "norm" ? row(c) : read);
  }
  return q.measure == "norm" ? std::sqrt(sum) : sum;
}

std::string readout(Index columns) {
  std::string text;
  for (Index c = 0; c < columns; ++c) text += (c ? ", " : "") + std::to_string((c % 2 ? -1 : 1) * (c + 1));
  return text;
}

void checkAgainstWhole(std::uint64_t seed) {
  CAPTURE(seed);
  Random random(seed);
  Problem problem = randomProblem(random, 5, 6, 3, seed % 2 ? 1 : 3);
  problem.mask.causal = seed % 3 != 0;
  if (seed % 4 == 0) problem.softcap = 2;
  if (seed % 4 == 1) problem.sink = {0.5};
  if (seed % 4 == 2) problem.alibi = {1, .5, .25};
  const std::string base = seed % 2 ? "weights[4][2]=0.75;v[1][0]=3" : "mean-ablate=h0;h1.scores[3][0]=2";
  const char* const measures[] = {"coordinate", "norm", "dot"};
  const Question q{static_cast<Index>(3 + seed % 2), static_cast<Index>(seed % 3), seed % 3 != 1, measures[seed % 3]};
  const std::string document = documentOf(problem);
  const Trace now = traceWith(document, base);
  const Index columns = q.of_y ? now.y.cols() : now.heads[0].z.cols();
  const lesson::Page page = whatIf({{"example", document}, {"edits", base}, {"row", std::to_string(q.row)},
                                    {"of_head", std::to_string(q.head)}, {"of", q.of_y ? "y" : "z"},
                                    {"measure", q.measure}, {"coordinate", "1"}, {"readout", readout(columns)},
                                    {"every_row", seed % 5 ? "0" : "1"}});
  CHECK(numberOf(page, "outcome_now") == outcome(now, q));
  const Texts edits = resultOf<Texts>(page, "edits_written");
  const std::vector<double> after = listOf(page, "after"), changes = listOf(page, "changes");
  CHECK(edits.size() == 2 * static_cast<std::size_t>(now.mask.allowedInRow(q.row)) + (q.of_y ? 3 : 0));
  for (std::size_t n = 0; n < edits.size(); ++n) {
    CAPTURE(edits[n]);
    CHECK(after[n] == outcome(traceWith(document, base + ";" + edits[n]), q));
    CHECK(changes[n] == (after[n] == outcome(now, q) ? 0 : after[n] - outcome(now, q)));
    const double rounding = 1e-9 * std::abs(changes[0]);  // ties keep their order
    if (n > 0) CHECK(std::abs(changes[n]) <= std::abs(changes[n - 1]) + rounding);
  }
  double sum = 0, low = kInfinity, high = -kInfinity;
  for (int deal = 1; deal <= 200; ++deal) {
    const std::string row = std::to_string(q.row), number = std::to_string(deal);
    const std::string edit = "permute=h" + std::to_string(q.head) + "," + row + "," + number;
    const double value = outcome(traceWith(document, base + ";" + edit), q);
    sum += value, low = std::min(low, value), high = std::max(high, value);
  }
  CHECK(numberOf(page, "deals_mean") == sum / 200);
  CHECK(numberOf(page, "deals_min") == low);
  CHECK(numberOf(page, "deals_max") == high);
}

TEST_CASE("every effect is that of the whole computation with its edit, bit for bit, and so is every deal") {
  for (std::uint64_t seed = 1; seed <= (test::kSlow ? 5 : 12); ++seed) checkAgainstWhole(seed);
}

TEST_CASE("the lesson's three positions: the effects on the first component of z") {
  const lesson::Page page = whatIf({{"row", "2"}});
  CHECK(numberOf(page, "outcome_now") == 1.5);
  const Texts edits = resultOf<Texts>(page, "edits_written");
  const std::vector<double> after = listOf(page, "after");
  const auto afterEdit = [&](const std::string& edit) {
    const auto at = std::find(edits.begin(), edits.end(), edit);
    REQUIRE(at != edits.end());
    return after[static_cast<std::size_t>(at - edits.begin())];
  };
  CHECK(afterEdit("forbid=2,1") == doctest::Approx(2).epsilon(1e-15));  // L3
  CHECK(afterEdit("v[1]=0,0") == 1.5);                                  // L2: its first number is 0
  CHECK(afterEdit("v[2]=0,0") == 0.5);
  CHECK(numberOf(page, "deals_min") == 1);  // 1/2 on position 2, whose first number is 0
  CHECK(numberOf(page, "deals_max") == 1.5);
}

TEST_CASE("a row with one source has nothing to deal") {
  const lesson::Page page = whatIf({{"row", "0"}});
  CHECK_FALSE(flagOf(page, "deals_vary"));
  CHECK(numberOf(page, "deals_spread") == 0);
  CHECK(says(page, "stays at"));
  const lesson::Page none = whatIf({{"row", "0"}, {"edits", "forbid=0,0"}});
  CHECK(numberOf(none, "outcome_now") == 0);
  CHECK(flagOf(none, "nothing_counts"));
}

TEST_CASE("the read-out has one number for each column, and ones where it is empty") {
  CHECK(numberOf(whatIf({{"measure", "dot"}}), "outcome_now") == 4.5);
  CHECK(numberOf(whatIf({{"measure", "dot"}, {"readout", "2, 1/3"}}), "outcome_now") == doctest::Approx(4));
  const auto few = scene::run("what-if", {{"measure", "dot"}, {"readout", "1"}});
  REQUIRE_FALSE(few.ok());
  CHECK(few.error().message == "`readout` has 1 number, and z has 2 columns; write one number for each.");
  const auto word = scene::run("what-if", {{"measure", "dot"}, {"readout", "1, two"}});
  REQUIRE_FALSE(word.ok());
  CHECK(word.error().message.find("“two”") != std::string::npos);
  CHECK(scene::run("what-if", {{"measure", "norm"}, {"readout", "1, two"}}).ok());  // not asked for
}

TEST_CASE("other deals come of another seed, the same of the same") {
  const std::string document = manyHeadsDocument();
  const lesson::Page first = whatIf({{"example", document}}), again = whatIf({{"example", document}});
  const lesson::Page other = whatIf({{"example", document}, {"seed", "1000"}});
  CHECK(numberOf(first, "deals_mean") == numberOf(again, "deals_mean"));
  CHECK(numberOf(first, "deals_mean") != numberOf(other, "deals_mean"));
  CHECK(numberOf(first, "outcome_now") == numberOf(other, "outcome_now"));
}

TEST_CASE("of many acts the largest are listed, all when asked for") {
  const std::string document = manyHeadsDocument();
  const auto rows = [&](const char* whole) {
    const lesson::Page page = whatIf({{"example", document}, {"of", "y"}, {"whole", whole}});
    const auto* table = figureOf<lesson::Table>(page, "Each in turn");
    REQUIRE(table);
    return table->rows.size();
  };
  CHECK(rows("0") == 20);
  CHECK(rows("1") == 64 + 64 + 8);
}

TEST_CASE("it says how far it is and can be stopped") {
  int asked = 0;
  const auto page = scene::run("what-if", {{"example", manyHeadsDocument()}}, [&](double done) {
    CHECK(done >= 0);
    CHECK(done <= 1);
    return ++asked < 5;
  });
  REQUIRE_FALSE(page.ok());
  CHECK(page.error().message == "stopped");
  CHECK(asked == 5);
}

}  // namespace
