// Per-token layers against attention: what may differ and what may not.
#include <doctest/doctest.h>

#include <algorithm>

#include "scene/scene.h"

namespace {

using namespace attn;

template <class Value>
Value resultOf(const lesson::Page& page, std::string_view name) {
  const auto found = std::find_if(page.results.begin(), page.results.end(), [&](const auto& result) { return result.name == name; });
  REQUIRE_MESSAGE(found != page.results.end(), std::string(name));
  return std::get<Value>(found->value);
}

lesson::Page pageOf(const lesson::Settings& settings) {
  core::Result<lesson::Page> page = scene::run("why-context", settings);
  REQUIRE_MESSAGE(page.ok(), (page ? "" : page.error().message));
  return page.take();
}

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

}  // namespace
