// The forms of values: texts in, checked texts out.
#include "scene/values.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/language.h"
#include "core/names.h"
#include "core/number.h"
#include "io/text.h"
#include "lesson/page_fields.h"

namespace attn::scene {
namespace {

using lesson::Param;
using lesson::ParamKind;

constexpr std::size_t kLongestText = 400;
constexpr std::size_t kLongestData = std::size_t(1) << 20;  // bytes; what is told of an open document may be longer

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(' ') - first + 1));
}

std::string bounds(const Param& param) {
  return core::fullText(param.minimum) + ".." + core::fullText(param.maximum);
}

core::Error refusal(const Param& param, const std::string& text) {
  const std::string range = rangeText(param);
  switch (param.kind) {
    case ParamKind::kInteger: case ParamKind::kSeed:
      return {tr("`{0}` is \"{1}\"; write an integer of {2}.", {param.key, text, range})};
    case ParamKind::kNumber: return {tr("`{0}` is \"{1}\"; write a number of {2}.", {param.key, text, range})};
    case ParamKind::kChoice: case ParamKind::kToggle:
      return {tr("`{0}` is \"{1}\"; write one of {2}.", {param.key, text, range})};
    case ParamKind::kOrder: case ParamKind::kNumbers: case ParamKind::kText: break;
    case ParamKind::kData: return {tr("`{0}` has {1} {1|byte|bytes}; give {2}.", {param.key, text.size(), range})};
  }
  return {tr("`{0}` is \"{1}\"; write {2}.", {param.key, text, range})};
}

std::optional<double> within(const Param& param, std::string_view text) {
  const std::optional<double> value = core::parseNumber(text);
  return value && *value >= param.minimum && *value <= param.maximum ? value : std::nullopt;
}

std::optional<std::string> integerValue(const Param& param, const std::string& text) {
  const std::optional<double> value = within(param, text);
  if (!value || *value != std::floor(*value) || std::abs(*value) > 9007199254740992.0) return std::nullopt;
  return std::to_string(static_cast<long long>(*value));
}

std::optional<std::string> switchValue(const std::string& text) {
  if (text == "1" || text == "true" || text == "on") return "1";
  if (text == "0" || text == "false" || text == "off") return "0";
  return std::nullopt;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) text += (i ? "," : "") + parts[i];
  return text;
}

std::optional<std::string> orderValue(const Param& param, const std::string& text) {
  std::vector<std::string> parts = splitList(text);
  if (parts.size() != param.options.size()) return std::nullopt;
  std::vector<bool> seen(parts.size(), false);
  for (std::string& part : parts) {
    const std::optional<double> index = core::parseNumber(part);
    if (!index || *index < 0 || *index >= static_cast<double>(seen.size()) || *index != std::floor(*index)) {
      return std::nullopt;
    }
    const auto at = static_cast<std::size_t>(*index);
    if (seen[at]) return std::nullopt;
    seen[at] = true;
    part = std::to_string(at);
  }
  return joined(parts);
}

std::optional<std::string> numbersValue(const Param& param, const std::string& text) {
  const std::vector<std::string> parts = splitList(text);
  if (parts.size() != splitList(param.preset).size()) return std::nullopt;
  for (const std::string& part : parts) {
    if (!within(param, part)) return std::nullopt;
  }
  return joined(parts);
}

std::optional<std::string> textValue(const std::string& text) {
  std::size_t count = 0;
  for (std::string_view rest = text; !rest.empty(); ++count) {
    rest.remove_prefix(static_cast<std::size_t>(std::max(1, io::characterLength(rest))));
  }
  return count <= kLongestText ? std::optional(text) : std::nullopt;
}

std::optional<std::string> oneForm(const Param& param, const std::string& text) {
  switch (param.kind) {
    case ParamKind::kInteger: case ParamKind::kSeed: return integerValue(param, text);
    case ParamKind::kNumber: return within(param, text) ? std::optional(trimmed(text)) : std::nullopt;
    case ParamKind::kChoice: {
      if (param.options.empty()) return textValue(text);  // known only to the computation
      const bool known = std::any_of(param.options.begin(), param.options.end(),
                                     [&](const lesson::ParamOption& option) { return option.id == text; });
      return known ? std::optional(text) : std::nullopt;
    }
    case ParamKind::kToggle: return switchValue(text);
    case ParamKind::kOrder: return orderValue(param, text);
    case ParamKind::kNumbers: return numbersValue(param, text);
    case ParamKind::kText: return textValue(text);
    case ParamKind::kData: return param.context || text.size() <= kLongestData ? std::optional(text) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

std::string_view kindName(ParamKind kind) { return lesson::kParamKindNames[static_cast<std::size_t>(kind)]; }

std::optional<ParamKind> parseKind(std::string_view name) { return core::valueNamed<ParamKind>(lesson::kParamKindNames, name); }

std::string rangeText(const Param& param) {
  std::string text;
  switch (param.kind) {
    case ParamKind::kInteger: case ParamKind::kNumber: case ParamKind::kSeed: return bounds(param);
    case ParamKind::kChoice:
      if (param.options.empty()) return tr("one that the page offers");
      for (const lesson::ParamOption& option : param.options) text += (text.empty() ? "" : "|") + option.id;
      return text;
    case ParamKind::kToggle: return "0|1";
    case ParamKind::kOrder: return tr("a permutation of 0..{0}, as 1,0,…", {param.options.size() - 1});
    case ParamKind::kNumbers:
      return tr("{0} {0|number|numbers} of {1}, with commas between", {splitList(param.preset).size(), bounds(param)});
    case ParamKind::kText: return tr("at most {0} characters", {kLongestText});
    case ParamKind::kData: return tr("at most {0} MiB of text", {kLongestData >> 20});
  }
  return text;
}

core::Result<std::string> checkedValue(const Param& param, const std::string& text) {
  std::optional<std::string> value = oneForm(param, text);
  if (!value) return refusal(param, text);
  return *std::move(value);
}

std::vector<std::string> splitList(std::string_view text) {
  std::vector<std::string> parts;
  for (std::size_t start = 0;;) {
    const std::size_t comma = text.find(',', start);
    parts.push_back(trimmed(text.substr(start, comma - start)));
    if (comma == std::string_view::npos) return parts;
    start = comma + 1;
  }
}

}  // namespace attn::scene
