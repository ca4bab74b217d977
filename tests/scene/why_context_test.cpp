// Per-token layers against attention: what may differ and what may not.
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;

lesson::Page pageOf(const lesson::Settings& settings) { return test::pageOf("why-context", settings); }

TEST_CASE("without attention the same word is the same vector, however many layers, and with attention it is not") {
  for (int layers = 1; layers <= 6; ++layers) {
    for (const char* seed : {"0", "1", "77", "4294967295"}) {
      const lesson::Page page = pageOf({{"layers", std::to_string(layers)}, {"seed", seed}});
      CHECK(resultOf<bool>(page, "equal"));
      CHECK_FALSE(resultOf<bool>(page, "equal_with_attention"));
      CHECK(resultOf<double>(page, "change_per_token") == 0);  // the same operations on the same numbers: exactly
      CHECK(resultOf<double>(page, "change_with_attention") > 0);
      CHECK(resultOf<std::vector<double>>(page, "difference_per_token") == std::vector<double>(static_cast<std::size_t>(layers) + 1, 0));
    }
  }
}

TEST_CASE("position vectors tell where a word stands, not what stands beside it") {
  const lesson::Page page = pageOf({{"positions", "1"}});
  CHECK_FALSE(resultOf<bool>(page, "equal"));
  CHECK(resultOf<double>(page, "change_per_token") == 0);
  const lesson::Page same_place = pageOf({{"positions", "1"}, {"first", "in the bank"}, {"second", "the river bank"}});
  CHECK(resultOf<bool>(same_place, "equal"));
  CHECK_FALSE(resultOf<bool>(same_place, "equal_with_attention"));
}

TEST_CASE("equal sentences have equal outputs both ways") {
  const lesson::Page page = pageOf({{"first", "a b"}, {"second", "a b"}});
  CHECK(resultOf<bool>(page, "equal"));
  CHECK(resultOf<bool>(page, "equal_with_attention"));
}

TEST_CASE("sentences that cannot be compared are refused") {
  CHECK_FALSE(scene::run("why-context", {{"second", "the river"}}).ok());
  CHECK_FALSE(scene::run("why-context", {{"first", "  "}}).ok());
  CHECK(scene::run("why-context", {{"first", "bank"}}).ok());
}

TEST_CASE("what is said without attention is so with and without position vectors") {
  const lesson::Page moved = pageOf({{"positions", "1"}, {"layers", "4"}});  // word 3 and word 4
  CHECK_FALSE(says(moved, "stay alike"));
  CHECK_FALSE(says(moved, "line stays at"));
  CHECK(says(moved, "word 3 of one sentence and word 4 of the other"));
  CHECK(says(moved, "for the place where it stands"));
  CHECK(falseClaims(moved).empty());
  const lesson::Page same_place = pageOf({{"positions", "1"}, {"first", "in the bank"}, {"second", "the river bank"}});
  for (const lesson::Page& page : {pageOf({}), same_place}) {
    CHECK(says(page, "stay alike"));
    CHECK(says(page, "the line stays at 0."));
    CHECK(falseClaims(page).empty());
  }
}

TEST_CASE("the same words in another order are the same to attention without positions, to rounding") {
  const lesson::Page page = pageOf({{"first", "money in the bank"}, {"second", "the money in bank"}});
  CHECK_FALSE(resultOf<bool>(page, "differ_with_attention"));
  CHECK(resultOf<double>(page, "largest_with_attention") < 1e-9);
  const lesson::Page placed =
      pageOf({{"first", "money in the bank"}, {"second", "the money in bank"}, {"positions", "1"}});
  CHECK(resultOf<bool>(placed, "differ_with_attention"));
}

TEST_CASE("a word alone has no neighbours to replace, and one layer is not several") {
  const lesson::Page page = pageOf({{"first", "bank"}, {"layers", "1"}});
  CHECK(says(page, "no other word"));
  CHECK_FALSE(says(page, "other words of sentence 1"));
  CHECK_FALSE(says(page, "1 per-token layers"));
}

}  // namespace
