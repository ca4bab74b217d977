// Before and after, side by side: what is said to have changed has, and nothing else.
#include "support/generated_documents.h"
#include "support/problems.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;
using lesson::Settings;
using Texts = std::vector<std::string>;

lesson::Page compare(const Settings& settings) { return test::pageOf("compare", settings); }

std::string causalBase() {
  Problem problem = baseCase();
  problem.mask.causal = true;
  return documentOf(problem);
}

const lesson::Table& everyArray(const lesson::Page& page) {
  for (const auto& block : page.blocks)
    if (const auto* table = std::get_if<lesson::Table>(&block.content)) return *table;
  FAIL("no table");
  std::abort();
}

std::string cellOf(const lesson::Page& page, const std::string& array, std::size_t column) {
  for (const auto& row : everyArray(page).rows)
    if (row[0] == array) return row[column];
  return "none";
}

std::vector<std::string> linksOf(const lesson::Page& page) {
  std::vector<std::string> links;
  for (const auto& block : page.blocks)
    if (const auto* jump = std::get_if<lesson::Jump>(&block.content)) links.push_back(jump->link);
  return links;
}

TEST_CASE("a value set to zero leaves the map as it was and changes the mixtures of those who read it") {  // L2
  const lesson::Page page = compare({{"edits", "v[1]=0,0"}, {"array", "z"}});
  CHECK(flagOf(page, "weights_same"));
  CHECK_FALSE(flagOf(page, "z_same"));
  CHECK(matrixOf(page, "after").row(2) == core::RowVector<double>{{1.5, 2}});
  CHECK(listOf(page, "changed_rows") == std::vector<double>{1, 2});
  CHECK(numberOf(page, "largest_change") == doctest::Approx(-8. / 3).epsilon(1e-15));
  CHECK(listOf(page, "largest_at") == std::vector<double>{1, 1});
  CHECK(textOf(page, "where") == "row 2, column 2");
  CHECK(textOf(page, "rows_changed") == "rows 2, 3");
  CHECK(textOf(compare({{"edits", "scale=3"}, {"mask", "none"}, {"array", "scaled"}}), "rows_changed") == "all 3 rows");
  CHECK(cellOf(page, "Weights", 1) == "no");
  CHECK(cellOf(page, "Values v", 2) == "2");
  CHECK(cellOf(page, "Mixture z", 1) == "yes");
}

TEST_CASE("a forbidden source changes one row, and the claims are computed") {  // L3
  const lesson::Page page = compare({{"edits", "forbid=2,1"}});
  CHECK_FALSE(flagOf(page, "weights_same"));
  CHECK(listOf(page, "changed_rows") == std::vector<double>{2});
  CHECK(numberOf(page, "changed_cells") == 3);
  CHECK((matrixOf(page, "after").row(2) - core::RowVector<double>{{1. / 3, 0, 2. / 3}}).cwiseAbs().maxCoeff() < 1e-15);
  CHECK(listOf(page, "largest_at") == std::vector<double>{2, 1});
  CHECK(falseClaims(page).size() == 3);  // weights, z and y
  CHECK(cellOf(page, "Scaled scores", 1) == "no");
  CHECK(cellOf(page, "Masked scores", 3) == "−∞");
  const auto* difference = figureOf<lesson::Grid>(page, "After − before");
  REQUIRE(difference);
  CHECK(difference->marked.size() == 3);
}

TEST_CASE("nothing edited is the same bit for bit, and the page says what to do") {
  const lesson::Page page = compare({});
  CHECK(falseClaims(page).empty());
  CHECK(says(page, "Nothing is edited yet"));
  for (const auto& row : everyArray(page).rows) CHECK(row[1] == "no");
  const lesson::Page edited = compare({{"edits", "scale=1;scale=sqrt(1/2)"}});
  CHECK_FALSE(says(edited, "Nothing is edited yet"));
}

TEST_CASE("what is pinned is compared with, with its own head") {
  const lesson::Page page = compare(
      {{"edits", "forbid=2,1"}, {"pinned_example", "three-positions"}, {"pinned_edits", "forbid=2,1"}});
  CHECK(flagOf(page, "weights_same"));
  CHECK(says(page, "what you pinned"));
  Random random(3);
  const std::string document = documentOf(randomProblem(random, 4, 6, 3, 3));
  const Settings heads = {{"example", document}, {"head", "2"}, {"pinned_example", document}, {"pinned_head", "0"}};
  CHECK_FALSE(flagOf(compare(heads), "weights_same"));
  CHECK(flagOf(compare(heads), "y_same"));
  Settings one = heads;
  one.push_back({"of_head", "1"});
  CHECK(flagOf(compare(one), "weights_same"));
  CHECK(says(compare(one), "head 1"));
}

TEST_CASE("other shapes are named, and nothing is subtracted") {
  const lesson::Page page = compare({{"pinned_example", "cat-sat-down"}});
  CHECK_FALSE(flagOf(page, "comparable"));
  CHECK(says(page, "4×4 before and 3×3 after"));
  CHECK(figureOf<lesson::Grid>(page, "Before") == nullptr);
  const lesson::Page added = compare({{"edits", "insert=1,new"}, {"array", "wq"}});
  CHECK(flagOf(added, "comparable"));
  CHECK(cellOf(added, "Weights", 1) == "not comparable");
}

TEST_CASE("an opened document is compared without a link, a built-in example with one") {
  const lesson::Page opened = compare({{"example", causalBase()}, {"edits", "v[0]=0,0"}});
  CHECK(linksOf(opened).empty());
  CHECK(flagOf(opened, "weights_same"));
  const auto links = linksOf(compare({{"edits", "v[1]=0,0"}, {"mask", "none"}}));
  REQUIRE(links.size() == 1);
  CHECK(links[0].find("ex=three-positions&mask=none&edits=v%5B1%5D%3D0%2C0&stage=weights") != std::string::npos);
}

TEST_CASE("only the array that an act enters at and those after it change") {
  Random random(5);
  Problem problem = randomProblem(random, 5, 4, 2, 1);
  const std::string document = documentOf(problem);
  const struct { std::string edit; Texts same; Texts changed; } cases[] = {
      {"x[2]=1,2,3,4", {"W_Q", "W_O"}, {"Input x", "Queries q", "Weights", "Output y"}},
      {"scores[0][1]=3", {"Queries q", "Values v"}, {"Scores", "Scaled scores", "Weights", "Mixture z"}},
      {"weights[4][0]=1", {"Scores", "Scaled scores", "Values v"}, {"Weights", "Mixture z", "Output y"}},
      {"ablate=h0", {"Weights", "Values v"}, {"Mixture z", "Heads side by side", "Output y", "Residual"}}};
  for (const auto& each : cases) {
    CAPTURE(each.edit);
    const lesson::Page page = compare({{"example", document}, {"edits", each.edit}});
    for (const std::string& array : each.same) CHECK_MESSAGE(cellOf(page, array, 1) == "no", array);
    for (const std::string& array : each.changed) CHECK_MESSAGE(cellOf(page, array, 1) == "yes", array);
  }
}

TEST_CASE("of a large map a part around the largest change is shown") {
  const lesson::Page page = compare({{"example", longDocument()}, {"edits", "forbid=400,399"}});
  CHECK(flagOf(page, "part_shown"));
  CHECK(matrixOf(page, "difference").rows() == 128);
  CHECK(matrixOf(page, "difference").cwiseAbs().maxCoeff() == std::abs(numberOf(page, "largest_change")));
  CHECK(says(page, "128 rows and 128 columns"));
}

TEST_CASE("what the page is told and cannot use is one sentence") {
  const struct { Settings settings; std::string words; } cases[] = {
      {{{"example", "nope"}}, "three-positions, cat-sat-down"},
      {{{"example", " "}}, "`example` is empty"},
      {{{"example", "{\"attnscope\": 1}"}}, "tokens"},
      {{{"edits", "forbid=9,9"}}, "“forbid=9,9”"},
      {{{"edits", "v[0]"}}, "v[0]"},
      {{{"pinned_example", "nope"}}, "nope"},
      {{{"mask", "triangle"}}, "document|none|causal"}};
  for (const auto& [settings, words] : cases) {
    const auto page = scene::run("compare", settings);
    REQUIRE_FALSE(page.ok());
    CHECK_MESSAGE(page.error().message.find(words) != std::string::npos, page.error().message);
  }
  CHECK(flagOf(compare({{"array", "nonsense"}, {"of_head", "77"}, {"head", "99"}}), "weights_same"));
}

}  // namespace
