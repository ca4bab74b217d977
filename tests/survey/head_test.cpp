// One head of opened files: every number as the file has it, computed where it has none, and the document for a walk.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/rng.h"
#include "core/trace.h"
#include "lesson/example.h"
#include "support/opened_pages.h"

namespace {

using namespace attn;
using core::Index;
using core::Matrix;
using lesson::Grid;
using lesson::Plot;
using lesson::Table;
using survey::Slot;
using test::numbered;

using Arrays = std::vector<io::NamedArray>;
using Texts = std::vector<std::string>;

io::NamedArray stacked(const std::string& name, const std::vector<Matrix<double>>& heads) {
  std::vector<double> values;
  for (const Matrix<double>& head : heads) values.insert(values.end(), head.data(), head.data() + head.size());
  return numbered(name, {1, heads.size(), std::uint64_t(heads[0].rows()), std::uint64_t(heads[0].cols())}, values);
}
io::NamedArray one(const std::string& name, const Matrix<double>& matrix) {
  return numbered(name, {std::uint64_t(matrix.rows()), std::uint64_t(matrix.cols())}, {matrix.data(), matrix.data() + matrix.size()});
}

// Two heads of T destinations and S sources, and what the core makes of them.
struct Layer {
  Layer(std::uint64_t seed, Index T, Index S, bool causal, std::size_t key_heads = 2) {
    core::Rng rng(seed);
    core::Problem<double> problem;
    problem.T = T, problem.S = S, problem.cross = T != S;
    for (int h = 0; h < 2; ++h) problem.q.push_back(rng.normalMatrix(T, 4));
    for (std::size_t h = 0; h < key_heads; ++h) problem.k.push_back(rng.normalMatrix(S, 4)), problem.v.push_back(rng.normalMatrix(S, 3));
    problem.mask = core::plainMask(causal);
    problem.mask.align = core::Align::kBottomRight;
    q = problem.q, k = problem.k, v = problem.v;
    const auto trace = core::computeTrace(problem);
    REQUIRE_MESSAGE(trace.ok(), (trace ? "" : trace.error().message));
    for (const auto& head : trace.value().heads) weights.push_back(head.softmax.weights), z.push_back(head.z);
  }
  Arrays vectors() const { return {stacked("q", q), stacked("k", k), stacked("v", v)}; }
  Arrays all() const {
    Arrays arrays = vectors();
    arrays.push_back(stacked("weights", weights));
    return arrays;
  }
  std::vector<Matrix<double>> q, k, v, weights, z;
};

struct HeadPages : test::OpenPages {
  explicit HeadPages(const Arrays& arrays) { open(Slot::kMain, "mine.npz", arrays); }
  lesson::Page head(lesson::Settings settings = {}) {
    settings.insert(settings.begin(), {"part", "head"});
    return page(settings);
  }
};

// What the audit says of the head.
Texts findingsOf(const lesson::Page& page) {
  Texts found;
  for (const lesson::Block& block : page.blocks) {
    const auto* words = std::get_if<lesson::Words>(&block.content);
    if (words && words->text.rfind("Found: ", 0) == 0) found.push_back(words->text);
  }
  return found;
}

Matrix<double> matrixOf(const Grid* grid) {
  REQUIRE(grid);
  return Eigen::Map<const Matrix<double>>(grid->values.data(), grid->rows, grid->columns);
}
double difference(const Matrix<double>& a, const Matrix<double>& b) {
  REQUIRE(a.rows() == b.rows());
  REQUIRE(a.cols() == b.cols());
  return (a - b).cwiseAbs().maxCoeff();
}

lesson::Example walkOf(const lesson::Page& page) {
  REQUIRE_FALSE(page.document.empty());
  core::Result<lesson::Example> example = lesson::parseExample(page.document, "walk");
  REQUIRE_MESSAGE(example.ok(), (example ? "" : example.error().message));
  return example.take();
}
Matrix<double> weightsOf(const lesson::Example& example) {
  const auto trace = core::computeTrace(example.problem);
  REQUIRE_MESSAGE(trace.ok(), (trace ? "" : trace.error().message));
  return trace.value().heads[0].softmax.weights;
}

}  // namespace

TEST_CASE("exported weights are drawn bit for bit, and a row is read out") {
  const Matrix<double> weights = (Matrix<double>(3, 3) << 1, 0, 0, 0.25, 0.75, 0, 0.1, 0.2, 0.7).finished();
  HeadPages open({one("weights", weights), {"tokens", {3}, Texts{"the", "cat", "sat"}}});
  const lesson::Page page = open.head({{"row", "2"}});
  const Grid* grid = test::figureOf<Grid>(page, "Weights");
  CHECK(difference(matrixOf(grid), weights) == 0);
  CHECK(grid->map);
  CHECK(grid->row_labels == Texts{"0 the", "1 cat", "2 sat"});
  CHECK(test::numberOf(page, "sum") == doctest::Approx(1));
  CHECK(test::numberOf(page, "entropy") == doctest::Approx(-0.1 * std::log(0.1) - 0.2 * std::log(0.2) - 0.7 * std::log(0.7)));
  const Table* top = test::figureOf<Table>(page, "Most read");
  REQUIRE(top);
  CHECK(top->rows == std::vector<Texts>{{"2", "`sat`", "0.700000"}, {"1", "`cat`", "0.200000"}, {"0", "`the`", "0.100000"}});
  CHECK(page.says == "Layer 0, head 0: destination 2 “sat” gives most of its weight, 0.7000, to source 2 “sat”.");
  CHECK(test::says(page, "the files must have its queries, keys and values too"));
  CHECK(page.document.empty());
}

TEST_CASE("a row that sums to 1.111 is flagged as 1/0.9, one after dropout that sums to 1 is not, and neither is changed") {
  const Matrix<double> weights = (Matrix<double>(2, 3) << 0.625, 0.375, 0, 1 / 0.9 / 2, 1 / 0.9 / 4, 1 / 0.9 / 4).finished();
  HeadPages open({one("weights", weights)});
  const lesson::Page page = open.head({{"row", "1"}});
  CHECK(difference(matrixOf(test::figureOf<Grid>(page, "Weights")), weights) == 0);
  CHECK(test::numberOf(page, "sum") == doctest::Approx(1 / 0.9));
  CHECK(test::says(page, "Its weights sum to 1.111111. Since they are no shares of 1"));
  const Texts flagged = findingsOf(page);
  REQUIRE(flagged.size() == 1);
  CHECK(flagged[0].find("1 row of 2") != std::string::npos);
  CHECK(test::falseClaims(page).empty());  // what is true is not marked as false
  CHECK(flagged[0].find("1.11111 = 1/0.9") != std::string::npos);
  CHECK(test::says(open.head({{"row", "0"}}), "Its weights sum to 1.000000. Spread"));
}

TEST_CASE("a long head is shown in blocks that keep its sums, with exact numbers around the chosen row") {
  const Layer layer(5, 200, 200, true);
  HeadPages open({stacked("weights", layer.weights)});
  const lesson::Page page = open.head({{"head", "1"}, {"row", "150"}, {"from", "100"}});
  const Matrix<double> blocks = matrixOf(test::figureOf<Grid>(page, "in blocks"));
  CHECK(blocks.rows() == 128);
  CHECK(blocks.cols() == 128);
  CHECK(blocks.row(100).sum() == doctest::Approx(1));
  const Grid* window = test::figureOf<Grid>(page, "The numbers of");
  REQUIRE(window);
  CHECK(window->title == "The numbers of destinations 134–165, sources 100–131");
  CHECK(difference(matrixOf(window), layer.weights[1].block(134, 100, 32, 32)) == 0);
  const Plot* bars = test::figureOf<Plot>(page, "Its weight");
  REQUIRE(bars);
  CHECK(bars->series[0].y.size() == 128);
  double sum = 0;
  for (const double each : bars->series[0].y) sum += each;
  CHECK(sum == doctest::Approx(1));
  CHECK(test::figureOf<Table>(page, "Most read")->rows.size() == 10);
}

TEST_CASE("the window stays within the head at its ends") {
  const Layer layer(5, 40, 40, false);
  HeadPages open({stacked("weights", layer.weights)});
  CHECK(test::figureOf<Grid>(open.head({{"row", "39"}, {"from", "39"}}), "destinations 8–39, sources 8–39"));
  CHECK(test::figureOf<Grid>(open.head({{"row", "0"}}), "destinations 0–31, sources 0–31"));
}

TEST_CASE("of scores alone the weights are their softmax, where −∞ is not read") {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const Matrix<double> scores = (Matrix<double>(2, 2) << 3, -kInf, std::log(3.0), 0).finished();
  HeadPages open({one("scores", scores)});
  const Matrix<double> wanted = (Matrix<double>(2, 2) << 1, 0, 0.75, 0.25).finished();
  const lesson::Page page = open.head();
  CHECK(difference(matrixOf(test::figureOf<Grid>(page, "Weights")), wanted) < 1e-15);
  CHECK(test::says(page, "the softmax of the scores in `scores`"));
}

TEST_CASE("of queries and keys the weights are computed under the rule, and the page says so") {
  const Layer causal(7, 5, 5, true), open_layer(7, 5, 5, false);
  HeadPages open(causal.vectors());
  const lesson::Page page = open.head({{"head", "1"}});
  CHECK(difference(matrixOf(test::figureOf<Grid>(page, "Weights")), causal.weights[1]) < 1e-14);
  CHECK(test::says(page, "There are no weights: these are softmax(q·k/√d_k) of `q` and `k`, under a causal mask"));
  CHECK(difference(matrixOf(test::figureOf<Grid>(open.head({{"rule", "none"}}), "Weights")), open_layer.weights[0]) < 1e-14);
}

TEST_CASE("an exported bias is added to the scores that are computed") {
  Layer layer(8, 3, 3, false);
  const Matrix<double> bias = (Matrix<double>(3, 3) << 0, 1, 0, 0, 0, 2, 0, 0, 0).finished();
  Arrays arrays = layer.vectors();
  arrays.push_back(one("bias", bias));
  HeadPages open(arrays);
  const Matrix<double> weights = matrixOf(test::figureOf<Grid>(open.head({{"rule", "none"}}), "Weights"));
  // A bias of 1 multiplies the odds by e.
  CHECK(weights(0, 1) / weights(0, 0) == doctest::Approx(std::exp(1.0) * layer.weights[0](0, 1) / layer.weights[0](0, 0)));
  CHECK(difference(weightsOf(walkOf(open.head({{"rule", "none"}, {"walk", "1"}}))), weights) < 1e-14);
}

TEST_CASE("heads that share keys and values read those of their group") {
  const Layer layer(9, 4, 4, false, 1);
  HeadPages open(layer.vectors());
  const lesson::Page page = open.head({{"head", "1"}, {"rule", "none"}});
  CHECK(difference(matrixOf(test::figureOf<Grid>(page, "Weights")), layer.weights[1]) < 1e-14);
  CHECK(difference(test::matrixOf(page, "z"), layer.z[1].row(0)) < 1e-14);
}

TEST_CASE("exported weights are compared with what queries and keys give") {
  Layer layer(11, 6, 6, true);
  HeadPages same(layer.all());
  CHECK(test::numberOf(same.head(), "difference") < 1e-14);
  CHECK(test::numberOf(same.head({{"rule", "none"}}), "difference") > 0.1);
  layer.weights[0](4, 2) += 0.125;
  HeadPages off(layer.all());
  CHECK(test::numberOf(off.head(), "difference") == doctest::Approx(0.125));
  CHECK(test::says(off.head(), "(destination 4, source 2)"));
}

TEST_CASE("with values a row says what it mixes, and how far the exported z is from it") {
  Layer layer(13, 4, 4, false);
  Arrays arrays = layer.all();
  layer.z[0](3, 1) += 0.5;
  arrays.push_back(stacked("z", layer.z));
  HeadPages open(arrays);
  const lesson::Page page = open.head({{"row", "3"}});
  CHECK(test::numberOf(page, "z_difference") == doctest::Approx(0.5));
  CHECK(test::numberOf(open.head({{"row", "2"}}), "z_difference") < 1e-14);
  const Table* top = test::figureOf<Table>(page, "Most read");
  REQUIRE(top->columns.size() == 5);
  const Index most = std::stoi(top->rows[0][0]);
  CHECK(std::stod(top->rows[0][3]) == doctest::Approx(layer.v[0].row(most).norm()).epsilon(1e-3));
}

TEST_CASE("a walk through a whole head is a document whose weights are the exported ones") {
  for (const bool causal : {false, true}) {
    const Layer layer(17, 6, 6, causal);
    Arrays arrays = layer.all();
    arrays.push_back({"tokens", {6}, Texts{"a", "b", "c", "d", "e", "f"}});
    HeadPages open(arrays);
    const lesson::Example example = walkOf(open.head({{"head", "1"}, {"walk", "1"}, {"rule", causal ? "causal" : "none"}}));
    CHECK(difference(weightsOf(example), layer.weights[1]) < 1e-14);
    CHECK(example.problem.q[0] == layer.q[1]);
    CHECK(example.title == "mine.npz · layer 0, head 1");
    CHECK(example.tokens == Texts{"a", "b", "c", "d", "e", "f"});
    CHECK_FALSE(example.problem.cross);
  }
}

TEST_CASE("unless it is said otherwise, what is computed has the mask that the weights show, and a walk warns of other weights") {
  for (const bool causal : {true, false}) {
    HeadPages layer(Layer(17, 6, 6, causal).all());
    const lesson::Page page = layer.head({{"walk", "1"}});
    CHECK(test::numberOf(page, "difference") < 1e-12);
    CHECK_FALSE(test::says(page, "not those of the file"));
    const lesson::Page other = layer.head({{"rule", causal ? "none" : "causal"}});
    CHECK(test::says(other, "they are not those of the file, from which they differ by at most "));
  }
}

TEST_CASE("a walk through a long head takes 64 destinations and all sources that they may read") {
  for (const bool causal : {false, true}) {
    const Layer layer(19, 100, 110, causal);
    HeadPages open(layer.all());
    const lesson::Page page = open.head({{"row", "80"}, {"walk", "1"}, {"rule", causal ? "causal" : "none"}});
    CHECK(page.moment == "row=63");
    const lesson::Example example = walkOf(page);
    const Index sources = causal ? 91 : 110;
    CHECK(example.problem.T == 64);
    CHECK(example.problem.S == sources);
    CHECK(difference(weightsOf(example), layer.weights[0].block(17, 0, 64, sources)) < 1e-14);
    CHECK(example.tokens.front() == "17");
    CHECK(example.sources.back() == std::to_string(sources - 1));
    CHECK(example.title == "mine.npz · layer 0, head 0, rows 17–80");
    CHECK(test::says(page, "It takes destinations 17–80"));
  }
}

TEST_CASE("a walk through the beginning of a long causal head is self-attention") {
  const Layer layer(23, 90, 90, true);
  HeadPages open(layer.all());
  const lesson::Example example = walkOf(open.head({{"row", "3"}, {"walk", "1"}}));
  CHECK(example.problem.T == 64);
  CHECK_FALSE(example.problem.cross);
  CHECK(difference(weightsOf(example), layer.weights[0].topLeftCorner(64, 64)) < 1e-14);
}

TEST_CASE("tokens of weights that are shorter than the queries do not name these") {
  const Layer layer(41, 5, 5, true);
  Arrays arrays = layer.vectors();
  arrays.push_back(one("weights", Matrix<double>::Identity(3, 3)));
  arrays.push_back({"tokens", {3}, Texts{"a", "b", "c"}});
  HeadPages open(arrays);
  const lesson::Page page = open.head({{"walk", "1"}});
  CHECK(test::says(page, "`weights` (3×3) and `q` (1×2×5×4) do not have the same number of positions"));
  CHECK(walkOf(page).tokens == Texts{"0", "1", "2", "3", "4"});
}

TEST_CASE("what cannot be walked through says why") {
  Layer layer(29, 4, 4, true);
  layer.q[0](1, 1) = std::numeric_limits<double>::quiet_NaN();
  HeadPages broken(layer.vectors());
  const lesson::Page page = broken.head({{"walk", "1"}});
  CHECK(page.document.empty());
  CHECK(test::says(page, "In q of this head there are numbers that are not finite"));
  HeadPages without({stacked("q", layer.q), stacked("k", layer.k)});
  CHECK(test::says(without.head({{"head", "1"}}), "the files must have its values too"));
}

TEST_CASE("arrays that do not fit together are named with what differs, and the page leads to where that is mended") {
  core::Rng rng(31);
  HeadPages open({one("q", rng.normalMatrix(4, 3)), one("k", rng.normalMatrix(4, 5)), one("v", rng.normalMatrix(4, 3))});
  const lesson::Page page = open.head();
  CHECK(page.says == "`q` (4×3) and `k` (4×5) do not have the same width d_k; say what their axes are, or which arrays belong together.");
  const auto* jump = std::get_if<lesson::Jump>(&page.blocks.back().content);
  REQUIRE(jump);
  CHECK(jump->values == Texts{"file"});
  HeadPages other({one("q", rng.normalMatrix(4, 3)), one("k", rng.normalMatrix(4, 3)), one("v", rng.normalMatrix(5, 3)), one("weights", Matrix<double>::Constant(4, 4, 0.25))});
  CHECK(test::says(other.head(), "`v` (5×3) and `weights` (4×4) do not have the same number of sources"));
}

TEST_CASE("values beside scores of another length are named with them") {
  HeadPages open({one("scores", Matrix<double>::Zero(3, 3)), one("v", Matrix<double>::Ones(4, 2))});
  CHECK(test::says(open.head(), "`v` (4×2) and `scores` (3×3) do not have the same number of sources"));
}

TEST_CASE("nothing of attention, and a head without cells, are sentences") {
  CHECK(test::says(HeadPages({numbered("mlp", {2, 3}, {1, 2, 3, 4, 5, 6})}).head(), "has no weights, no scores, and not both queries and keys"));
  CHECK(test::says(HeadPages({numbered("attn", {2, 0, 3}, {})}).head(), "This head has no cells: it is 0×3"));
}

TEST_CASE("one map for a layer of several heads is shown for each, and said to be one") {
  const Layer layer(37, 4, 4, false);
  Arrays arrays = layer.vectors();
  arrays.push_back(one("weights", (layer.weights[0] + layer.weights[1]) / 2));
  HeadPages open(arrays);
  const lesson::Page page = open.head({{"head", "1"}, {"rule", "none"}});
  CHECK(test::says(page, "There is one map for all heads of this layer"));
  CHECK(test::numberOf(page, "difference") > 0.01);
}

TEST_CASE("the steps of a generation are one map, and the page says so") {
  HeadPages open({numbered("attentions.0.0", {1, 1, 2, 2}, {1, 0, 0.5, 0.5}), numbered("attentions.1.0", {1, 1, 1, 3}, {0.2, 0.3, 0.5})});
  const lesson::Page page = open.head({{"row", "2"}});
  CHECK(test::says(page, "2 arrays of one layer, from `attentions.0.0` to `attentions.1.0`"));
  CHECK(matrixOf(test::figureOf<Grid>(page, "Weights"))(1, 2) == 0);
  CHECK(test::numberOf(page, "sum") == doctest::Approx(1));
  CHECK(findingsOf(page).empty());
}

TEST_CASE("a row of NaN is shown as it is, and said to read nothing") {
  Matrix<double> weights = Matrix<double>::Constant(2, 2, 0.5);
  weights.row(0).setConstant(std::numeric_limits<double>::quiet_NaN());
  HeadPages open({one("weights", weights)});
  const lesson::Page page = open.head();
  CHECK(page.says == "Layer 0, head 0: destination 0 reads nothing.");
  CHECK_FALSE(findingsOf(page).empty());
}
