// The audit of opened files: what the page says about layers whose computation is known, and that it never says more.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "core/rng.h"
#include "support/array_files.h"
#include "support/opened_pages.h"

namespace {

using namespace attn;
using core::Index;
using core::Matrix;
using lesson::Table;
using survey::Slot;
using test::numbered;
using test::OpenPages;

constexpr Index kHeads = 2, kT = 8, kWidth = 4;

enum class Mask { kNone, kCausal };

Matrix<double> weightsOf(const Matrix<double>& q, const Matrix<double>& k, double scale, Mask mask) {
  Matrix<double> weights = q * k.transpose() * scale;
  for (Index i = 0; i < weights.rows(); ++i) {
    for (Index j = 0; j < weights.cols(); ++j)
      weights(i, j) = mask == Mask::kCausal && j > i ? 0 : std::exp(weights(i, j));
    weights.row(i) /= weights.row(i).sum();
  }
  return weights;
}

struct Layer {
  std::vector<Matrix<double>> q, k, weights;
};

Layer layer(std::uint64_t seed, double scale = 0.5, Mask mask = Mask::kCausal) {
  core::Rng rng(seed);
  Layer made;
  for (Index h = 0; h < kHeads; ++h) {
    made.q.push_back(rng.normalMatrix(kT, kWidth));
    made.k.push_back(rng.normalMatrix(kT, kWidth));
    made.weights.push_back(weightsOf(made.q.back(), made.k.back(), scale, mask));
  }
  return made;
}

io::NamedArray stacked(const std::string& name, const std::vector<Matrix<double>>& heads) {
  std::vector<double> values;
  for (const Matrix<double>& head : heads) values.insert(values.end(), head.data(), head.data() + head.size());
  return numbered(name, {1, heads.size(), static_cast<std::uint64_t>(heads[0].rows()), static_cast<std::uint64_t>(heads[0].cols())}, values);
}

lesson::Page audited(const std::vector<io::NamedArray>& arrays, lesson::Settings settings = {}) {
  OpenPages pages;
  pages.open(Slot::kMain, "mine.npz", arrays);
  settings.emplace_back("part", "audit");
  return pages.page(settings);
}

std::vector<io::NamedArray> arraysOf(const Layer& of, const std::string& number = "") {
  return {stacked("q" + number, of.q), stacked("k" + number, of.k), stacked("weights" + number, of.weights)};
}

std::vector<io::NamedArray> together(std::vector<io::NamedArray> one, const std::vector<io::NamedArray>& other) {
  one.insert(one.end(), other.begin(), other.end());
  return one;
}

std::vector<lesson::Jump> jumpsOf(const lesson::Page& page) {
  std::vector<lesson::Jump> jumps;
  for (const lesson::Block& block : page.blocks)
    if (const auto* jump = std::get_if<lesson::Jump>(&block.content)) jumps.push_back(*jump);
  return jumps;
}

const Table& tableOf(const lesson::Page& page, const char* title) {
  const auto* table = test::figureOf<Table>(page, title);
  REQUIRE(table);
  return *table;
}

constexpr const char* kVerdicts = "What the queries and keys give";

}  // namespace

TEST_CASE("layers that are what they should be are clean, and the page says with what they agree") {
  const lesson::Page one = audited(arraysOf(layer(1)));
  CHECK(one.says.find("Clean. The weights fit a causal mask: the largest difference is ") == 0);
  CHECK_FALSE(test::figureOf<Table>(one, "Findings"));
  CHECK(jumpsOf(one).empty());
  CHECK(test::numberOf(one, "findings") == 0);
  const lesson::Page two = audited(together(arraysOf(layer(1), "0"), arraysOf(layer(2), "1")));
  CHECK(two.says.find("Clean. All 2 layers fit a causal mask: the largest difference is ") == 0);
  const Table& verdicts = tableOf(two, kVerdicts);
  REQUIRE(verdicts.rows.size() == 2);
  for (std::size_t n = 0; n < 2; ++n) {
    CHECK(verdicts.rows[n][0] == std::to_string(n));
    CHECK(verdicts.rows[n][1] == "a causal mask");
    CHECK(verdicts.rows[n][2] == "yes");
    CHECK(std::stod(verdicts.rows[n][3]) <= std::stod(verdicts.rows[n][4]));
  }
}

TEST_CASE("a departure that explains the weights is a finding with its name; layers are those of the file's names too") {
  const lesson::Page page = audited(together(arraysOf(layer(1), "4"), arraysOf(layer(2, 1.0), "7")));
  CHECK(page.says == "1 finding. Each layer is explained, but not all of them by the same computation.");
  const Table& findings = tableOf(page, "Findings");
  REQUIRE(findings.rows.size() == 1);
  CHECK(findings.rows[0][0] == "1 (7 in the names)");
  CHECK(findings.rows[0][4] == "scale");
  CHECK(findings.rows[0][5].find("The weights fit a causal mask, scale 1 in the place of 1/√d_k") == 0);
  CHECK(tableOf(page, kVerdicts).rows[0][0] == "0 (4 in the names)");
}

TEST_CASE("where nothing fits the nearest computation is named with its difference and first place, and a button leads there") {
  Layer odd = layer(3);
  Matrix<double>& head = odd.weights[1];
  std::swap(head(5, 1), head(5, 2));
  const double expected = weightsOf(odd.q[1], odd.k[1], 0.5, Mask::kCausal)(5, 1);
  const double difference = std::abs(head(5, 1) - expected);
  const lesson::Page page = audited(arraysOf(odd));
  CHECK(page.says.find("1 finding. None of ") == 0);
  CHECK(page.says.find("wrong") == std::string::npos);
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", difference);
  const std::vector<std::string>& row = tableOf(page, kVerdicts).rows.at(0);
  CHECK(row[1] == "a causal mask");
  CHECK(row[2].find("no, the nearest of ") == 0);
  CHECK(row[3] == text);
  CHECK(row[5] == "head 1, row 5, column 1");
  const std::vector<std::string>& finding = tableOf(page, "Findings").rows.at(0);
  CHECK(std::vector<std::string>(finding.begin(), finding.begin() + 5) == std::vector<std::string>{"0", "1", "5", "1", "none-fits"});
  const std::vector<lesson::Jump> jumps = jumpsOf(page);
  REQUIRE(jumps.size() == 1);
  CHECK(jumps[0].label == "Look at layer 0, head 1");
  CHECK(jumps[0].keys == std::vector<std::string>{"part", "layer", "head", "row"});
  CHECK(jumps[0].values == std::vector<std::string>{"head", "0", "1", "5"});
}

TEST_CASE("computations that fit alike are all named, with what would tell them apart") {
  // Source 0 is padding, so destination 0 may read nothing: any low number in the place of −∞ leaves it the same shares.
  Layer padded = layer(4);
  for (Matrix<double>& weights : padded.weights) {
    weights.col(0).setZero();
    for (Index i = 1; i < kT; ++i) weights.row(i) /= weights.row(i).sum();
    weights.row(0).setConstant(1.0 / kT);
  }
  const lesson::Page page = audited(arraysOf(padded));
  REQUIRE(tableOf(page, kVerdicts).rows.size() > 1);
  for (const auto& row : tableOf(page, kVerdicts).rows) CHECK(row[2] == "yes");
  CHECK(page.says.find("computations alike: ") != std::string::npos);
  CHECK(test::says(page, "Several computations fit layer 0 alike. "));
  CHECK(test::says(page, "would tell them apart."));
}

TEST_CASE("weights alone are looked at for what they give away, and the page says what queries and keys would add") {
  const lesson::Page clean = audited({stacked("weights", layer(5).weights)});
  CHECK(clean.says == "Clean: nothing was found in the weights of 1 layer, looked at alone.");
  CHECK(test::says(clean, "With q and k of the same heads the weights are computed again"));
  CHECK_FALSE(test::figureOf<Table>(clean, kVerdicts));
  Layer less = layer(5);
  less.weights[1].row(6) *= 0.75;
  const lesson::Page sums = audited({stacked("weights", less.weights)});
  CHECK(sums.says == "1 finding in the weights of 1 layer, looked at alone.");
  const std::vector<std::string>& row = tableOf(sums, "Findings").rows.at(0);
  CHECK(std::vector<std::string>(row.begin(), row.begin() + 5) == std::vector<std::string>{"0", "1", "6", "–", "row-sum"});
  CHECK(row[5].find("1 row of 8 does not sum to 1, row 6 least (0.75)") != std::string::npos);
}

TEST_CASE("what is said about the mask is held against the weights") {
  const std::vector<io::NamedArray> arrays = arraysOf(layer(6, 0.5, Mask::kNone));
  CHECK(audited(arrays).says.find("Clean. The weights fit scale 1/√d_k and no mask") == 0);
  CHECK(audited(arrays, {{"claim", "none"}}).says.find("Clean. ") == 0);
  const lesson::Page page = audited(arrays, {{"claim", "causal"}});
  std::vector<std::string> codes;
  for (const auto& row : tableOf(page, "Findings").rows) codes.push_back(row[4]);
  CHECK(codes == std::vector<std::string>{"future", "mask"});
}

TEST_CASE("exchanged rows and columns, and heads in another order, are said to be that in every layer's verdict") {
  Layer turned = layer(7, 0.5, Mask::kNone), other = layer(8, 0.5, Mask::kNone);
  for (Layer* each : {&turned, &other})
    for (Matrix<double>& weights : each->weights) weights = Matrix<double>(weights.transpose());
  const lesson::Page page = audited(together(arraysOf(turned, "0"), arraysOf(other, "1")));
  CHECK(page.says.find("2 findings. With rows and columns exchanged, all 2 layers fit scale 1/√d_k and no mask: ") == 0);
  CHECK(tableOf(page, kVerdicts).rows.at(0)[2] == "yes, with rows and columns exchanged");
  Layer mixed = layer(9);
  std::swap(mixed.weights[0], mixed.weights[1]);
  const lesson::Page order = audited(arraysOf(mixed));
  CHECK(order.says == "1 finding. The heads are in another order: the weights are those of the query and key heads 1, 0.");
  CHECK(tableOf(order, kVerdicts).rows.at(0)[2] == "only with the heads in another order");
}

TEST_CASE("the sequence that is chosen is the one that is audited") {
  const Matrix<double> good = layer(1).weights[0];
  Matrix<double> bad = good;
  bad.row(3) *= 0.5;
  std::vector<double> values(good.data(), good.data() + good.size());
  values.insert(values.end(), bad.data(), bad.data() + bad.size());
  const std::vector<io::NamedArray> arrays = {numbered("weights_0", {2, 1, kT, kT}, values)};
  CHECK(test::numberOf(audited(arrays), "findings") == 0);
  CHECK(test::numberOf(audited(arrays, {{"batch", "1"}}), "findings") == 1);
}

TEST_CASE("a file with nothing to audit says what is missing and what to do") {
  CHECK(audited({numbered("loss", {3}, {1, 2, 3})}).says ==
        "mine.npz holds no attention weights, and not all of q, k, v and z (the mixed values). "
        "Say which array is what under “What is in the file”.");
  OpenPages pages;
  pages.open(Slot::kMain, "nothing.npz", std::string("PK\5\6") + std::string(18, '\0'));
  const auto asks_for_eager = [&] {
    return pages.page({{"part", "audit"}}).says.find("attn_implementation=\"eager\"") != std::string::npos;
  };
  CHECK(asks_for_eager());
  pages.open(Slot::kMain, "none.json", R"({"tokens": ["a", "b"], "attentions": [null, null]})");
  CHECK(asks_for_eager());
}

TEST_CASE("a layer without anything to audit is named, and the others are audited") {
  const lesson::Page page = audited(together(arraysOf(layer(1), "0"), {stacked("q1", layer(2).q), stacked("k1", layer(2).k)}));
  CHECK(page.says.find("Clean. The weights fit a causal mask") == 0);
  CHECK(test::says(page, "Layer 1: neither weights nor all of q, k, v and z, so nothing was audited there."));
}

TEST_CASE("an audit that is told to stop says nothing but that, and tells how far it is") {
  OpenPages pages;
  pages.open(Slot::kMain, "mine.npz", together(arraysOf(layer(1), "0"), arraysOf(layer(2), "1")));
  std::vector<double> told;
  const auto page = pages.tryPage({{"part", "audit"}}, [&](double done) { return told.push_back(done), done < 0.5; });
  REQUIRE_FALSE(page.ok());
  CHECK(page.error().message == "stopped");
  CHECK(told.front() == 0);
  CHECK(told.back() == 0.5);
}
