// What the core refuses, and in which words.
#include "core/trace.h"

#include <doctest/doctest.h>

#include <functional>

#include "support/problems.h"

namespace attn::core {
namespace {

using test::kInfinity;
using test::Random;
using test::randomProblem;
using test::vector;
using Real = Matrix<double>;
using Given = Problem<double>;

std::string refusal(const Given& p) {
  const Check check = checkProblem(p);
  return check ? check->message : "accepted";
}

// Five tokens of width 4, two heads, everything that fits.
Given good() {
  Random random(30);
  return randomProblem(random, 5, 4, 2, 2);
}

std::string refusalAfter(const std::function<void(Given&)>& change) {
  Given p = good();
  change(p);
  return refusal(p);
}

Given cross() {
  Given p = good();
  p.cross = true;
  p.S = 3;
  p.x_sources = Real::Ones(3, 4);
  return p;
}

}  // namespace

TEST_CASE("What fits is accepted") {
  CHECK(refusal(good()) == "accepted");
  CHECK(refusal(cross()) == "accepted");
  CHECK(refusal(attn::test::threePositions()) == "accepted");
  CHECK(refusal(attn::test::catSatDown()) == "accepted");
}

TEST_CASE("A missing token or source is named first") {
  CHECK(refusalAfter([](Given& p) { p.T = p.S = 0; }) == "tokens: the list is empty, give at least one token");
  Given p = cross();
  p.S = 0;
  CHECK(refusal(p) == "sources: the list is empty, give at least one source token");
}

TEST_CASE("A shape that does not fit names the field, both shapes and the axis") {
  CHECK(refusalAfter([](Given& p) { p.x = Real::Ones(4, 4); }) ==
        "x: 4×4 does not fit 5 tokens: x needs 5 rows, one per token (T)");
  CHECK(refusalAfter([](Given& p) { p.wq[1] = Real::Ones(3, 4); }) ==
        "wq[1]: 3×4 does not fit x 5×4: wq[1] needs 4 rows, one per column of x (D)");
  CHECK(refusalAfter([](Given& p) { p.wk[0] = Real::Ones(4, 3); p.bk.clear(); }) ==
        "wk[0]: 4×3 does not fit wq[0] 4×4: wk[0] needs 4 columns, as many as the queries have (d_k)");
  CHECK(refusalAfter([](Given& p) { p.bv[1] = vector({1, 2}); }) ==
        "bv[1]: 1×2 does not fit wv[1] 4×4: bv[1] needs 4 columns, one per column of wv[1]");
  CHECK(refusalAfter([](Given& p) { p.wo = Real::Ones(4, 4); }) ==
        "wo: 4×4 does not fit concat 5×8: wo needs 8 rows, one per column of concat (Σd_v)");
  CHECK(refusalAfter([](Given& p) { p.bo = vector({1}); }) ==
        "bo: 1×1 does not fit y 5×4: bo needs 4 columns, one per column of y");
  CHECK(refusalAfter([](Given& p) { p.bias = {Real::Ones(5, 4)}; }) ==
        "bias: 5×4 does not fit scores 5×5: bias needs 5 columns, one per source (S)");
  CHECK(refusalAfter([](Given& p) { p.wo.reset(); }) ==
        "residual: y 5×8 cannot be added to x 5×4: both need the same number of columns; a wo of 8×4 would fit");
  Given p = cross();
  p.x_sources = Real::Ones(2, 4);
  CHECK(refusal(p) == "x_sources: 2×4 does not fit 3 sources: x_sources needs 3 rows, one per source (S)");
  p = attn::test::baseCase();
  p.k = {Real::Ones(2, 2)};
  CHECK(refusal(p) == "k: 2×2 does not fit 3 tokens: k needs 3 rows, one per token (T)");
}

TEST_CASE("Something missing or given twice is named") {
  CHECK(refusalAfter([](Given& p) { p.x.reset(); }) == "wq: it needs x, which is missing");
  CHECK(refusalAfter([](Given& p) { p.wv.clear(); p.bv.clear(); }) ==
        "v: missing, give v itself or x and wv");
  CHECK(refusalAfter([](Given& p) { p.q = {Real::Ones(5, 4)}; }) ==
        "q: given beside wq, which computes it; give one of the two");
  CHECK(refusalAfter([](Given& p) { p.x_sources = Real::Ones(5, 4); }) ==
        "x_sources: given without sources; give the list of source tokens, or leave it out");
  CHECK(refusalAfter([](Given& p) { p.bq.pop_back(); }) ==
        "bq: 1 vector for 2 heads of wq; give one vector per head");
  CHECK(refusalAfter([](Given& p) { p.wv.pop_back(); p.bv.pop_back(); }) ==
        "wv: 1 head for 2 heads of wk; keys and values are shared together, so give as many of each");
  Given p = attn::test::baseCase();
  p.bk = {vector({1, 2})};
  CHECK(refusal(p) == "bk: a bias needs wk, but k is given as it is");
  p = attn::test::baseCase();
  p.residual = Residual::kInput;
  CHECK(refusal(p) == "residual: y is to be added to x, but x is missing");
  p.residual = Residual::kState;
  CHECK(refusal(p) == "residual: the state that y is added to is missing, give it as a T×D array");
}

TEST_CASE("Layer normalisation takes a state and no x") {
  const auto normed = [](Given& p) {
    p.state = p.x;
    p.x.reset();
    p.norm.emplace();
    p.residual = Residual::kPreNorm;
  };
  CHECK(refusalAfter(normed) == "accepted");
  CHECK(refusalAfter([&](Given& p) { normed(p); p.x = p.state; }) ==
        "x: with residual.norm x is computed from residual.state, so leave x out");
  CHECK(refusalAfter([&](Given& p) { normed(p); p.norm->gain = vector({1, 2}); }) ==
        "residual.norm.gain: 1×2 does not fit residual.state 5×4: residual.norm.gain needs 4 columns, one per column "
        "of the state (D)");
  CHECK(refusalAfter([&](Given& p) { normed(p); p.norm->eps = -1; }) ==
        "residual.norm.eps: it must be a number from 0 up, the usual one is 1e-5");
  CHECK(refusalAfter([&](Given& p) { normed(p); p.norm->eps = 0; p.state->row(2).setConstant(7); }) ==
        "residual.norm.eps: it is 0 and all numbers of row 2 of the state are equal, so its variance is 0; give an eps "
        "above 0");
}

TEST_CASE("Score rules must be finite, and per-head ones fit the heads") {
  CHECK(refusalAfter([](Given& p) { p.scale = kInfinity; }) == "scale: it must be a finite number");
  CHECK(refusalAfter([](Given& p) { p.temperature = 0.0; }) ==
        "temperature: scores are divided by it, so it must be a finite number above 0");
  CHECK(refusalAfter([](Given& p) { p.softcap = -1.0; }) ==
        "softcap: scores are capped at it, so it must be a finite number above 0");
  CHECK(refusalAfter([](Given& p) { p.sink = {0, kInfinity}; }) == "sink[1]: it must be a finite number");
  CHECK(refusalAfter([](Given& p) { p.alibi = {1, 2, 3}; }) ==
        "alibi: 3 given for 2 heads; give one number for all heads or one per head");
  CHECK(refusalAfter([](Given& p) { p.mask.window = 0; }).substr(0, 12) == "mask.window:");
}

TEST_CASE("More score cells than a full trace holds are refused before anything is computed") {
  Given p;
  p.T = p.S = 2049;
  p.q = p.k = p.v = {Real::Zero(2049, 1)};
  CHECK(refusal(p) ==
        "tokens: 2049×2049 scores in 1 head are more than the 4194304 cells that can be shown in full; use fewer tokens "
        "or heads");
  p.T = p.S = 2048;
  p.q = p.k = p.v = {Real::Zero(2048, 1)};
  CHECK(refusal(p) == "accepted");
}

TEST_CASE("A refused problem gives no trace, and the same sentence") {
  Given p = good();
  p.wq[0] = Real::Ones(2, 4);
  const auto trace = attn::core::computeTrace(p);
  REQUIRE_FALSE(trace.ok());
  CHECK(trace.error().message == refusal(p));
}

TEST_CASE("Single precision keeps every part of a problem") {
  Random random(31);
  Given p = randomProblem(random, 3, 4, 2, 1);
  p.temperature = 2.0;
  p.sink = {1};
  p.mask.causal = true;
  const attn::core::Problem<float> f = toFloat(p);
  CHECK(f.heads() == 2);
  CHECK(f.keyValueHeads() == 1);
  CHECK(f.bq.size() == 2);
  CHECK(f.temperature == 2.0F);
  CHECK(f.mask == p.mask);
  CHECK_FALSE(checkProblem(f).has_value());
}

TEST_CASE("An intervention acts on a computed array, in a head that is there, and fits it") {
  const auto after = [](Intervention one) { return refusalAfter([&one](Given& p) { p.interventions = {one}; }); };
  const auto set = [](Array array, std::size_t numbers) {
    Intervention one;
    one.array = array, one.row = 2;
    one.values.assign(numbers, 0.5);
    return one;
  };
  for (const Array array : {Array::kQ, Array::kK, Array::kV, Array::kZ}) {
    CAPTURE(arrayName(array));
    CHECK(after(set(array, 4)) == "accepted");
    CHECK(after(set(array, 5)).find(" lies outside it in head 0") != std::string::npos);
  }
  for (const Array array : {Array::kScores, Array::kMasked, Array::kWeights}) {
    CAPTURE(arrayName(array));
    CHECK(after(set(array, 5)) == "accepted");
    CHECK(after(set(array, 4)).find(" lies outside it in head 0") != std::string::npos);
  }
  for (const Array array : {Array::kX, Array::kScaled, Array::kWq, Array::kConcat, Array::kY})
    CHECK(after(set(array, 4)) == std::string(arrayName(array)) + " cannot be edited so; x behind a norm, q, k, v, scores, "
          "masked, weights and z can be set, and only weights be made uniform or dealt anew");
  Intervention one = set(Array::kZ, 4);
  one.head = 1;
  CHECK(after(one) == "accepted");
  one.row = 5;
  CHECK(after(one) == "an edit of z lies outside it in head 1; its rows, columns and numbers must fit");
  for (const Index head : {-1, 2}) {
    one.head = head;
    CHECK(after(one) == "an edit of z is about head " + std::to_string(head) + ", but the last head is 1");
  }
  one = {};
  one.kind = Intervention::Kind::kUniform;
  CHECK(after(one) == "accepted");
  one.array = Array::kMasked;
  CHECK(after(one).find("masked cannot be edited so") == 0);
}

}  // namespace attn::core
