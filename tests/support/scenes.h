// A scene's page and its results by name, for tests.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "scene/scene.h"

namespace attn::test {

inline lesson::Page pageOf(std::string_view id, const lesson::Settings& settings = {}) {
  core::Result<lesson::Page> page = scene::run(id, settings);
  REQUIRE_MESSAGE(page.ok(), (page ? "" : page.error().message));
  return page.take();
}

template <class Value>
Value resultOf(const lesson::Page& page, std::string_view name) {
  const auto found =
      std::find_if(page.results.begin(), page.results.end(), [&](const auto& result) { return result.name == name; });
  REQUIRE_MESSAGE(found != page.results.end(), std::string(name));
  const Value* value = std::get_if<Value>(&found->value);
  REQUIRE_MESSAGE(value != nullptr, (std::string(name) + " is of another kind"));
  return *value;
}

inline double numberOf(const lesson::Page& page, std::string_view name) { return resultOf<double>(page, name); }
inline bool flagOf(const lesson::Page& page, std::string_view name) { return resultOf<bool>(page, name); }
inline std::string textOf(const lesson::Page& page, std::string_view name) { return resultOf<std::string>(page, name); }
inline std::vector<double> listOf(const lesson::Page& page, std::string_view name) {
  return resultOf<std::vector<double>>(page, name);
}
inline core::Matrix<double> matrixOf(const lesson::Page& page, std::string_view name) {
  return resultOf<core::Matrix<double>>(page, name);
}

// Every text that is shown: words, claims, titles.
inline bool says(const lesson::Page& page, std::string_view words) {
  if (page.says.find(words) != std::string::npos) return true;
  return std::any_of(page.blocks.begin(), page.blocks.end(), [&](const lesson::Block& block) {
    const auto* text = std::get_if<lesson::Words>(&block.content);
    const auto* claim = std::get_if<lesson::Claim>(&block.content);
    return (text && text->text.find(words) != std::string::npos) ||
           (claim && claim->text.find(words) != std::string::npos);
  });
}

}  // namespace attn::test
