// What holds for edits of any problem.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/edits.h"

namespace {

using namespace attn;
using namespace attn::test;

constexpr double kPropertyRounding = 1e-12;
constexpr int kProblems = 30;

// Of any size up to 6 tokens and 4 heads, sometimes causal, with a sink or a bias.
Problem anyProblem(Random& random) {
  const Index groups = 1 + random.below(2), heads = groups * (1 + random.below(2));
  Problem p = randomProblem(random, 2 + random.below(5), 2 + random.below(3), heads, groups);
  p.mask.causal = random.below(2) == 0;
  if (random.below(3) == 0) p.sink = {random.normal()};
  if (random.below(3) == 0) p.bias = {random.matrix(p.T, p.S)};
  if (random.below(3) == 0) p.softcap = 2;
  return p;
}

Matrix without(const Matrix& m, Index row, Index col) {
  Matrix out(m.rows() - (row >= 0), m.cols() - (col >= 0));
  for (Index i = 0; i < out.rows(); ++i)
    for (Index j = 0; j < out.cols(); ++j) out(i, j) = m(i + (row >= 0 && i >= row), j + (col >= 0 && j >= col));
  return out;
}

std::string text(Index value) { return std::to_string(value); }

}  // namespace

TEST_CASE("forbidding a source for all rows is computing without its key and value") {
  Random random(21);
  for (int n = 0; n < kProblems; ++n) {
    const Problem p = anyProblem(random);
    const Index gone = random.below(p.S);
    const Trace before = traceOf(p), after = editedTrace(p, {"forbid=*," + text(gone)});
    Problem less;
    less.T = p.T, less.S = p.S - 1, less.cross = true;
    less.wo = p.wo, less.sink = p.sink, less.softcap = p.softcap;
    for (const Matrix& bias : p.bias) less.bias.push_back(without(bias, -1, gone));
    for (const auto& head : before.heads) {
      less.q.push_back(head.q);
      less.k.push_back(without(head.k, gone, -1));
      less.v.push_back(without(head.v, gone, -1));
    }
    for (Index i = 0; i < p.T; ++i) {
      std::vector<bool> row;
      for (Index j = 0; j < p.S; ++j)
        if (j != gone) row.push_back(!p.mask.causal || j <= i);
      less.mask.allowed.push_back(row);
    }
    const Trace computed = traceOf(less);
    for (std::size_t h = 0; h < before.heads.size(); ++h) {
      CHECK(after.heads[h].softmax.weights.col(gone).isZero(0));
      CHECK(largestDifference(without(after.heads[h].softmax.weights, -1, gone), computed.heads[h].softmax.weights) <=
            kPropertyRounding);
      CHECK(largestDifference(after.heads[h].z, computed.heads[h].z) <= kPropertyRounding);
    }
    CHECK(largestDifference(after.y, computed.y) <= kPropertyRounding);
  }
}

TEST_CASE("ablating a head changes y by exactly its part through W_O") {
  Random random(22);
  for (int n = 0; n < kProblems; ++n) {
    const Problem p = anyProblem(random);
    const Index head = random.below(p.heads());
    const Trace before = traceOf(p), after = editedTrace(p, {"ablate=h" + text(head)});
    const Matrix& z = before.heads[static_cast<std::size_t>(head)].z;
    const Matrix part = z * p.wo->middleRows(head * z.cols(), z.cols());
    CHECK(largestDifference(before.y - after.y, part) <= kPropertyRounding);
    for (std::size_t h = 0; h < before.heads.size(); ++h)
      CHECK(largestDifference(after.heads[h].softmax.weights, before.heads[h].softmax.weights) == 0);
  }
}

TEST_CASE("mean-ablating keeps the mean of z, and twice is once") {
  Random random(23);
  for (int n = 0; n < kProblems; ++n) {
    const Problem p = anyProblem(random);
    const Index head = random.below(p.heads());
    const std::string edit = "mean-ablate=h" + text(head);
    const Matrix before = traceOf(p).heads[static_cast<std::size_t>(head)].z;
    const Matrix after = editedTrace(p, {edit}).heads[static_cast<std::size_t>(head)].z;
    for (Index j = 0; j < before.cols(); ++j) {
      CHECK(std::abs(after.col(j).sum() - before.col(j).sum()) <= kPropertyRounding);
      CHECK((after.col(j).array() == after(0, j)).all());
    }
    CHECK(difference(editedTrace(p, {edit, edit}), editedTrace(p, {edit})) <= kPropertyRounding);
  }
}

TEST_CASE("an edit of v leaves scores and weights bit for bit, of any head and at any row") {
  Random random(24);
  for (int n = 0; n < kProblems; ++n) {
    const Problem p = anyProblem(random);
    const Index head = random.below(p.heads()), row = random.below(p.S);
    const std::string cell = "v[" + text(row) + "][0]=" + text(random.below(100));
    for (const std::string& edit : {cell, "h" + text(head) + "." + cell}) {
      const Trace before = traceOf(p), after = editedTrace(p, {edit});
      for (std::size_t h = 0; h < before.heads.size(); ++h) {
        CHECK(largestDifference(after.heads[h].scores, before.heads[h].scores) == 0);
        CHECK(largestDifference(after.heads[h].softmax.weights, before.heads[h].softmax.weights) == 0);
        CHECK(largestDifference(without(after.heads[h].v, row, -1), without(before.heads[h].v, row, -1)) == 0);
      }
    }
  }
}

TEST_CASE("carried out at once or one after the other, a list of edits comes to the same") {
  Random random(25);
  for (int n = 0; n < kProblems; ++n) {
    const core::Subject subject = subjectOf(anyProblem(random));
    const Texts all = {"x[0][0]=3", "token[1]=t0", "v[1][0]=2", "insert=1,new", "forbid=2,*", "move=0,2", "scale=1",
                       "weights[0][1]=1/2", "delete=1", "d_v=4", "scores[1][0]=2", "mask=causal", "d_k=5", "ablate=h0"};
    core::Subject one = subject;
    for (const std::string& edit : all) one = edited(one, {edit});
    const core::Subject list = edited(subject, all);
    CHECK(one.tokens == list.tokens);
    CHECK(one.problem.mask == list.problem.mask);
    CHECK(difference(traceOf(one.problem), traceOf(list.problem)) == 0);
  }
}

TEST_CASE("in single precision the same edits come to the same numbers") {
  Random random(27);
  for (int n = 0; n < kProblems; ++n) {
    const Problem p = edited(anyProblem(random), {"v[1][0]=2", "h0.scores[0][1]=-1", "uniform=h0,1", "permute=h0,0,3",
                                                  "forbid=1,*", "weights[1][0]=1/2", "mean-ablate=h0", "insert=1,a"});
    const core::Result<core::Trace<float>> single = core::computeTrace(core::toFloat(p));
    REQUIRE(single.ok());
    CHECK(largestDifference(single.value().y.cast<double>(), traceOf(p).y) <= 1e-4);
  }
}

TEST_CASE("edits of plain arrays agree with attention computed once more") {
  Random random(26);
  for (int n = 0; n < kProblems; ++n) {
    const Problem p = anyProblem(random);
    const Index row = random.below(p.T), col = random.below(p.S), head = random.below(p.heads());
    const double value = random.normal();
    const std::string at = "[" + text(row) + "][" + text(col) + "]=" + core::editText([&] {
      core::Edit number;
      number.kind = core::EditKind::kScale, number.values = {value};
      return number;
    }()).substr(6);
    const auto act = [&](core::Array wanted) {
      return [=](core::Array array, Index h, Matrix& m) {
        if (array == wanted && h == head) m(row, col) = value;
      };
    };
    const std::string prefix = "h" + text(head) + ".";
    CHECK(difference(editedTrace(p, {prefix + "scores" + at}), plainAttention(p, act(core::Array::kScores))) <=
          kPropertyRounding);
    CHECK(difference(editedTrace(p, {prefix + "weights" + at}), plainAttention(p, act(core::Array::kWeights))) <=
          kPropertyRounding);
  }
}
