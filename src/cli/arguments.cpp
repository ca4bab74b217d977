// Splitting a command line into options and the rest.
#include "cli/arguments.h"

#include <algorithm>
#include <charconv>

namespace attn::cli {
namespace {

bool holds(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

core::Result<Parsed> parseArguments(std::string_view command, const Arguments& arguments,
                                    std::span<const std::string_view> known, const OtherOptions& others) {
  const std::string help = "see attnscope-cli " + std::string(command) + " --help";
  Parsed parsed;
  bool plain_only = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (plain_only || argument.size() < 2 || argument[0] != '-') {
      parsed.plain.push_back(argument);
      continue;
    }
    if (argument == "--") {
      plain_only = true;
      continue;
    }
    const std::size_t equals = argument.find('=');
    const std::string name = argument.substr(0, equals);
    const bool repeats = holds(others.repeated, name), is_switch = holds(others.switches, name);
    if (!holds(known, name) && !repeats && !is_switch) {
      return core::Error{"The command " + std::string(command) + " has no option " + name + "; " + help + "."};
    }
    if (is_switch && equals != std::string::npos) {
      return core::Error{"The option " + name + " takes no value; leave it out."};
    }
    if (!is_switch && equals == std::string::npos && i + 1 == arguments.size()) {
      return core::Error{"The option " + name + " stands without a value; " + help + "."};
    }
    std::string value = is_switch ? "" : equals == std::string::npos ? arguments[++i] : argument.substr(equals + 1);
    if (repeats) parsed.repeated.emplace_back(name, std::move(value));
    else if (!parsed.options.emplace(name, std::move(value)).second) {
      return core::Error{"The option " + name + " stands twice; give it once."};
    }
  }
  return parsed;
}

std::optional<std::ptrdiff_t> numberOf(std::string_view text, std::ptrdiff_t least) {
  std::ptrdiff_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least) return {};
  return number;
}

core::Result<std::optional<bool>> causalOf(const Parsed& parsed) {
  const auto mask = parsed.options.find("--mask");
  if (mask == parsed.options.end()) return std::optional<bool>();
  const bool causal = mask->second == "causal";
  if (causal || mask->second == "none") return std::optional<bool>(causal);
  return core::Error{"--mask is \"" + mask->second + "\"; write --mask none or --mask causal."};
}

}  // namespace attn::cli
