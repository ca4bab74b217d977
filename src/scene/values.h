// What the value of a control may be, and what it is as a number, a switch or a list. Knows no scene.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "lesson/page.h"

namespace attn::scene {

// As in text files and in --keys: "integer", …, "text".
std::string_view kindName(lesson::ParamKind kind);
std::optional<lesson::ParamKind> parseKind(std::string_view name);

// "1..6", "none|causal", "a permutation of 0..4": what may be written for it.
std::string rangeText(const lesson::Param& param);

// The value in its one form ("true" becomes "1", " 07" becomes "7"); refuses what the control does not allow.
core::Result<std::string> checkedValue(const lesson::Param& param, const std::string& text);

// Parts between commas, without blanks around them.
std::vector<std::string> splitList(std::string_view text);

}  // namespace attn::scene
