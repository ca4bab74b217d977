// Enumerations whose values have a name each, in order. Knows none of them.
#pragma once
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace attn::core {

// The value that has this name; nothing when none has.
template <class Enum, std::size_t N>
std::optional<Enum> valueNamed(const std::array<std::string_view, N>& names, std::string_view name) {
  for (std::size_t i = 0; i < N; ++i)
    if (names[i] == name) return static_cast<Enum>(i);
  return std::nullopt;
}

}  // namespace attn::core
