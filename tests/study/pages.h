// Pages about the trained model, computed with the model of this repository.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>

#include "lesson/page.h"

namespace attn::test {

// All that it wants of web/data is there. One model serves all tests: reading it takes longer than most pages.
lesson::Page pageOf(const lesson::Settings& settings);

template <class Value>
const Value& result(const lesson::Page& page, std::string_view name) {
  const auto found = std::find_if(page.results.begin(), page.results.end(), [&](const auto& each) { return each.name == name; });
  REQUIRE_MESSAGE(found != page.results.end(), std::string(name));
  const auto* value = std::get_if<Value>(&found->value);
  REQUIRE(value);
  return *value;
}
inline double number(const lesson::Page& page, std::string_view name) { return result<double>(page, name); }

// Of the first one of the page.
inline const lesson::Grid& gridOf(const lesson::Page& page) {
  const auto found = std::find_if(page.blocks.begin(), page.blocks.end(), [](const auto& block) { return std::holds_alternative<lesson::Grid>(block.content); });
  REQUIRE(found != page.blocks.end());
  return std::get<lesson::Grid>(found->content);
}

inline bool isShown(const lesson::Page& page, std::string_view key) {
  return std::any_of(page.params.begin(), page.params.end(), [&](const lesson::Param& param) { return param.key == key && param.shown; });
}

}  // namespace attn::test
