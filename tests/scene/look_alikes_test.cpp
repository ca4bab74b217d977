// Three acts that look alike: the numbers of the lesson and of the base case, and what is claimed of them.
#include "app/link.h"
#include "app/session.h"
#include "core/trace.h"
#include "lesson/edits.h"
#include "support/generated_documents.h"
#include "support/problems.h"
#include "support/sanitized.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;
using lesson::Settings;
using Texts = std::vector<std::string>;

lesson::Page acts(const Settings& settings) { return test::pageOf("look-alikes", settings); }

double off(const Matrix& a, const Matrix& b) { return largestDifference(a, b); }

std::string causalBase() {
  Problem problem = baseCase();
  problem.mask.causal = true;
  return documentOf(problem);
}

TEST_CASE("three acts on source 0 of the base case under the causal mask") {  // C4
  const lesson::Page page = acts({{"example", causalBase()}, {"source", "0"}, {"all_rows", "1"}});
  const Matrix c2 = matrix({{1, 0, 0}, {.330238, .669762, 0}, {.248255, .248255, .503490}});
  const Matrix z = matrix({{0, 0}, {2.009285, 2.679046}, {3.262214, 4.013959}});
  CHECK(off(matrixOf(page, "weights_as_it_is"), c2) < 1e-6);
  CHECK(off(matrixOf(page, "z_as_it_is"), matrix({{1, 2}, {2.339523, 3.339523}, {3.510470, 4.510470}})) < 1e-6);
  CHECK(matrixOf(page, "weights_value_zeroed") == matrixOf(page, "weights_as_it_is"));
  CHECK(off(matrixOf(page, "z_value_zeroed"), z) < 1e-6);
  CHECK(off(matrixOf(page, "z_weight_zeroed"), z) < 1e-6);
  CHECK(matrixOf(page, "z_weight_zeroed") == matrixOf(page, "z_value_zeroed"));
  const std::vector<double> sums = listOf(page, "sums_weight_zeroed");
  CHECK(std::abs(sums[0]) < 1e-6);
  CHECK(std::abs(sums[1] - .669762) < 1e-6);
  CHECK(std::abs(sums[2] - .751745) < 1e-6);
  CHECK(off(matrixOf(page, "weights_forbidden"), matrix({{0, 0, 0}, {0, 1, 0}, {0, .330238, .669762}})) < 1e-6);
  CHECK(off(matrixOf(page, "z_forbidden"), matrix({{0, 0}, {3, 4}, {4.339523, 5.339523}})) < 1e-6);
  CHECK(falseClaims(page).empty());
  CHECK(resultOf<Texts>(page, "edits_written") == Texts{"v[0]=0,0", "zero-weight=*,0", "forbid=*,0"});
}

TEST_CASE("the lesson's zeroed value and its forbidden source") {  // L2, L3
  const lesson::Page page = acts({{"row", "2"}, {"source", "1"}});
  CHECK(matrixOf(page, "row_z").row(1) == core::RowVector<double>{{1.5, 2}});
  const core::RowVector<double> forbidden = matrixOf(page, "row_weights").row(3);
  CHECK((forbidden - core::RowVector<double>{{1. / 3, 0, 2. / 3}}).cwiseAbs().maxCoeff() < 1e-15);
  CHECK((matrixOf(page, "row_z").row(3) - core::RowVector<double>{{2, 8. / 3}}).cwiseAbs().maxCoeff() < 1e-15);
  CHECK(matrixOf(page, "weights_forbidden").topRows(2) == matrixOf(page, "weights_as_it_is").topRows(2));
  CHECK(falseClaims(page).empty());
}

TEST_CASE("each act is what its edit does, bit for bit, with any rules and edits before it") {
  for (std::uint64_t seed = 1; seed <= (test::kSanitized ? 4 : 12); ++seed) {
    Random random(seed);
    Problem problem = randomProblem(random, 5, 6, 4, seed % 2 ? 2 : 4);
    problem.mask.causal = seed % 3 == 0;
    if (seed % 4 == 0) problem.softcap = 2;
    if (seed % 4 == 1) problem.sink = {0.5};
    if (seed % 4 == 2) problem.alibi = {1, .5, .25, .125};
    const std::string base = seed % 2 ? "weights[4][2]=0.75;h1.scores[3][0]=2" : "mean-ablate=h0;uniform=h1,2";
    const std::string head = std::to_string(seed % 4);
    const std::string document = documentOf(problem);
    const lesson::Page page = acts({{"example", document}, {"edits", base}, {"row", "3"}, {"source", "2"},
                                    {"of_head", head}, {"all_rows", seed % 2 ? "0" : "1"}});
    const Texts written = resultOf<Texts>(page, "edits_written");
    const std::string names[] = {"value_zeroed", "weight_zeroed", "forbidden"};
    for (std::size_t act = 0; act < 3; ++act) {
      CAPTURE(seed);
      CAPTURE(written[act]);
      auto example = lesson::parseExample(document, "");
      REQUIRE(example.ok());
      auto edited = lesson::editExample(example.take(), lesson::splitEdits(base + ";" + written[act]));
      REQUIRE(edited.ok());
      const Trace trace = test::traceOf(edited.value().problem);
      const auto& expected = trace.heads[static_cast<std::size_t>(seed % 4)];
      CHECK(matrixOf(page, "weights_" + names[act]) == expected.softmax.weights);
      CHECK(matrixOf(page, "z_" + names[act]) == expected.z);
    }
  }
}

TEST_CASE("equal values are an exception, and the claim is computed") {
  Problem problem = baseCase();
  problem.v = {matrix({{1, 2}, {1, 2}, {1, 2}})};
  const lesson::Page page = acts({{"example", documentOf(problem)}, {"source", "0"}});
  CHECK(flagOf(page, "first_two_agree_in_z"));
  CHECK(flagOf(page, "forbidding_differs_in_z"));  // of a z that shrank
  problem.v = {matrix({{0, 0}, {1, 2}, {0, 0}})};
  problem.q = {matrix({{0, 0}, {0, 0}, {0, 0}})};
  const lesson::Page zero = acts({{"example", documentOf(problem)}, {"source", "0"}, {"row", "1"}});
  CHECK(flagOf(zero, "forbidding_differs_in_z"));  // the rest grows
  problem.v = {matrix({{0, 0}, {0, 0}, {0, 0}})};
  const lesson::Page none = acts({{"example", documentOf(problem)}, {"source", "0"}, {"row", "1"}});
  CHECK_FALSE(flagOf(none, "forbidding_differs_in_z"));
  CHECK(says(none, "an exception which the values allow"));
}

TEST_CASE("a source that is not read at all cannot be taken away") {
  const lesson::Page page = acts({{"row", "0"}, {"source", "2"}});
  CHECK(flagOf(page, "weight_is_zero"));
  CHECK(flagOf(page, "all_alike"));
  CHECK(says(page, "does not read position 3 at all"));
}

TEST_CASE("a row whose only source is forbidden has no distribution, and nothing becomes undefined") {
  const lesson::Page page = acts({{"row", "0"}, {"source", "0"}});
  CHECK(flagOf(page, "nothing_left"));
  CHECK(matrixOf(page, "row_z").allFinite());
  CHECK(says(page, "without a source"));
  CHECK(says(page, "leaves it no source at all"));
}

TEST_CASE("each jump opens the walkthrough with that edit behind those that were there") {
  const lesson::Page page = acts({{"edits", "scale=1"}, {"mask", "causal"}, {"row", "2"}, {"source", "1"}});
  app::Library library;
  Texts last;
  for (const auto& block : page.blocks) {
    const auto* jump = std::get_if<lesson::Jump>(&block.content);
    if (!jump) continue;
    const app::DecodedLink decoded = app::decodeLink(jump->link, library);
    CHECK(decoded.notes.empty());
    CHECK(decoded.state.mask == app::MaskChoice::kCausal);
    CHECK(decoded.state.row == 2);
    REQUIRE(decoded.state.edits.size() == 2);
    CHECK(decoded.state.edits[0] == "scale=1");
    last.push_back(decoded.state.edits[1]);
  }
  CHECK(last == Texts{"v[1]=0,0", "zero-weight=2,1", "forbid=2,1"});
  const lesson::Page opened = acts({{"example", causalBase()}});
  CHECK_FALSE(flagOf(opened, "by_link"));
  CHECK(says(opened, "zero-weight=2,1"));
}

}  // namespace
