// All heads of opened files: every number against one computed here, what is not read yet, and what cannot be.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/head_scores.h"
#include "core/number.h"
#include "core/rng.h"
#include "lesson/page_json.h"
#include "support/opened_pages.h"

namespace {

using namespace attn;
using core::Index;
using core::Matrix;
using lesson::Maps;
using lesson::Table;
using survey::Slot;
using test::numbered;
using test::OpenPages;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Matrix<double> causalHead(std::uint64_t seed, Index T) {
  core::Rng rng(seed);
  Matrix<double> weights = rng.normalMatrix(T, T).array().exp();
  for (Index i = 0; i < T; ++i) {
    weights.row(i).tail(T - i - 1).setZero();
    weights.row(i) /= weights.row(i).sum();
  }
  return weights;
}

io::NamedArray stacked(const std::string& name, const std::vector<Matrix<double>>& heads) {
  std::vector<double> values;
  for (const Matrix<double>& head : heads) values.insert(values.end(), head.data(), head.data() + head.size());
  return numbered(name, {1, heads.size(), std::uint64_t(heads[0].rows()), std::uint64_t(heads[0].cols())}, values);
}

std::vector<Matrix<double>> layer(std::uint64_t seed, int heads, Index T) {
  std::vector<Matrix<double>> all;
  for (int h = 0; h < heads; ++h) all.push_back(causalHead(seed * 100 + std::uint64_t(h), T));
  return all;
}

struct HeadPages : OpenPages {
  explicit HeadPages(const std::vector<io::NamedArray>& arrays) { open(Slot::kMain, "mine.npz", arrays); }

  lesson::Page heads(lesson::Settings settings = {}) {
    settings.insert(settings.begin(), {"part", "heads"});
    return page(settings);
  }
  // When nothing is left to read.
  lesson::Page all(const lesson::Settings& settings = {}) {
    heads(settings);
    while (files.isWanting()) files.step();
    return heads(settings);
  }
};

template <class Content>
std::vector<Content> blocksOf(const lesson::Page& page) {
  std::vector<Content> found;
  for (const lesson::Block& block : page.blocks)
    if (const auto* content = std::get_if<Content>(&block.content)) found.push_back(*content);
  return found;
}
Maps mapsOf(const lesson::Page& page) {
  REQUIRE_FALSE(blocksOf<Maps>(page).empty());
  return blocksOf<Maps>(page)[0];
}
Table numbersOf(const lesson::Page& page) {
  REQUIRE_FALSE(blocksOf<Table>(page).empty());
  return blocksOf<Table>(page).back();
}
std::string wordsOf(const lesson::Page& page) {
  std::string all;
  for (const lesson::Words& each : blocksOf<lesson::Words>(page)) all += each.text + "\n";
  return all;
}
bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

std::vector<std::string> labelsOf(const Maps& maps) {
  std::vector<std::string> all;
  for (const Maps::Item& item : maps.items) all.push_back(item.label);
  return all;
}

double shadeAt(const Maps& maps, std::size_t item, Index r, Index c) {
  const char shade = maps.items[item].shades[std::size_t(r * maps.columns + c)];
  return shade == Maps::kNoNumber ? kNaN : double(Maps::kShades.find(shade)) / double(Maps::kShades.size() - 1);
}

bool isShown(const lesson::Page& page, const std::string& key) {
  for (const lesson::Param& param : page.params)
    if (param.key == key) return param.shown;
  return false;
}

}  // namespace

TEST_CASE("before anything is read, every head has its place, and says so") {
  HeadPages pages({stacked("layer_0", layer(1, 3, 5)), stacked("layer_1", layer(2, 3, 5))});
  const lesson::Page page = pages.heads();
  const Maps maps = mapsOf(page);
  CHECK(maps.line == 3);
  CHECK(maps.rows == 5);
  REQUIRE(maps.items.size() == 6);
  CHECK(maps.items[4].label == "layer 1, head 1");
  CHECK(maps.items[4].mark == "1.1");
  CHECK(maps.items[4].note == "not read yet");
  CHECK(maps.items[4].shades.empty());
  CHECK(maps.keys == std::vector<std::string>{"part", "layer", "head"});
  CHECK(maps.items[4].values == std::vector<std::string>{"head", "1", "1"});
  CHECK(has(maps.title, "0 of 6 heads read"));
  CHECK(numbersOf(page).rows[0][2] == "not read yet");
  CHECK(pages.files.isWanting());
}

TEST_CASE("once they are read, maps and numbers are those of the weights") {
  const auto first = layer(1, 2, 5), second = layer(2, 2, 5);
  HeadPages pages({stacked("layer_0", first), stacked("layer_1", second)});
  const lesson::Page page = pages.all();
  CHECK_FALSE(pages.files.isWanting());
  const Maps maps = mapsOf(page);
  CHECK(has(maps.title, "4 heads read"));
  const Table table = numbersOf(page);
  CHECK(table.columns.size() == 8);
  for (std::size_t n = 0; n < 4; ++n) {
    CAPTURE(n);
    const Matrix<double>& weights = n < 2 ? first[n] : second[n - 2];
    for (Index i = 0; i < 5; ++i)
      for (Index j = 0; j < 5; ++j) CHECK(std::abs(shadeAt(maps, n, i, j) - weights(i, j)) <= 0.5 / 63 + 1e-9);
    const core::HeadScores scores = core::headScores(weights);
    CHECK(table.rows[n] == std::vector<std::string>{std::to_string(n / 2), std::to_string(n % 2), core::fixedText(scores.entropy, 3),
                                                    core::fixedText(scores.diagonal, 3), core::fixedText(scores.previous, 3),
                                                    core::fixedText(scores.first, 3), "–", "–"});
    CHECK(has(maps.items[n].note, "itself " + core::fixedText(scores.diagonal, 3)));
  }
}

TEST_CASE("the page is computed again whenever there is news, and counts what is read") {
  HeadPages pages({stacked("layer_0", layer(1, 2, 5)), stacked("layer_1", layer(2, 2, 5))});
  pages.heads();
  survey::HeadFacts known;
  known.failure = "it is broken.";
  const lesson::Page before = pages.heads();
  CHECK(has(mapsOf(before).title, "0 of 4"));
  CHECK(before.says == "4 heads; they are being read.");
  const bool news = pages.files.step();
  CHECK(news);
  const lesson::Page after = pages.all();
  CHECK(has(after.says, "4 heads read."));
}

TEST_CASE("heads are read in the order in which they are shown, and nothing is read twice") {
  HeadPages pages({stacked("weights", layer(1, 4, 5))});
  std::vector<std::uint64_t> order;
  std::vector<opened::Place> places = {{0, 0, 2}, {0, 0, 0}, {0, 0, 3}};
  const auto reader = [&order](const opened::Place& place) {
    order.push_back(place.head);
    return survey::HeadFacts{};
  };
  pages.files.keep("a reading", {0, 0, 0}, {});
  pages.files.wantHeads("a reading", places, reader);
  while (pages.files.isWanting()) pages.files.step();
  CHECK(order == std::vector<std::uint64_t>{2, 3});
  pages.files.wantHeads("a reading", places, reader);
  CHECK_FALSE(pages.files.isWanting());
  pages.files.wantHeads("another", places, reader);
  while (pages.files.isWanting()) pages.files.step();
  CHECK(order == std::vector<std::uint64_t>{2, 3, 2, 0, 3});
}

TEST_CASE("sorted by a number, the largest comes first and the number stands below it") {
  HeadPages pages({stacked("weights", layer(4, 6, 7))});
  const Maps maps = mapsOf(pages.all({{"sort", "previous"}}));
  CHECK(maps.line == 0);
  double last = 2;
  for (const Maps::Item& item : maps.items) {
    const auto head = std::size_t(std::stoi(item.values[2]));
    const double score = core::headScores(layer(4, 6, 7)[head]).previous;
    CHECK(score <= last);
    CHECK(item.mark == "0." + item.values[2] + ": " + core::fixedText(score, 3));
    last = score;
  }
}

TEST_CASE("heads of one number keep their order, and those that have none come last") {
  // Heads 0 and 3 read only themselves; head 1 is no weights; head 2 reads the first token as well.
  const Matrix<double> itself = Matrix<double>::Identity(3, 3);
  Matrix<double> mixed = itself;
  mixed(2, 2) = mixed(2, 0) = 0.5;
  HeadPages pages({stacked("weights", {itself, Matrix<double>::Constant(3, 3, kNaN), mixed, itself})});
  const lesson::Page page = pages.all({{"sort", "diagonal"}});
  CHECK(labelsOf(mapsOf(page)) == std::vector<std::string>{"layer 0, head 0", "layer 0, head 3", "layer 0, head 2", "layer 0, head 1"});
  CHECK(mapsOf(page).items[3].note == "no row of it is weights, 3 rows left out");
  CHECK(mapsOf(page).items[3].shades == std::string(9, Maps::kNoNumber));
  CHECK(mapsOf(page).note == "Chequered: none of these rows is weights.");
  CHECK(numbersOf(page).rows[3][3] == "–");
}

TEST_CASE("maps of many positions are blocks, and a line of the token before is still one") {
  const Index T = 100;
  Matrix<double> before = Matrix<double>::Zero(T, T);
  before(0, 0) = 1;
  for (Index i = 1; i < T; ++i) before(i, i - 1) = 1;
  HeadPages pages({stacked("weights", {before})});
  const lesson::Page page = pages.all();
  const Maps maps = mapsOf(page);
  CHECK(maps.rows == 20);  // blocks of five
  for (Index r = 0; r < 20; ++r) CHECK(shadeAt(maps, 0, r, r) > 0.78);
  CHECK(has(wordsOf(page), "a block of about 5 destinations × 5 sources"));
}

TEST_CASE("without weights they are softmax of q·k/√d_k under the rule that is chosen, shared keys included") {
  core::Rng rng(8);
  const auto vectors = [&](std::uint64_t heads) {
    std::vector<double> values;
    for (std::uint64_t n = 0; n < heads * 6 * 4; ++n) values.push_back(rng.normal());
    return values;
  };
  const std::vector<double> q = vectors(4), k = vectors(2);
  HeadPages pages({numbered("q", {1, 4, 6, 4}, q), numbered("k", {1, 2, 6, 4}, k)});
  for (const bool causal : {true, false}) {
    CAPTURE(causal);
    const lesson::Page page = pages.all({{"rule", causal ? "causal" : "none"}});
    CHECK(has(wordsOf(page), "softmax of q·k/√d_k"));
    CHECK(isShown(page, "rule"));
    const Table table = numbersOf(page);
    REQUIRE(table.rows.size() == 4);
    for (std::size_t h = 0; h < 4; ++h) {
      Matrix<double> weights = Matrix<double>::Zero(6, 6);
      for (Index i = 0; i < 6; ++i) {
        for (Index j = 0; j < (causal ? i + 1 : 6); ++j) {
          double score = 0;
          for (Index d = 0; d < 4; ++d) score += q[h * 24 + std::size_t(i * 4 + d)] * k[h / 2 * 24 + std::size_t(j * 4 + d)];
          weights(i, j) = std::exp(score / 2);
        }
        weights.row(i) /= weights.row(i).sum();
      }
      const core::HeadScores scores = core::headScores(weights);
      CHECK(table.rows[h][2] == core::fixedText(scores.entropy, 3));
      CHECK(table.rows[h][5] == core::fixedText(scores.first, 3));
    }
  }
}

TEST_CASE("tokens that repeat tell what follows them, and other tokens are another reading") {
  Matrix<double> weights = Matrix<double>::Zero(4, 4);  // a b a b: 2 and 3 read what followed 0 and 1
  weights(0, 0) = weights(1, 0) = weights(2, 1) = weights(3, 2) = 1;
  HeadPages pages({stacked("weights", {weights, Matrix<double>::Identity(4, 4)})});
  const lesson::Page named = pages.all({{"token_list", "a\nb\na\nb"}});
  CHECK(numbersOf(named).rows[0][7] == "1.000");
  CHECK(numbersOf(named).rows[1][7] == "0");
  const lesson::Page other = pages.all({{"token_list", "a\nb\nc\nd"}});
  CHECK(numbersOf(other).rows[0][7] == "–");
  CHECK(has(wordsOf(pages.all()), "Without tokens nobody can say where one repeats"));
}

TEST_CASE("the average says of how many heads it is and what it hides") {
  const Matrix<double> one = Matrix<double>::Identity(2, 2);
  Matrix<double> other = Matrix<double>::Zero(2, 2);
  other(0, 0) = other(1, 0) = 1;
  HeadPages pages({stacked("weights", {one, other})});
  CHECK(blocksOf<Maps>(pages.all()).size() == 1);
  const Maps average = blocksOf<Maps>(pages.all({{"average", "1"}})).back();
  CHECK(average.title == "Average of 2 heads: hides what single heads do");
  CHECK(average.keys.empty());
  CHECK(average.items[0].note == "2 heads read");
  CHECK(shadeAt(average, 0, 0, 0) == 1);
  CHECK(std::abs(shadeAt(average, 0, 1, 0) - 0.5) <= 0.5 / 63 + 1e-9);
  HeadPages unread({stacked("weights", {one, other})});
  const Maps none = blocksOf<Maps>(unread.heads({{"average", "1"}})).back();
  CHECK(none.title == "Average of 0 heads so far: hides what single heads do");
  CHECK(none.items[0].shades.empty());
}

TEST_CASE("of more than 1,024 heads the first of the chosen order are shown, and the page says so") {
  std::vector<double> values;
  for (int n = 0; n < 30 * 40; ++n) {
    const double part = n / 1200.0;  // how much position 1 gives to itself
    for (const double each : {1.0, 0.0, 1 - part, part}) values.push_back(each);
  }
  HeadPages pages({numbered("attentions", {30, 40, 2, 2}, values)});
  const lesson::Page by_place = pages.all();
  CHECK(mapsOf(by_place).items.size() == 1024);
  CHECK(has(wordsOf(by_place), "Shown are the first 1,024 of 1,200 heads"));
  CHECK(has(by_place.says, "1,024 heads read."));
  const lesson::Page sorted = pages.all({{"sort", "diagonal"}});
  CHECK(mapsOf(sorted).items.size() == 1024);
  CHECK(mapsOf(sorted).items[0].label == "layer 29, head 39");
  CHECK(mapsOf(sorted).items[1023].label == "layer 4, head 16");
}

TEST_CASE("where nothing is attention, one sentence says what to do") {
  HeadPages pages({numbered("embedding", {7, 3}, std::vector<double>(21, 0.5))});
  const lesson::Page page = pages.heads();
  CHECK(has(page.says, "Nothing in mine.npz is taken for weights"));
  const auto jumps = blocksOf<lesson::Jump>(page);
  REQUIRE(jumps.size() == 1);
  CHECK(jumps[0].values == std::vector<std::string>{"file"});
  CHECK_FALSE(pages.files.isWanting());
  CHECK_FALSE(isShown(page, "sort"));
}

TEST_CASE("a head that cannot be read says why, and the others are there") {
  // Layer 0 has keys of another width than its queries; layer 1 fits.
  HeadPages pages({numbered("q_0", {1, 2, 3, 4}, std::vector<double>(24, 0.5)), numbered("k_0", {1, 2, 3, 5}, std::vector<double>(30, 0.5)),
                   numbered("q_1", {1, 2, 3, 4}, std::vector<double>(24, 0.5)), numbered("k_1", {1, 2, 3, 4}, std::vector<double>(24, 0.5))});
  const lesson::Page page = pages.all();
  const Maps maps = mapsOf(page);
  REQUIRE(maps.items.size() == 4);
  CHECK(has(maps.items[0].note, "do not have the same width d_k"));
  CHECK(maps.items[0].shades.empty());
  CHECK(has(maps.items[2].note, "spread (entropy) 1.000"));
}

TEST_CASE("maps that have no cells say so") {
  HeadPages pages({numbered("weights", {1, 2, 0, 5}, {})});
  CHECK(has(pages.heads().says, "no cells: 0 destinations × 5 sources"));
}

TEST_CASE("a layer that the file counts otherwise is named as there") {
  HeadPages pages({stacked("layer_7", layer(1, 2, 3)), stacked("layer_9", layer(2, 2, 3))});
  CHECK(has(wordsOf(pages.heads()), "The files call layer 0 “7”, layer 1 “9”."));
}

TEST_CASE("a page of 144 heads is small enough to cross four times a second") {
  std::vector<Matrix<double>> heads;
  for (std::uint64_t h = 0; h < 12; ++h) heads.push_back(causalHead(h, 30));
  std::vector<io::NamedArray> layers;
  for (int l = 0; l < 12; ++l) layers.push_back(stacked("layer_" + std::to_string(l), heads));
  HeadPages pages(layers);
  CHECK(lesson::pageJson(pages.all()).size() < 160'000);
}
