// What each edit does to a computation, against attention computed once more in the plainest way.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "support/edits.h"

namespace {

using namespace attn;
using namespace attn::test;
using core::Array;

constexpr double kRounding = 1e-12;

// Four tokens of width 3, two heads, causal.
Problem twoHeads() {
  Random random(1);
  Problem p = randomProblem(random, 4, 3, 2, 2);
  p.mask.causal = true;
  return p;
}

// The same q, k and v, given.
Problem givenHeads() {
  const Trace trace = traceOf(twoHeads());
  Problem p;
  p.T = p.S = 4;
  for (const auto& head : trace.heads) p.q.push_back(head.q), p.k.push_back(head.k), p.v.push_back(head.v);
  p.mask.causal = true;
  return p;
}

Problem crossed() {
  Random random(2);
  Problem p = randomProblem(random, 3, 2, 1, 1);
  p.cross = true;
  p.S = 4;
  p.x_sources = random.matrix(4, 2);
  return p;
}

// Does something to one array of the heads that are meant; −1: of all.
Touch touching(Array array, Index head, const std::function<void(Matrix&)>& act) {
  return [=](Array at, Index h, Matrix& values) {
    if (at == array && (head < 0 || h == head)) act(values);
  };
}

void setRow(Matrix& m, Index row, std::initializer_list<double> values) { m.row(row) = vector(values); }

}  // namespace

TEST_CASE("inputs and parameters are changed where they are, a row or a cell") {
  Problem p = twoHeads();
  setRow(*p.x, 2, {1, -1, 0.5});
  CHECK(difference(editedTrace(twoHeads(), {"x[2]=1,-1,1/2"}), plainAttention(p)) <= kRounding);
  p = twoHeads();
  (*p.wo)(5, 1) = 7;
  CHECK(difference(editedTrace(twoHeads(), {"wo[5][1]=7"}), plainAttention(p)) <= kRounding);
  p = crossed();
  setRow(*p.x_sources, 3, {0, 9});
  CHECK(difference(editedTrace(crossed(), {"x_sources[3]=0,9"}), plainAttention(p)) <= kRounding);
  const std::pair<const char*, std::vector<Matrix> Problem::*> kWeights[] = {
      {"wq", &Problem::wq}, {"wk", &Problem::wk}, {"wv", &Problem::wv}};
  for (const auto& each : kWeights) {
    const std::string text = each.first;
    const auto list = each.second;
    CAPTURE(text);
    p = twoHeads();
    for (Matrix& all : p.*list) setRow(all, 0, {1, 2, 3});
    CHECK(difference(editedTrace(twoHeads(), {text + "[0]=1,2,3"}), plainAttention(p)) <= kRounding);
    p = twoHeads();
    (p.*list)[1](2, 0) = -4;
    CHECK(difference(editedTrace(twoHeads(), {"h1." + text + "[2][0]=-4"}), plainAttention(p)) <= kRounding);
  }
}

TEST_CASE("computed q, k, v, scores and weights are changed after they are computed") {
  const std::pair<const char*, Array> kComputed[] = {
      {"q", Array::kQ}, {"k", Array::kK}, {"v", Array::kV}, {"scores", Array::kScores}, {"weights", Array::kWeights}};
  for (const Problem& problem : {twoHeads(), givenHeads()})
    for (const auto& each : kComputed) {
      const std::string text = each.first;
      const Array array = each.second;
      CAPTURE(text);
      const auto all = touching(array, -1, [](Matrix& m) { m.row(1).setConstant(0.25), m(1, 0) = 3; });
      const std::string row = array < Array::kScores ? "[1]=3,1/4,1/4" : "[1]=3,1/4,1/4,1/4";
      CHECK(difference(editedTrace(problem, {text + row}), plainAttention(problem, all)) <= kRounding);
      const auto cell = touching(array, 1, [](Matrix& m) { m(3, 2) = -2; });
      CHECK(difference(editedTrace(problem, {"h1." + text + "[3][2]=-2"}), plainAttention(problem, cell)) <= kRounding);
    }
}

TEST_CASE("an edit of a shared key or value head reaches all its query heads") {
  Random random(3);
  const Problem p = randomProblem(random, 3, 2, 8, 2);
  for (const auto& [name, array] : {std::pair{"k", Array::kK}, std::pair{"v", Array::kV}}) {
    const Touch second = [array = array](Array at, Index h, Matrix& m) {
      if (at == array && h >= 4) m.row(1) << 5, -5;
    };
    for (const std::string head : {"h4.", "h5.", "h7."})
      CHECK(difference(editedTrace(p, {head + name + "[1]=5,-5"}), plainAttention(p, second)) <= kRounding);
  }
  Problem changed = p;
  setRow(changed.wk[0], 0, {1, 1});
  CHECK(difference(editedTrace(p, {"h3.wk[0]=1,1"}), plainAttention(changed)) <= kRounding);
  const auto fifth = touching(Array::kQ, 5, [](Matrix& m) { m(0, 0) = 9; });
  CHECK(difference(editedTrace(p, {"h5.q[0][0]=9"}), plainAttention(p, fifth)) <= kRounding);
  CHECK(refusal(p, {"add-head=h0"}) ==
        "“add-head=h0” cannot be carried out: 8 query heads share 2 key/value heads, so none can be added or removed.");
  CHECK(refusal(p, {"remove-head=h7"}).find("share") != std::string::npos);
}

TEST_CASE("forbid and allow act on top of any mask, the last word about a cell counts") {
  const Problem p = twoHeads();
  const auto rule = [&](const Texts& edits, const MayRead& may_read) {
    CHECK(difference(editedTrace(p, edits), plainAttention(p, nullptr, may_read)) <= kRounding);
  };
  rule({"forbid=2,1"}, [](Index i, Index j) { return j <= i && !(i == 2 && j == 1); });
  rule({"forbid=3,*"}, [](Index i, Index j) { return j <= i && i != 3; });
  rule({"forbid=*,0"}, [](Index i, Index j) { return j <= i && j != 0; });
  rule({"forbid=*,*"}, [](Index, Index) { return false; });
  rule({"allow=0,3"}, [](Index i, Index j) { return j <= i || (i == 0 && j == 3); });
  rule({"allow=*,*"}, [](Index, Index) { return true; });
  rule({"forbid=*,0", "allow=2,0"}, [](Index i, Index j) { return j <= i && (j != 0 || i == 2); });
  rule({"allow=2,0", "forbid=*,0"}, [](Index i, Index j) { return j <= i && j != 0; });
  rule({"forbid=2,1", "mask=none"}, [](Index i, Index j) { return !(i == 2 && j == 1); });
  rule({"mask=none", "mask=causal"}, [](Index i, Index j) { return j <= i; });
  const Trace trace = editedTrace(p, {"forbid=2,1", "forbid=0,3", "allow=1,3"});
  CHECK(core::blockReasonText(trace.mask.reasons(2, 1)) == "edit");
  CHECK(core::blockReasonText(trace.mask.reasons(0, 3)) == "causal+edit");
  CHECK(core::blockReasonText(trace.mask.reasons(1, 3)) == "");
}

TEST_CASE("mask= takes the place of every part of the document's mask, its alignment included") {
  Problem p = twoHeads();
  p.mask.window = 1;
  p.mask.align = core::Align::kBottomRight;
  p.mask.padding = {false, true, true, true};
  p.mask.allowed.assign(4, {true, false, true, true});
  CHECK(edited(p, {"mask=causal"}).mask == core::plainMask(true));
  CHECK(edited(p, {"mask=none"}).mask == core::MaskSpec{});
}

TEST_CASE("zero-weight takes weights away and leaves the rest of the row as it is") {
  const Problem p = twoHeads();
  const auto zero = [&](const std::string& edit, const std::function<void(Matrix&)>& act) {
    CHECK(difference(editedTrace(p, {edit}), plainAttention(p, touching(Array::kWeights, -1, act))) <= kRounding);
  };
  zero("zero-weight=2,1", [](Matrix& m) { m(2, 1) = 0; });
  zero("zero-weight=2,*", [](Matrix& m) { m.row(2).setZero(); });
  zero("zero-weight=*,1", [](Matrix& m) { m.col(1).setZero(); });
  zero("zero-weight=*,*", [](Matrix& m) { m.setZero(); });
}

TEST_CASE("uniform spreads a row over what it may read, in one head") {
  const Problem p = twoHeads();
  const auto act = [](Matrix& m) { m.row(2) << 1.0 / 3, 1.0 / 3, 1.0 / 3, 0; };
  CHECK(difference(editedTrace(p, {"uniform=h1,2"}), plainAttention(p, touching(Array::kWeights, 1, act))) <=
        kRounding);
  const Trace none = editedTrace(p, {"forbid=2,*", "uniform=h1,2"});
  CHECK(none.heads[1].softmax.weights.row(2).isZero(0));
  CHECK(none.heads[1].z.row(2).isZero(0));
}

TEST_CASE("permute deals the weights of a row anew among what it may read, the same for the same seed") {
  const Problem p = twoHeads();
  const Trace before = traceOf(p);
  const auto sorted = [](const Matrix& m) {
    std::vector<double> all(m.data(), m.data() + m.size());
    std::sort(all.begin(), all.end());
    return all;
  };
  int moved = 0;
  for (int seed = 0; seed < 20; ++seed) {
    const std::string edit = "permute=h0,2," + std::to_string(seed);
    const Trace after = editedTrace(p, {edit});
    const Matrix row = after.heads[0].softmax.weights.row(2), old = before.heads[0].softmax.weights.row(2);
    CHECK(sorted(row) == sorted(old));
    CHECK(row(0, 3) == 0);
    Matrix weights = before.heads[0].softmax.weights;
    weights.row(2) = row;
    CHECK(largestDifference(after.heads[0].softmax.weights, weights) == 0);
    CHECK(largestDifference(after.heads[1].softmax.weights, before.heads[1].softmax.weights) == 0);
    CHECK(difference(after, editedTrace(p, {edit})) == 0);
    moved += row != old;
  }
  CHECK(moved > 10);  // one order of six is the old one
}

TEST_CASE("ablating a head makes its z zero, mean-ablating the mean over the positions") {
  const Problem p = twoHeads();
  CHECK(difference(editedTrace(p, {"ablate=h1"}),
                   plainAttention(p, touching(Array::kZ, 1, [](Matrix& m) { m.setZero(); }))) <= kRounding);
  const auto mean = [](Matrix& m) {
    Matrix sum = Matrix::Zero(1, m.cols());
    for (Index i = 0; i < m.rows(); ++i) sum += m.row(i);
    for (Index i = 0; i < m.rows(); ++i) m.row(i) = sum / 4;
  };
  CHECK(difference(editedTrace(p, {"mean-ablate=h0"}), plainAttention(p, touching(Array::kZ, 0, mean))) <= kRounding);
}

TEST_CASE("the score rules take the place of the document's") {
  Problem p = twoHeads();
  p.scale = 3, p.temperature = 2, p.softcap = 9, p.sink = {1, 2}, p.alibi = {1};
  Problem changed = p;
  changed.scale = -0.5, changed.temperature = 4, changed.softcap = 1.5, changed.sink = {-1}, changed.alibi = {0.25, 2};
  const Texts edits = {"scale=-1/2", "temperature=4", "softcap=3/2", "sink=-1", "alibi=h1:2,h0:1/4"};
  CHECK(difference(editedTrace(p, edits), plainAttention(changed)) <= kRounding);
  CHECK(difference(editedTrace(twoHeads(), edits), plainAttention(changed)) <= kRounding);
  changed = twoHeads();
  changed.alibi = {0, 1};
  CHECK(difference(editedTrace(p, {"scale=sqrt(1/3)", "temperature=1", "softcap=1e6", "sink=-1e6", "alibi=h1:1"}),
                   plainAttention(changed)) <= 1e-9);  // tanh(s/1e6)·1e6 is s but for the rounding
  CHECK_FALSE(editedTrace(twoHeads(), {"scale=1"}).default_scale);
}

TEST_CASE("the bias is changed, or made of zeros first, for one head or for all") {
  Problem p = twoHeads(), changed = p;
  changed.bias = {Matrix::Zero(4, 4)};
  changed.bias[0].row(2) << 1, 2, 3, 4;
  CHECK(difference(editedTrace(p, {"bias[2]=1,2,3,4"}), plainAttention(changed)) <= kRounding);
  changed.bias.push_back(changed.bias[0]);
  changed.bias[1](2, 0) = -5;
  CHECK(difference(editedTrace(p, {"bias[2]=1,2,3,4", "h1.bias[2][0]=-5"}), plainAttention(changed)) <= kRounding);
  CHECK(difference(editedTrace(changed, {"bias[3][0]=1"}), [&] {
          for (Matrix& bias : changed.bias) bias(3, 0) = 1;
          return plainAttention(changed);
        }()) <= kRounding);
}

TEST_CASE("the computation runs once: a later edit of x leaves what was set in v") {
  const Problem p = twoHeads();
  Problem changed = p;
  setRow(*changed.x, 1, {7, 7, 7});
  const auto zero = touching(Array::kV, -1, [](Matrix& m) { m.row(1).setZero(); });
  const Trace trace = editedTrace(p, {"v[1]=0,0,0", "x[1]=7,7,7"});
  CHECK(trace.heads[0].v.row(1).isZero(0));
  CHECK(difference(trace, plainAttention(changed, zero)) <= kRounding);
  CHECK(difference(trace, editedTrace(p, {"x[1]=7,7,7", "v[1]=0,0,0"})) == 0);
}

TEST_CASE("edits that enter at one stage act in the order of the list") {
  const Problem p = twoHeads();
  const auto weights = [&](const Texts& edits) {
    return Matrix(editedTrace(p, edits).heads[0].softmax.weights.row(2));
  };
  CHECK(largestDifference(weights({"uniform=h0,2", "zero-weight=2,0"}), matrix({{0, 1.0 / 3, 1.0 / 3, 0}})) == 0);
  CHECK(largestDifference(weights({"zero-weight=2,0", "uniform=h0,2"}), matrix({{1.0 / 3, 1.0 / 3, 1.0 / 3, 0}})) == 0);
  CHECK(largestDifference(weights({"weights[2]=1,2,3,4", "h0.weights[2][1]=9"}), matrix({{1, 9, 3, 4}})) == 0);
  CHECK(largestDifference(weights({"h0.weights[2][1]=9", "weights[2]=1,2,3,4"}), matrix({{1, 2, 3, 4}})) == 0);
  const Problem list = edited(p, {"weights[2][1]=9", "forbid=0,0", "v[0]=1,2,3", "ablate=h1"});
  REQUIRE(list.interventions.size() == 3);
  for (std::size_t n = 0; n < 3; ++n) CHECK(list.interventions[n].edit == std::array<std::size_t, 3>{0, 2, 3}[n]);
}

TEST_CASE("x behind a norm is changed after the norm, and the state that y is added to stays") {
  Random random(4);
  Problem p = randomProblem(random, 3, 4, 2, 2);
  p.state = p.x;
  p.x.reset();
  p.residual = core::Residual::kPreNorm;
  p.norm = core::Norm<double>{1e-5, vector({1, 2, 3, 4}), vector({0, 1, 0, 1})};
  CHECK(difference(traceOf(p), plainAttention(p)) <= kRounding);
  const auto row = touching(Array::kX, 0, [](Matrix& m) { setRow(m, 1, {1, 2, 3, 4}); });
  const Trace trace = editedTrace(p, {"x[1]=1,2,3,4"});
  CHECK(difference(trace, plainAttention(p, row)) <= kRounding);
  CHECK(largestDifference(*trace.problem.state, *p.state) == 0);
  const auto cell = touching(Array::kX, 0, [](Matrix& m) { m(2, 3) = -1; });
  CHECK(difference(editedTrace(p, {"x[2][3]=-1"}), plainAttention(p, cell)) <= kRounding);
  CHECK(refusal(p, {"x[1]=1,2,3"}).find("a row of x has 4 numbers, and 3 are given") != std::string::npos);
}

TEST_CASE("an edit that does not fit is quoted, and said to be outside of what") {
  const std::pair<const char*, const char*> kCases[] = {
      {"v[4]=1,2,3", "“v[4]=1,2,3” cannot be carried out: v has no row 4: it has 4 rows, counted from 0."},
      {"v[0][3]=1", "v has no column 3: it has 3 columns, counted from 0."},
      {"v[0]=1,2", "a row of v has 3 numbers, and 2 are given."},
      {"q[0]=1", "a row of q has 3 numbers, and 1 is given."},
      {"scores[0]=1,2,3", "a row of scores has 4 numbers, and 3 are given."},
      {"weights[0][4]=1", "weights has no column 4"},
      {"wq[3]=1,2,3", "wq has no row 3"},
      {"wo[6]=1,2,3", "wo has no row 6"},
      {"bias[0]=1", "a row of bias has 4 numbers, and 1 is given."},
      {"x_sources[0]=1", "this example has no x_sources."},
      {"h2.v[0]=1,2,3", "there is no head 2: there are 2, counted from 0."},
      {"forbid=4,0", "there is no row 4: there are 4, counted from 0."},
      {"allow=*,4", "there is no column 4"},
      {"zero-weight=0,9", "there is no column 9"},
      {"uniform=h0,4", "there is no row 4"},
      {"permute=h2,0,1", "there is no head 2"},
      {"ablate=h2", "there is no head 2"},
      {"mean-ablate=h9", "there is no head 9"},
      {"alibi=h0:1,h2:1", "there is no head 2"},
      {"token[4]=a", "there is no position 4"},
      {"insert=5,a", "a token can be put before positions 0 to 4, the last being the end."},
      {"delete=4", "there is no position 4"},
      {"move=0,4", "there is no position 4"},
      {"move=4,0", "there is no position 4"},
      {"add-head=h2", "there is no head 2"},
      {"d_k=0", "a width goes from 1 to 64."},
      {"d_v=65", "a width goes from 1 to 64."},
  };
  for (const auto& each : kCases) {
    const std::string got = refusal(twoHeads(), {each.first});
    CHECK_MESSAGE(got.find(each.second) != std::string::npos, std::string(each.first), " → ", got);
    CHECK_MESSAGE(got.find("“" + std::string(each.first) + "” cannot be carried out: ") == 0, got);
  }
  CHECK(refusal(givenHeads(), {"wq[0]=1,2,3"}).find("this example has no wq.") != std::string::npos);
  CHECK(refusal(givenHeads(), {"x[0]=1"}).find("this example has no x.") != std::string::npos);
  CHECK(refusal(givenHeads(), {"wo[0]=1"}).find("has no wo, so y is the concatenated heads.") != std::string::npos);
  CHECK(refusal(twoHeads(), {"remove-head=h0", "remove-head=h0"}).find("the last head cannot be removed.") !=
        std::string::npos);
  CHECK(refusal(twoHeads(), Texts(4, "delete=0")).find("the last token cannot be deleted.") != std::string::npos);
  CHECK(refusal(twoHeads(), Texts(61, "insert=0,a")).find("there are 64 tokens, and tokens can be added up to 64.") !=
        std::string::npos);
  CHECK(refusal(twoHeads(), Texts(15, "add-head=h0")).find("there are 16 heads, and heads can be added up to 16.") !=
        std::string::npos);
  CHECK(refusal(twoHeads(), Texts(1000, "scale=1")) == "accepted");
  CHECK(refusal(twoHeads(), Texts(1001, "scale=1")) == "1001 edits are too many; give at most 1000.");
}

TEST_CASE("a long edit that does not fit is cut where it is quoted") {
  std::string edit = "x[0]=1";
  for (int n = 0; n < 10000; ++n) edit += ",1";
  const std::string message = refusal(twoHeads(), {edit});
  CHECK(message.size() < 200);
  CHECK(message.find("a row of x has 3 numbers, and 10001 are given.") != std::string::npos);
}

TEST_CASE("where an edit enters is named among the stages that there are") {
  using core::Stage;
  const Problem weighted = twoHeads(), given = givenHeads();
  const auto stage = [](const std::string& edit, const Problem& p) {
    return core::entryStage(core::parseEdit(edit).value(), edited(p, {edit}));
  };
  const std::pair<const char*, Stage> kCases[] = {
      {"x[0][0]=1", Stage::kQ}, {"wq[0][0]=1", Stage::kQ}, {"q[0][0]=1", Stage::kQ}, {"wk[0][0]=1", Stage::kK},
      {"k[0][0]=1", Stage::kK}, {"wv[0][0]=1", Stage::kV}, {"v[0][0]=1", Stage::kV}, {"scores[0][0]=1", Stage::kScores},
      {"scale=1", Stage::kScaled}, {"temperature=1", Stage::kScaled}, {"softcap=1", Stage::kSoftcapped},
      {"alibi=h0:1", Stage::kBiased}, {"bias[0][0]=1", Stage::kBiased}, {"forbid=0,0", Stage::kMasked},
      {"mask=causal", Stage::kMasked}, {"mask=none", Stage::kWeights}, {"sink=1", Stage::kWeights},
      {"weights[0][0]=1", Stage::kWeights}, {"uniform=h0,0", Stage::kWeights}, {"ablate=h0", Stage::kZ},
      {"wo[0][0]=1", Stage::kY}, {"token[0]=a", Stage::kQ}, {"d_k=1", Stage::kQ}};
  for (const auto& each : kCases)
    CHECK_MESSAGE(stage(each.first, weighted) == each.second, std::string(each.first));
  for (const std::string edit : {"q[0][0]=1", "k[0][0]=1", "v[0][0]=1", "delete=0"})
    CHECK(stage(edit, given) == Stage::kScores);
}
