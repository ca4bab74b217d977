// What is said about opened files: counts, ranges, what is missing, and what to do about it.
#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "lesson/example.h"
#include "support/array_files.h"
#include "support/opened_pages.h"

namespace {

using namespace attn;
using lesson::Jump;
using lesson::Table;
using survey::Slot;
using test::numbered;
using test::OpenPages;

using Arrays = std::vector<io::NamedArray>;

struct FilePages : OpenPages {
  explicit FilePages(const Arrays& arrays, const std::string& name = "mine.npz") { open(Slot::kMain, name, arrays); }
  lesson::Page read() {
    page({});
    while (files.isWanting()) files.step();
    return page({});
  }
};

io::NamedArray flat(const std::string& name, const std::vector<std::uint64_t>& shape, double value = 0.25) {
  std::uint64_t count = 1;
  for (const std::uint64_t length : shape) count *= length;
  return numbered(name, shape, std::vector<double>(count, value));
}

std::vector<std::string> buttonsOf(const lesson::Page& page) {
  std::vector<std::string> labels;
  for (const lesson::Block& block : page.blocks)
    if (const auto* jump = std::get_if<Jump>(&block.content)) labels.push_back(jump->label);
  return labels;
}

const std::vector<std::string>& rowOf(const Table& table, const std::string& name) {
  const auto named = [&](const auto& row) { return row[0] == "`" + name + "`"; };
  const auto found = std::find_if(table.rows.begin(), table.rows.end(), named);
  REQUIRE(found != table.rows.end());
  return *found;
}

}  // namespace

TEST_CASE("a page about files says at first what is known, and counts when it has been read") {
  constexpr double kInf = std::numeric_limits<double>::infinity(), kNaN = std::numeric_limits<double>::quiet_NaN();
  FilePages open({flat("layer10", {1, 2, 4, 4}), numbered("layer2", {1, 2, 2, 2}, {0.5, kNaN, -3, kInf, 0, 8, -kInf, kNaN})});
  const lesson::Page first = open.page({});
  REQUIRE(test::figureOf<Table>(first, "Arrays"));
  CHECK(rowOf(*test::figureOf<Table>(first, "Arrays"), "layer2")[4] == "not read yet");
  CHECK(open.files.isWanting());
  const lesson::Page page = open.read();
  const Table& table = *test::figureOf<Table>(page, "Arrays");
  CHECK(table.rows[0][0] == "`layer2`");
  CHECK(table.rows[1][0] == "`layer10`");
  const std::vector<std::string> row = rowOf(table, "layer2");
  CHECK(row[1] == "float64");
  CHECK(row[2] == "1×2×2×2");
  CHECK(row[3] == "attention weights of layer 2 (batch, head, query, key), from the shape");
  CHECK(row[4] == "−3.0000 … 8.0000");
  CHECK(row[5] == "2");
  CHECK(row[6] == "2");
  CHECK(row[7].size() == 16);
  CHECK(row[7] != rowOf(table, "layer10")[7]);
}

TEST_CASE("what is open is said in one sentence, with what it is taken for") {
  FilePages open({flat("attn_0", {2, 3, 5, 5}), flat("attn_1", {2, 3, 5, 5})});
  const lesson::Page page = open.page({});
  CHECK(page.says.find("`mine.npz`: NumPy archive, ") == 0);
  CHECK(page.says.find(", 2 arrays; taken for 2 layers × 3 heads, 2 sequences, 5 destinations × 5 sources.") != std::string::npos);
  CHECK(buttonsOf(page) == std::vector<std::string>{"All heads", "One head", "Audit"});
  CHECK(test::says(page, "export its queries, keys and values too"));
}

TEST_CASE("what is missing is named, and what helps") {
  CHECK(test::says(FilePages({flat("mlp", {3, 5})}).page({}), "Say which is which under Weights, Queries and Keys."));
  CHECK(buttonsOf(FilePages({flat("mlp", {3, 5})}).page({})).empty());
  CHECK(test::says(FilePages({flat("q", {3, 2})}).page({}), "not both queries and keys. Say which arrays these are"));
  CHECK(test::says(FilePages({flat("q", {3, 2}), flat("k", {3, 2})}).page({}), "without values no head can be walked through"));
  CHECK(test::says(FilePages({flat("attn_scores", {2, 3, 3})}).page({}), "computed as the softmax of the scores"));
}

TEST_CASE("where a model gave None for its attention, the page asks for the implementation that gives weights") {
  OpenPages open;
  open.open(Slot::kMain, "attn.json", R"({"attentions": [null, null], "tokens": ["a", "b"]})");
  CHECK(test::says(open.page({}), "No array is taken for weights, scores, queries or keys. attn.json: "));
  CHECK(test::says(open.page({}), "attn_implementation=\"eager\""));
}

TEST_CASE("a file without arrays says what to do and has no table") {
  OpenPages open;
  open.open(Slot::kMain, "nothing.npz", test::zip({}));
  const lesson::Page page = open.page({});
  CHECK(page.says.find("0 arrays.") != std::string::npos);
  CHECK(test::says(page, "attn_implementation=\"eager\""));
  CHECK_FALSE(test::figureOf<Table>(page, "Arrays"));
  CHECK_FALSE(open.files.isWanting());
}

TEST_CASE("an array that cannot be read says why, and the others are read") {
  OpenPages open;
  open.open(Slot::kMain, "odd.pt", test::arrayFile("odd.pt"));
  open.page({});
  while (open.files.isWanting()) open.files.step();
  const lesson::Page page = open.page({});
  const Table& table = *test::figureOf<Table>(page, "Arrays");
  CHECK(rowOf(table, "sparse")[4].find("sparse") != std::string::npos);
  CHECK(rowOf(table, "plain")[4] == "−50.0000 … −13.0000");
}

TEST_CASE("of more arrays than a table holds the first are listed and the others counted") {
  Arrays arrays;
  for (int n = 0; n < 305; ++n) arrays.push_back(flat("a" + std::to_string(n), {1}));
  FilePages open(arrays);
  const lesson::Page page = open.page({});
  CHECK(test::figureOf<Table>(page, "Arrays")->rows.size() == 300);
  CHECK(test::figureOf<Table>(page, "Arrays")->note.find("And 5 more arrays") != std::string::npos);
}

TEST_CASE("arrays with the names of a document open as that example") {
  FilePages open({numbered("q", {2, 2}, {1, 0, 0, 1}), numbered("k", {2, 2}, {1, 0, 0, 1}), numbered("v", {2, 2}, {1, 2, 3, 4})});
  CHECK(open.page({}).document.empty());
  CHECK(buttonsOf(open.page({})).back() == "Open as an example");
  const lesson::Page page = open.page({{"walk", "1"}});
  const auto example = lesson::parseExample(page.document, "opened");
  REQUIRE_MESSAGE(example.ok(), (example ? "" : example.error().message));
  CHECK(example.value().problem.v[0](1, 1) == 4);
}

TEST_CASE("without a file the page says what can be opened and leads to code") {
  OpenPages nothing;
  const lesson::Page page = nothing.page({});
  CHECK(page.says.find("Nothing is open yet") == 0);
  CHECK(test::says(page, ".safetensors"));
  CHECK(test::says(page, "Nothing leaves your machine"));
  REQUIRE(!buttonsOf(page).empty());
  CHECK(buttonsOf(page)[0] == "How to export from a framework");
}

TEST_CASE("an empty array is a row of the table and nothing more") {
  FilePages open({flat("attn", {2, 0, 3})});
  const lesson::Page page = open.read();
  CHECK(rowOf(*test::figureOf<Table>(page, "Arrays"), "attn")[4].empty());
}
