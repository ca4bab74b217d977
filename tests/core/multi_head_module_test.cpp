// The batched module against PyTorch's answers and one head at a time, and the numbers that lesson 6.3 prints (L9).
#include "core/multi_head_module.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "core/module_reference.h"
#include "core/statistics.h"
#include "core/trace.h"
#include "support/problems.h"
#include "support/sanitized.h"

namespace attn::core {
namespace {

using test::largestDifference;

float largestFloatDifference(const Matrix<float>& a, const Matrix<float>& b) {
  REQUIRE(a.rows() == b.rows());
  REQUIRE(a.cols() == b.cols());
  return (a - b).cwiseAbs().maxCoeff();
}

// One sequence of the module as an attention problem, head by head.
Problem<double> problemOf(const MultiHeadModule<double>& module, const Matrix<double>& x) {
  Problem<double> problem;
  problem.T = problem.S = x.rows();
  problem.x = x;
  const Index D = module.width(), d = module.headWidth();
  for (Index h = 0; h < module.heads; ++h) {
    problem.wq.push_back(module.w_qkv.middleCols(h * d, d));
    problem.wk.push_back(module.w_qkv.middleCols(D + h * d, d));
    problem.wv.push_back(module.w_qkv.middleCols(2 * D + h * d, d));
    problem.bq.push_back(module.b_qkv.segment(h * d, d));
    problem.bk.push_back(module.b_qkv.segment(D + h * d, d));
    problem.bv.push_back(module.b_qkv.segment(2 * D + h * d, d));
  }
  problem.wo = module.w_proj;
  problem.bo = module.b_proj;
  problem.mask = plainMask(true);
  return problem;
}

// The characters of the speech's opening, as the lesson counts them.
std::vector<std::string> openingOfTheSpeech() {
  std::vector<std::string> tokens;
  for (char c : std::string("ROMEO:\nBut, soft! what light")) tokens.emplace_back(1, c);
  return tokens;
}

double largestOfLastRow(std::uint64_t seed, Index head) {
  Rng rng(seed);
  const Matrix<double> x = untrainedEmbeddings(rng, openingOfTheSpeech(), 64);
  const auto run = runModule(randomModule(rng, 64, 4), {x});
  return run[0].heads[static_cast<std::size_t>(head)].softmax.weights.row(27).maxCoeff();
}

}  // namespace

TEST_CASE("The module gives what PyTorch's nn.MultiheadAttention gives, and nothing above the diagonal") {
  const auto run = runModule(referenceModule(), referenceInput());
  const auto output = referenceOutput();
  const auto weights = referenceWeights();
  REQUIRE(run.size() == 2);
  for (std::size_t b = 0; b < 2; ++b) {
    CHECK(run[b].y.rows() == 12);
    CHECK(run[b].y.cols() == 64);
    // Single precision: numbers of size 1 from two sums of 64 terms, rounded to 6e-8 each, in another order.
    CHECK(largestFloatDifference(run[b].y, output[b]) < 1e-6f);
    REQUIRE(run[b].heads.size() == 4);
    for (std::size_t h = 0; h < 4; ++h) {
      const Matrix<float>& w = run[b].heads[h].softmax.weights;
      CHECK(largestFloatDifference(w, weights[b][h]) < 1e-6f);
      for (Index i = 0; i < 12; ++i)
        for (Index j = i + 1; j < 12; ++j) CHECK(w(i, j) == 0);
    }
  }
}

TEST_CASE("The module is the attention sublayer head by head") {
  Rng rng(1);
  const MultiHeadModule<double> module = randomModule(rng, 24, 3);
  const std::vector<Matrix<double>> batch = {rng.normalMatrix(5, 24), rng.normalMatrix(9, 24)};
  const auto run = runModule(module, batch);
  for (std::size_t b = 0; b < 2; ++b) {
    const Result<Trace<double>> trace = computeTrace(problemOf(module, batch[b]));
    REQUIRE(trace.ok());
    // The trace multiplies by 1/√d where the module divides: one rounding of each score.
    CHECK(largestDifference(run[b].y, trace.value().y) < 1e-14);
    CHECK(largestDifference(run[b].merged, trace.value().concat) < 1e-14);
    for (std::size_t h = 0; h < 3; ++h)
      CHECK(largestDifference(run[b].heads[h].softmax.weights, trace.value().heads[h].softmax.weights) < 1e-14);
  }
}

TEST_CASE("A sequence does not depend on its companions in the batch") {
  Rng rng(2);
  const MultiHeadModule<double> module = randomModule(rng, 8, 2);
  const Matrix<double> a = rng.normalMatrix(4, 8), b = rng.normalMatrix(4, 8);
  CHECK(runModule(module, {a, b})[0].y == runModule(module, {a})[0].y);
}

TEST_CASE("A module of width 64 has 16,640 parameters, however many heads") {
  for (Index heads : {1, 2, 4, 8, 16}) {
    Rng rng(3);
    const MultiHeadModule<double> module = randomModule(rng, 64, heads);
    const ParameterCount count = parametersOf(module);
    CHECK(count.qkv_weights == 64 * 192);
    CHECK(count.qkv_biases == 192);
    CHECK(count.proj_weights == 64 * 64);
    CHECK(count.proj_biases == 64);
    CHECK(count.total() == 16640);
    CHECK(module.headWidth() * heads == 64);
  }
}

TEST_CASE("Splitting 64 numbers into 4 heads and merging them back loses nothing") {
  Rng rng(4);
  const Matrix<double> x = rng.normalMatrix(10, 64);
  const std::vector<Matrix<double>> heads = splitHeads(x, 4);
  REQUIRE(heads.size() == 4);
  CHECK(heads[0].rows() == 10);
  CHECK(heads[0].cols() == 16);
  CHECK(mergeHeads(heads) == x);
  for (Index h : {0, 3})
    for (Index t : {0, 9})
      for (Index i : {0, 15})
        CHECK(heads[static_cast<std::size_t>(h)](t, i) == x.data()[splitOffset(64, 4, h, t, i)]);
}

TEST_CASE("Every part of x reaches every head, since heads are split after the projection") {
  Rng rng(5);
  const MultiHeadModule<double> module = randomModule(rng, 8, 2);
  const Matrix<double> x = rng.normalMatrix(3, 8);
  const auto plain = runModule(module, {x});
  for (Index c : {0, 7}) {
    Matrix<double> changed = x;
    changed(1, c) += 1;
    const auto run = runModule(module, {changed});
    for (std::size_t h = 0; h < 2; ++h) CHECK(largestDifference(run[0].heads[h].q, plain[0].heads[h].q) > 1e-3);
  }
}

TEST_CASE("Equal tokens have equal vectors before their positions are added") {
  Rng rng(6), same(6);
  const Matrix<double> x = untrainedEmbeddings(rng, {"a", "b", "a"}, 16);
  const Matrix<double> a = same.normalMatrix(1, 16), b = same.normalMatrix(1, 16), positions = same.normalMatrix(3, 16);
  CHECK(x.row(0) == a + positions.row(0));
  CHECK(x.row(1) == b + positions.row(1));
  CHECK(x.row(2) == a + positions.row(2));
}

TEST_CASE("The largest weight of an untrained last row: the lesson's .168 lies within the spread of a thousand seeds" *
          doctest::skip(attn::test::kSlow)) {
  REQUIRE(openingOfTheSpeech().size() == 28);
  Rng even_rng(0);
  // Without inputs every key is the same bias.
  const auto even = runModule(randomModule(even_rng, 64, 4), {Matrix<double>::Zero(28, 64)});
  CHECK(std::abs(even[0].heads[0].softmax.weights.row(27).maxCoeff() - .036) <= 0.0005);
  std::vector<double> largest;
  for (std::uint64_t seed = 0; seed < 1000; ++seed) largest.push_back(largestOfLastRow(seed, 0));
  std::sort(largest.begin(), largest.end());
  INFO("5 %, median, 95 %: " << quantileOfSorted(largest, 0.05) << " " << quantileOfSorted(largest, 0.5) << " "
                             << quantileOfSorted(largest, 0.95));
  // The middle 95 %.
  CHECK(quantileOfSorted(largest, 0.025) < .168);
  CHECK(.168 < quantileOfSorted(largest, 0.975));
  CHECK(largest.front() > 1.0 / 28);
}

}  // namespace attn::core
