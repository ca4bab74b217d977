// Exact zeros before a changed token, and the route that the last map does not show.
#include "support/problems.h"
#include "support/sanitized.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;
using core::Index;

TEST_CASE("no earlier row moves when a later token changes, in a stack of any depth") {
  for (int seed = 1; seed <= (kSanitized ? 1 : 3); ++seed) {
    for (int layers = 1; layers <= 6; ++layers) {
      for (int position = 0; position < 6; ++position) {
        const lesson::Page page = pageOf("causality", {{"seed", std::to_string(seed)}, {"layers", std::to_string(layers)},
                                                       {"position", std::to_string(position)}});
        CHECK(numberOf(page, "earlier_change") == 0);  // exactly: earlier rows are computed from the same numbers
        CHECK(flagOf(page, "earlier_stay"));
        const Matrix changes = matrixOf(page, "changes");
        for (Index j = position; j < 6; ++j) CHECK(changes(layers, j) > 0);  // and every row from there on does
      }
    }
  }
}

TEST_CASE("with one layer's mask missing earlier rows move, from that layer on") {
  for (int unmasked = 1; unmasked <= 3; ++unmasked) {
    const lesson::Page page = pageOf("causality", {{"unmasked", std::to_string(unmasked)}});
    CHECK_FALSE(flagOf(page, "earlier_stay"));
    CHECK(flagOf(page, "earlier_stay_with_all_masks"));
    const Matrix changes = matrixOf(page, "changes");
    for (Index row = 0; row <= 3; ++row) CHECK((changes(row, 0) > 0) == (row >= unmasked));
  }
}

TEST_CASE("layer 2 puts nothing on the first source, and changing it moves the output all the same") {
  for (const char* seed : {"1", "2", "3", "4"}) {
    const lesson::Page page = pageOf("causality", {{"seed", seed}});
    CHECK(numberOf(page, "weight_on_first") == 0);
    CHECK(flagOf(page, "output_moves"));
    CHECK(flagOf(page, "route_exists"));
    const lesson::Page cut = pageOf("causality", {{"seed", seed}, {"cut", "1"}});
    CHECK(numberOf(cut, "output_moved_by") == 0);
    CHECK_FALSE(flagOf(cut, "route_exists"));
  }
}

TEST_CASE("with nothing before the changed token there is nothing to call wrong, and the page says why") {
  for (const char* unmasked : {"0", "1"}) {
    const lesson::Page page = pageOf("causality", {{"position", "0"}, {"unmasked", unmasked}});
    CHECK(mistakesOf(page).empty());
    CHECK(says(page, "Nothing stands before position 0"));
  }
  CHECK(mistakesOf(pageOf("causality", {{"unmasked", "1"}})).size() == 1);
}

TEST_CASE("a layer without its mask is not counted among those that have it") {
  CHECK(says(pageOf("causality"), "In each, attention lets a position read itself and earlier ones"));
  CHECK(says(pageOf("causality", {{"unmasked", "3"}}), "In each but layer 3"));
  CHECK_FALSE(says(pageOf("causality", {{"layers", "1"}}), "1 layers"));
}

TEST_CASE("with the route cut the page claims that the output stays") {
  const lesson::Page page = pageOf("causality", {{"part", "route"}, {"cut", "1"}});
  CHECK(flagOf(page, "output_stays"));
  CHECK(falseClaims(page).empty());
  CHECK(says(page, "no route is left"));
}

}  // namespace
