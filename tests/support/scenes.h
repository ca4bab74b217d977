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

// What a block tells: its words, or the title and note of its figure.
inline std::string wordsOf(const lesson::Block& block) {
  return std::visit(
      [](const auto& content) -> std::string {
        if constexpr (requires { content.title; content.note; }) return content.title + "\n" + content.note;
        else if constexpr (requires { content.text; }) return content.text;
        else return "";
      },
      block.content);
}

// Every text that is shown: words, claims, titles and notes of figures.
inline bool says(const lesson::Page& page, std::string_view words) {
  const auto has = [&](const std::string& text) { return text.find(words) != std::string::npos; };
  return has(page.look) || has(page.says) ||
         std::any_of(page.blocks.begin(), page.blocks.end(), [&](const auto& block) { return has(wordsOf(block)); });
}

// Which claims are shown and do not hold.
inline std::vector<std::string> falseClaims(const lesson::Page& page) {
  std::vector<std::string> texts;
  for (const lesson::Block& block : page.blocks) {
    const auto* claim = std::get_if<lesson::Claim>(&block.content);
    if (claim && !claim->holds) texts.push_back(claim->text);
  }
  return texts;
}

// What is marked as wrong on purpose.
inline std::vector<std::string> mistakesOf(const lesson::Page& page) {
  std::vector<std::string> texts;
  for (const lesson::Block& block : page.blocks) {
    const auto* claim = std::get_if<lesson::Claim>(&block.content);
    if (claim && claim->mistake) texts.push_back(claim->text);
  }
  return texts;
}

// The figure of that kind whose title holds these words; null when there is none.
template <class Figure>
const Figure* figureOf(const lesson::Page& page, std::string_view title) {
  for (const lesson::Block& block : page.blocks) {
    const auto* figure = std::get_if<Figure>(&block.content);
    if (figure && figure->title.find(title) != std::string::npos) return figure;
  }
  return nullptr;
}

}  // namespace attn::test
