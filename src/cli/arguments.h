// What stands behind a command: options with values, and the rest in order. Knows no command.
#pragma once
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "core/result.h"

namespace attn::cli {

struct Parsed {
  std::vector<std::string> plain;
  std::map<std::string, std::string, std::less<>> options;  // "--mask" → "causal"; a switch → ""
  std::vector<std::pair<std::string, std::string>> repeated;  // in order
};

// What a command takes besides options that stand once with a value.
struct OtherOptions {
  std::span<const std::string_view> repeated;  // with a value, any number of times
  std::span<const std::string_view> switches;  // without a value
};

// `known` lists the options that take a value, as "--name value" or "--name=value". Everything after "--" is plain.
// Refuses other options, an option that stands twice and one without its value.
core::Result<Parsed> parseArguments(std::string_view command, const Arguments& arguments,
                                    std::span<const std::string_view> known, const OtherOptions& others = {});

// A whole number ≥ `least`, and nothing behind it.
std::optional<std::ptrdiff_t> numberOf(std::string_view text, std::ptrdiff_t least);

// --mask: whether it is causal; nothing where it was not given.
core::Result<std::optional<bool>> causalOf(const Parsed& parsed);

}  // namespace attn::cli
