// The part that compares two files: its sentences and tables against the numbers they were made of.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/number.h"
#include "core/rng.h"
#include "support/opened_pages.h"

namespace {

using namespace attn;
using lesson::Grid;
using lesson::Table;
using survey::Slot;
using test::numbered;
using test::OpenPages;
using Values = std::vector<double>;

const lesson::Settings kCompare = {{"part", "compare"}};

lesson::Page compared(const std::vector<io::NamedArray>& a, const std::vector<io::NamedArray>& b,
                      const lesson::Settings& settings = kCompare) {
  OpenPages pages;
  pages.open(Slot::kMain, "mine.npz", a);
  pages.open(Slot::kOther, "theirs.npz", b);
  return pages.page(settings);
}

Values random(std::size_t count) {
  core::Rng rng(5);
  const core::Matrix<double> matrix = rng.normalMatrix(1, static_cast<core::Index>(count));
  return {matrix.data(), matrix.data() + count};
}

}  // namespace

TEST_CASE("without a second file the page says how to open one, and asks for no pairs") {
  OpenPages pages;
  pages.open(Slot::kMain, "mine.npz", {numbered("weights", {2, 2}, {1, 0, 0.5, 0.5})});
  const lesson::Page page = pages.page(kCompare);
  CHECK(page.says == "Choose, drop or paste a second file while this part is shown: it is then compared with mine.npz.");
  CHECK(page.blocks.size() == 1);  // that sentence
  for (const lesson::Param& param : page.params)
    if (param.key == "pairs") CHECK_FALSE(param.shown);
}

TEST_CASE("files with the same numbers are said to be the same bit for bit, and only then") {
  const std::vector<io::NamedArray> a = {numbered("weights", {2, 2}, {1, 0, 0.5, 0.5})};
  CHECK(compared(a, a).says == "`weights` of mine.npz and theirs.npz is the same bit for bit.");
  const std::vector<io::NamedArray> two = {a[0], numbered("q", {1}, {3})};
  CHECK(compared(two, two).says == "2 arrays of mine.npz and theirs.npz are the same bit for bit.");
  const std::string sign = compared(a, {numbered("weights", {2, 2}, {1, -0.0, 0.5, 0.5})}).says;
  CHECK(sign == "`weights` of mine.npz and theirs.npz is the same number for number; only types, signs of 0 or kinds of NaN differ.");
}

TEST_CASE("the sentence names the largest difference and its place as the axes are understood") {
  Values a = random(2 * 3 * 3), b = a;
  b[9 + 5] += 0.5, b[2] += 0.125;
  const lesson::Page page = compared({numbered("weights", {2, 3, 3}, a)}, {numbered("weights", {2, 3, 3}, b)});
  const double largest = std::abs(a[14] - b[14]);
  CHECK(page.says == "The largest difference of mine.npz and theirs.npz is " + core::fullText(largest) +
                         ", in `weights` at head 1, query 1, key 2; 2 of its 18 numbers differ.");
  CHECK(test::numberOf(page, "largest") == largest);
  const auto* arrays = test::figureOf<Table>(page, "Arrays that both have");
  REQUIRE(arrays);
  const std::string mean = core::fullText((largest + std::abs(a[2] - b[2])) / 18);
  CHECK(arrays->rows == std::vector<std::vector<std::string>>{
                            {"`weights`", "2×3×3", "2 of 18", core::fullText(largest), "[1][1][2]", mean}});
  const auto* heads = test::figureOf<Table>(page, "part by part");
  REQUIRE(heads);
  REQUIRE(heads->rows.size() == 2);
  CHECK(heads->rows[0][0] == "head 0");
  CHECK(heads->rows[0][3] == "[0][0][2]");
  CHECK(heads->rows[1][2] == core::fullText(largest));
  CHECK(heads->marked == std::vector<lesson::Index>{1});
}

TEST_CASE("the picture shows the head that differs most, first file minus second") {
  Values a(2 * 3 * 3, 0.25), b = a;
  b[9 + 5] = 0.75, b[2] = 0.375;
  const lesson::Page page = compared({numbered("weights", {2, 3, 3}, a)}, {numbered("weights", {2, 3, 3}, b)});
  const auto* grid = test::figureOf<Grid>(page, "`weights`, head 1: mine.npz − theirs.npz");
  REQUIRE(grid);
  CHECK(grid->values == Values{0, 0, 0, 0, 0, -0.5, 0, 0, 0});
  CHECK(grid->scale == lesson::GridScale::kSigned);
  CHECK(grid->map);
  CHECK(grid->note.empty());
  CHECK(grid->marked == std::vector<std::pair<lesson::Index, lesson::Index>>{{1, 2}});
}

TEST_CASE("a long head is shown in blocks, each named by its positions") {
  const std::size_t T = 300;
  Values a(T * T, 0), b = a;
  b[7 * T + 299] = -3;
  const lesson::Page page = compared({numbered("weights", {T, T}, a)}, {numbered("weights", {T, T}, b)});
  const auto* grid = test::figureOf<Grid>(page, "mine.npz − theirs.npz");
  REQUIRE(grid);
  CHECK(grid->rows == 100);
  CHECK(grid->note.find("a block of 3×3 numbers") != std::string::npos);
  CHECK(grid->values[2 * 100 + 99] == 3);
  CHECK(grid->row_labels[2] == "6–8");
  CHECK(grid->column_labels[99] == "297–299");
  CHECK(grid->marked == std::vector<std::pair<lesson::Index, lesson::Index>>{{2, 99}});
}

TEST_CASE("a number beside NaN is said to be an infinite difference") {
  const lesson::Page page = compared({numbered("x", {2}, {1, 2})}, {numbered("x", {2}, {1, std::nan("")})});
  CHECK(page.says.find("is infinite, because NaN or infinity stands beside a number, in `x` at [1]; 1 of its 2 numbers differs.") !=
        std::string::npos);
}

TEST_CASE("shapes that differ are not compared, and what one file alone has is listed") {
  const lesson::Page page = compared({numbered("w", {2}, {1, 2}), numbered("x", {1}, {1}), numbered("q", {1}, {1})},
                                     {numbered("w", {3}, {1, 2, 3}), numbered("x", {1}, {1}), numbered("k", {2}, {1, 1})});
  CHECK(page.says == "`x` of mine.npz and theirs.npz is the same bit for bit. 1 pair cannot be compared; the table says why.");
  const auto* arrays = test::figureOf<Table>(page, "Arrays that both have");
  REQUIRE(arrays);
  CHECK(arrays->rows[0] == std::vector<std::string>{"`w`", "2 and 3", "not compared: the shapes differ", "–", "–", "–"});
  const auto* alone = test::figureOf<Table>(page, "On one side only");
  REQUIRE(alone);
  CHECK(alone->rows == std::vector<std::vector<std::string>>{{"`q`", "mine.npz", "1"}, {"`k`", "theirs.npz", "2"}});
}

TEST_CASE("given pairs are compared beside those of one name; unknown ones are refused with what there is") {
  const std::vector<io::NamedArray> a = {numbered("w", {1}, {1}), numbered("x", {1}, {1})};
  const std::vector<io::NamedArray> b = {numbered("weights", {1}, {4}), numbered("x", {1}, {1})};
  CHECK(compared(a, b, {{"part", "compare"}, {"pairs", " w = weights ,"}}).says.find("is 3, in `w` and `weights` at [0]; 1 of its 1") !=
        std::string::npos);
  OpenPages pages;
  pages.open(Slot::kMain, "mine.npz", a);
  pages.open(Slot::kOther, "theirs.npz", b);
  const auto refusal = [&](const std::string& pairs) {
    const auto page = pages.tryPage({{"part", "compare"}, {"pairs", pairs}});
    REQUIRE_FALSE(page.ok());
    return page.error().message;
  };
  CHECK(refusal("w=attn") == "theirs.npz has no array attn; its arrays are weights, x.");
  CHECK(refusal("v=x") == "mine.npz has no array v; its arrays are w, x.");
  CHECK(refusal("w") == "“w” names no pair; write an array of mine.npz, =, and one of theirs.npz, such as weights=attn.");
}

TEST_CASE("files without a common name say so and list what each has") {
  const lesson::Page page = compared({numbered("q", {1}, {1}), numbered("k", {1}, {1})}, {numbered("w", {1}, {1})});
  CHECK(page.says == "No array of mine.npz has the name of one in theirs.npz; name those that belong together as pairs.");
  const auto* alone = test::figureOf<Table>(page, "On one side only");
  REQUIRE(alone);
  CHECK(alone->rows.size() == 3);
}

TEST_CASE("of very many parts those that differ most are listed, in their order") {
  const std::size_t parts = 300;
  Values a(parts, 0), b(parts, 0);
  for (std::size_t n = 0; n < parts; ++n) b[n] = n < 40 ? 0.5 : 1;
  const lesson::Page page = compared({numbered("x", {parts, 1, 1}, a)}, {numbered("x", {parts, 1, 1}, b)});
  const auto* heads = test::figureOf<Table>(page, "part by part");
  REQUIRE(heads);
  CHECK(heads->rows.size() == 256);
  CHECK(heads->note == "The 256 of 300 that differ most.");
  std::size_t halves = 0;
  for (const auto& row : heads->rows) halves += row[2] == "0.5";
  CHECK(halves == 0);
}

TEST_CASE("a comparison that is told to stop says nothing but that") {
  OpenPages pages;
  pages.open(Slot::kMain, "mine.npz", {numbered("x", {1}, {1})});
  pages.open(Slot::kOther, "theirs.npz", {numbered("x", {1}, {2})});
  double told = -1;
  const auto page = pages.tryPage(kCompare, [&](double done) { return told = done, done < 1; });
  REQUIRE_FALSE(page.ok());
  CHECK(page.error().message == "stopped");
  CHECK(told == 1);
}
