// Edits of positions, heads and widths: what is new is filled, and what earlier edits did moves along.
#include <doctest/doctest.h>

#include <string>

#include "support/edits.h"

namespace {

using namespace attn;
using namespace attn::test;

constexpr double kTokenRounding = 1e-12;

const Texts kTokens = {"the", "cat", "sat", "down"};

core::Subject weighted() {
  Random random(11);
  Problem p = randomProblem(random, 4, 3, 2, 2);
  p.mask.causal = true;
  return subjectOf(p, kTokens);
}

core::Subject given() { return subjectOf(catSatDown(), kTokens); }

// With every rule that has rows or columns.
core::Subject ruled(std::uint64_t seed = 12) {
  Random random(seed);
  Problem p = randomProblem(random, 4, 3, 2, 2);
  p.bias = {random.matrix(4, 4), random.matrix(4, 4)};
  p.mask.padding = {true, false, true, true};
  p.mask.allowed = {
      {true, true, true, true}, {true, true, false, true}, {true, false, true, true}, {false, true, true, true}};
  p.mask.rules = {{2, 3, false}, {std::nullopt, 1, true}};
  p.state = random.matrix(4, 3);
  p.residual = core::Residual::kState;
  return subjectOf(p, kTokens);
}

double apart(const core::Subject& a, const core::Subject& b) {
  return difference(traceOf(a.problem), traceOf(b.problem));
}

bool sameMaskAndNames(const core::Subject& a, const core::Subject& b) {
  return a.tokens == b.tokens && a.sources == b.sources && a.problem.mask == b.problem.mask &&
         a.problem.interventions == b.problem.interventions;
}

}  // namespace

TEST_CASE("a token that gets the text of another takes its numbers, and keeps its own otherwise") {
  const core::Subject known = edited(weighted(), {"token[3]=cat"});
  CHECK(known.tokens == Texts{"the", "cat", "sat", "cat"});
  CHECK(known.sources == known.tokens);
  Problem p = weighted().problem;
  p.x->row(3) = Matrix(p.x->row(1));
  CHECK(difference(traceOf(known.problem), plainAttention(p)) <= kTokenRounding);
  const core::Subject unknown = edited(weighted(), {"token[3]=dog"});
  CHECK(unknown.tokens[3] == "dog");
  CHECK(apart(unknown, weighted()) == 0);
  CHECK(apart(edited(weighted(), {"token[3]=down"}), weighted()) == 0);
  CHECK(edited(ruled(), {"token[3]=cat"}).problem.state->row(3) == ruled().problem.state->row(1));
  const Problem copied = edited(given(), {"token[0]=down"}).problem;
  for (const auto& list : {copied.q, copied.k, copied.v}) CHECK(list[0].row(0) == list[0].row(3));
}

TEST_CASE("an inserted token with a known text takes that one's numbers, else zeros; it may be read and may read") {
  const core::Subject known = edited(ruled(), {"insert=1,sat"});
  CHECK(known.tokens == Texts{"the", "sat", "cat", "sat", "down"});
  CHECK(known.problem.x->row(1) == ruled().problem.x->row(2));
  CHECK(known.problem.state->row(1) == ruled().problem.state->row(2));
  for (const Matrix& bias : known.problem.bias) {
    CHECK(bias.row(1).isZero(0));
    CHECK(bias.col(1).isZero(0));
  }
  const core::Mask mask = traceOf(known.problem).mask, before = traceOf(ruled().problem).mask;
  for (Index i = 0; i < 5; ++i) {
    CHECK(mask.allowed(i, 1));
    // The rule that lets all read cat is about column 2 now; the new row reads it as well.
    CHECK(mask.allowed(1, i));
    for (Index j = 0; j < 5; ++j)
      if (i != 1 && j != 1) CHECK(mask.reasons(i, j) == before.reasons(i > 1 ? i - 1 : i, j > 1 ? j - 1 : j));
  }
  const core::Subject unknown = edited(ruled(), {"insert=4,dog"});
  CHECK(unknown.tokens.back() == "dog");
  CHECK(unknown.problem.x->row(4).isZero(0));
  CHECK(unknown.problem.state->row(4).isZero(0));
  const Problem numbers = edited(given(), {"insert=0,dog"}).problem;
  for (const auto& list : {numbers.q, numbers.k, numbers.v}) CHECK(list[0].row(0).isZero(0));
}

TEST_CASE("a causal mask holds for a new token too") {
  const Trace trace = traceOf(edited(weighted(), {"insert=2,dog"}).problem);
  for (Index i = 0; i < 5; ++i)
    for (Index j = 0; j < 5; ++j) CHECK(trace.mask.allowed(i, j) == (j <= i));
}

TEST_CASE("a deleted token is gone from every array and list") {
  const core::Subject after = edited(ruled(), {"delete=1"});
  CHECK(after.tokens == Texts{"the", "sat", "down"});
  const core::Subject before = ruled();
  const auto old = [](Index i) { return i > 0 ? i + 1 : i; };
  const core::Mask mask = traceOf(after.problem).mask, old_mask = traceOf(before.problem).mask;
  for (Index i = 0; i < 3; ++i) {
    CHECK(after.problem.x->row(i) == before.problem.x->row(old(i)));
    CHECK(after.problem.state->row(i) == before.problem.state->row(old(i)));
    for (Index j = 0; j < 3; ++j) {
      CHECK(mask.reasons(i, j) == old_mask.reasons(old(i), old(j)));
      for (std::size_t h = 0; h < 2; ++h)
        CHECK(after.problem.bias[h](i, j) == before.problem.bias[h](old(i), old(j)));
    }
  }
}

TEST_CASE("inserting and deleting, and moving there and back, change nothing") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    core::Subject subject = ruled(seed);
    subject = edited(subject, {"v[1]=1,2,3", "scores[2]=1,2,3,4", "weights[3][1]=1/2", "forbid=0,*", "h1.q[2][0]=4",
                               "zero-weight=1,*", "uniform=h1,3", "mean-ablate=h0", "allow=3,0", "zero-weight=*,2"});
    const Trace before = traceOf(subject.problem);
    Random random(seed);
    const Index at = random.below(5), from = random.below(4), to = random.below(4);
    const std::string i = std::to_string(from), j = std::to_string(to), p = std::to_string(at);
    for (const Texts& edits :
         {Texts{"insert=" + p + ",cat", "delete=" + p}, Texts{"move=" + i + "," + j, "move=" + j + "," + i}}) {
      CAPTURE(edits[0]);
      const core::Subject after = edited(subject, edits);
      CHECK(sameMaskAndNames(after, subject));
      CHECK(difference(traceOf(after.problem), before) == 0);
    }
  }
}

TEST_CASE("a moved token reads and is read as before, where nothing depends on the place") {
  Random random(13);
  const core::Subject subject = subjectOf(randomProblem(random, 4, 3, 2, 2), kTokens);
  const core::Subject moved = edited(subject, {"move=0,2"});
  CHECK(moved.tokens == Texts{"cat", "sat", "the", "down"});
  const Matrix before = traceOf(subject.problem).y, after = traceOf(moved.problem).y;
  const Index old[] = {1, 2, 0, 3};
  for (Index i = 0; i < 4; ++i) CHECK(largestDifference(after.row(i), before.row(old[i])) <= kTokenRounding);
}

TEST_CASE("earlier edits move with their token, later indices mean the new sequence") {
  // About cat and sat, whole rows and cells of every array that is by position.
  const auto about = [](const std::string& cat, const std::string& sat) {
    return Texts{"x[" + cat + "]=1,2,3", "q[" + cat + "]=1,0,1", "h1.k[" + sat + "][2]=5", "v[" + cat + "]=0,0,1",
                 "scores[" + sat + "][" + cat + "]=2", "weights[" + cat + "][" + sat + "]=1/2", "forbid=" + sat + ",0",
                 "forbid=*," + sat, "allow=" + cat + "," + sat, "zero-weight=" + cat + ",*", "uniform=h1," + sat,
                 "bias[" + cat + "][" + sat + "]=3"};
  };
  const auto check = [&](const std::string& token_edit, const std::string& cat, const std::string& sat) {
    Texts earlier = about("1", "2"), later = about(cat, sat);
    earlier.push_back(token_edit);
    later.insert(later.begin(), token_edit);
    later[7] = "forbid=" + sat + "," + (token_edit == "insert=0,dog" ? "1" : "0");  // "the", wherever it is
    if (token_edit == "move=3,0") later[7] = "forbid=" + sat + ",1";
    CAPTURE(token_edit);
    const core::Subject a = edited(weighted(), earlier), b = edited(weighted(), later);
    CHECK(a.tokens == b.tokens);
    CHECK(a.problem.mask == b.problem.mask);
    CHECK(apart(a, b) == 0);
  };
  check("insert=0,dog", "2", "3");
  check("insert=2,dog", "1", "3");
  check("insert=4,dog", "1", "2");
  check("delete=3", "1", "2");
  check("move=3,0", "2", "3");
  check("move=1,3", "3", "1");
  check("move=2,1", "2", "1");
}

TEST_CASE("a row of scores or weights that was set has 0 for a new source and loses that of a deleted one") {
  const auto row = [](const core::Subject& subject, const Texts& edits, Index i) {
    return Matrix(traceOf(edited(subject, edits).problem).heads[0].softmax.weights.row(i));
  };
  CHECK(largestDifference(row(given(), {"weights[1]=1,2,3,4", "insert=1,dog"}, 2), matrix({{1, 0, 2, 3, 4}})) == 0);
  CHECK(largestDifference(row(given(), {"weights[1]=1,2,3,4", "delete=2"}, 1), matrix({{1, 2, 4}})) == 0);
  CHECK(largestDifference(row(given(), {"weights[1]=1,2,3,4", "move=3,0"}, 2), matrix({{4, 1, 2, 3}})) == 0);
  CHECK(largestDifference(row(given(), {"weights[1][2]=7", "delete=2"}, 1), row(given(), {"delete=2"}, 1)) == 0);
}

TEST_CASE("a whole row of one source grows with the sequence") {
  Problem p;
  p.T = p.S = 1;
  p.q = p.k = p.v = {matrix({{2}})};
  const Trace trace = editedTrace(
      p, {"weights[0]=1/2", "scores[0]=3", "zero-weight=0,*", "weights[0]=1/4", "insert=0,a", "insert=2,b"});
  CHECK(largestDifference(trace.heads[0].softmax.weights.row(1), matrix({{0, 0.25, 0}})) == 0);
  CHECK(largestDifference(trace.heads[0].scores.row(1), matrix({{0, 3, 0}})) == 0);
  const Trace shrunk = editedTrace(baseCase(), {"weights[0]=1,2,3", "delete=2", "delete=1", "insert=1,a"});
  CHECK(largestDifference(shrunk.heads[0].softmax.weights.row(0), matrix({{1, 0}})) == 0);
}

TEST_CASE("what was done to a token that is deleted goes with it") {
  const core::Subject plain = edited(weighted(), {"delete=1"});
  const core::Subject after = edited(weighted(), {"v[1]=9,9,9", "q[1][0]=4", "forbid=1,0", "forbid=2,1", "uniform=h0,1",
                                                  "scores[2][1]=8", "delete=1"});
  CHECK(sameMaskAndNames(after, plain));
  CHECK(apart(after, plain) == 0);
}

TEST_CASE("in cross-attention token edits change the destinations, and the sources keep") {
  Random random(14);
  Problem p = randomProblem(random, 3, 2, 1, 1);
  p.cross = true;
  p.S = 4;
  p.x_sources = random.matrix(4, 2);
  const core::Subject subject = subjectOf(p, {"a", "b", "c"});
  const core::Subject after =
      edited(subject, {"v[3]=1,2", "scores[2]=1,2,3,4", "insert=0,b", "move=3,1", "delete=0", "forbid=0,3"});
  CHECK(after.tokens == Texts{"c", "a", "b"});
  CHECK(after.sources == subject.sources);
  CHECK(after.problem.x_sources == subject.problem.x_sources);
  Problem changed = p;
  for (Index i = 0; i < 3; ++i) changed.x->row(i) = Matrix(p.x->row((i + 2) % 3));
  const Plain plain = plainAttention(
      changed,
      [](core::Array array, Index, Matrix& m) {
        if (array == core::Array::kV) m.row(3) << 1, 2;
        if (array == core::Array::kScores) m.row(0) << 1, 2, 3, 4;
      },
      [](Index i, Index j) { return i != 0 || j != 3; });
  CHECK(difference(traceOf(after.problem), plain) <= kTokenRounding);
}

TEST_CASE("a new head is a copy that adds nothing to y, and a head that is removed takes its part away") {
  for (core::Subject subject : {weighted(), ruled(), given()}) {
    subject.problem.sink = {1};
    const Trace before = traceOf(subject.problem);
    const std::string last = std::to_string(before.heads.size() - 1);
    const Trace added = traceOf(edited(subject, {"add-head=h" + last}).problem);
    REQUIRE(added.heads.size() == before.heads.size() + 1);
    CHECK(largestDifference(added.y, before.y) <= kTokenRounding);
    CHECK(largestDifference(added.heads.back().z, before.heads.back().z) == 0);
    CHECK(apart(edited(subject, {"add-head=h0", "remove-head=h" + std::to_string(before.heads.size())}), subject) <=
          kTokenRounding);
  }
  const Trace before = traceOf(weighted().problem);
  const Trace left = traceOf(edited(weighted(), {"remove-head=h0"}).problem);
  CHECK(largestDifference(left.heads[0].z, before.heads[1].z) == 0);
  CHECK(largestDifference(left.y, before.heads[1].z * weighted().problem.wo->bottomRows(3)) <= kTokenRounding);
}

TEST_CASE("rules and edits of one head stay with it when heads are added or removed") {
  core::Subject subject = ruled();
  subject.problem.alibi = {1, 2}, subject.problem.sink = {3, 4};
  const Trace before = traceOf(edited(subject, {"h1.v[0]=1,2,3", "h0.scores[1][1]=5", "uniform=h1,2"}).problem);
  const Trace removed =
      traceOf(edited(subject, {"h1.v[0]=1,2,3", "h0.scores[1][1]=5", "uniform=h1,2", "remove-head=h0"}).problem);
  CHECK(largestDifference(removed.heads[0].softmax.weights, before.heads[1].softmax.weights) == 0);
  CHECK(largestDifference(removed.heads[0].z, before.heads[1].z) == 0);
  const Problem added = edited(subject, {"h1.v[0]=1,2,3", "add-head=h1", "ablate=h2"}).problem;
  CHECK(added.alibi == std::vector<double>{1, 2, 2});
  CHECK(added.sink == std::vector<double>{3, 4, 4});
  const Trace trace = traceOf(added);
  CHECK(largestDifference(trace.heads[1].v.row(0), matrix({{1, 2, 3}})) == 0);
  CHECK(largestDifference(trace.heads[2].v, traceOf(subject.problem).heads[1].v) == 0);
  CHECK(trace.heads[2].z.isZero(0));
  CHECK_FALSE(trace.heads[1].z.isZero(0));
}

TEST_CASE("a wider value adds nothing to y, a narrower one leaves columns out") {
  Random random(15);
  const core::Subject shared = subjectOf(randomProblem(random, 3, 2, 8, 2));
  for (const core::Subject& subject : {weighted(), ruled(), shared}) {
    const Trace before = traceOf(subject.problem), wider = traceOf(edited(subject, {"d_v=5"}).problem);
    for (std::size_t h = 0; h < before.heads.size(); ++h) {
      CHECK(wider.heads[h].z.cols() == 5);
      CHECK(largestDifference(wider.heads[h].softmax.weights, before.heads[h].softmax.weights) == 0);
      CHECK(largestDifference(wider.heads[h].z.leftCols(before.heads[h].z.cols()), before.heads[h].z) <= kTokenRounding);
    }
    CHECK(largestDifference(wider.y, before.y) <= kTokenRounding);
    CHECK(apart(edited(subject, {"d_v=5", "d_v=" + std::to_string(before.heads[0].v.cols())}), subject) <= kTokenRounding);
    const Trace narrow = traceOf(edited(subject, {"d_v=1"}).problem);
    Matrix y = Matrix::Zero(before.y.rows(), before.y.cols());
    const Index old = before.heads[0].v.cols();
    for (std::size_t h = 0; h < before.heads.size(); ++h)
      y += before.heads[h].z.col(0) * subject.problem.wo->row(static_cast<Index>(h) * old);
    CHECK(largestDifference(narrow.y, y) <= kTokenRounding);
  }
  const Trace plain = traceOf(edited(given(), {"d_v=3"}).problem);
  CHECK(largestDifference(plain.y, traceOf(given().problem).y) <= kTokenRounding);
}

TEST_CASE("wider queries and keys leave the scores, narrower ones leave products out") {
  const Trace before = traceOf(weighted().problem);
  const Trace wider = traceOf(edited(weighted(), {"q[1]=1,2,3", "k[2][1]=4", "d_k=5"}).problem);
  CHECK(largestDifference(wider.heads[0].scores,
                          traceOf(edited(weighted(), {"q[1]=1,2,3", "k[2][1]=4"}).problem).heads[0].scores) <=
        kTokenRounding);
  CHECK(largestDifference(wider.heads[0].q.row(1), matrix({{1, 2, 3, 0, 0}})) == 0);
  CHECK(std::abs(wider.scale - 1 / std::sqrt(5.0)) <= 1e-15);
  const Trace narrow = traceOf(edited(weighted(), {"q[1]=1,2,3", "k[2][1]=4", "d_k=1"}).problem);
  Matrix q = before.heads[0].q.col(0), k = before.heads[0].k.col(0);
  q(1, 0) = 1;
  CHECK(largestDifference(narrow.heads[0].scores, q * k.transpose()) <= kTokenRounding);
}

TEST_CASE("later widths are those that rows are counted by") {
  CHECK(refusal(weighted().problem, {"d_v=2", "v[0]=1,2,3"}).find("a row of v has 2 numbers, and 3 are given") !=
        std::string::npos);
  CHECK(refusal(weighted().problem, {"d_k=2", "q[0]=1,2", "d_k=3", "q[0]=1,2,3"}) == "accepted");
  CHECK(refusal(weighted().problem, {"add-head=h0", "h2.v[0]=1,2,3"}) == "accepted");
  CHECK(refusal(weighted().problem, {"insert=4,a", "v[4]=1,2,3"}) == "accepted");
  CHECK(refusal(weighted().problem, {"v[4]=1,2,3", "insert=4,a"}).find("v has no row 4") != std::string::npos);
}
