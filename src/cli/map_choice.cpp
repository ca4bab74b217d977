// The options of map, one after the other. See map_choice.h.
#include "cli/map_choice.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>

namespace attn::cli {
namespace {

using map::Index;

constexpr Index kMostPixels = Index(1) << 26;

// "a,b,c" or "axb": as many whole numbers ≥ 0 as `numbers` has room for.
bool readNumbers(std::string_view text, char between, std::span<Index> numbers) {
  for (std::size_t n = 0; n < numbers.size(); ++n) {
    const std::size_t end = n + 1 < numbers.size() ? text.find(between) : text.size();
    if (end == std::string_view::npos) return false;
    const std::optional<Index> number = numberOf(text.substr(0, end), 0);
    if (!number) return false;
    numbers[n] = *number;
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return true;
}

class Reading {
 public:
  Reading(const Parsed& parsed, const Sequences& all) : parsed_(parsed), all_(all) {}

  core::Result<MapChoice> choice() {
    for (const auto read : {&Reading::rect, &Reading::size, &Reading::kind, &Reading::headAndOut}) {
      if (const core::Check refused = (this->*read)()) return *refused;
    }
    return choice_;
  }

 private:
  std::optional<std::string> option(std::string_view name) const {
    const auto found = parsed_.options.find(name);
    return found == parsed_.options.end() ? std::nullopt : std::optional(found->second);
  }

  core::Check rect() {
    std::array<Index, 4> at = {0, 0, all_.T, all_.S};
    if (const auto text = option("--rect")) {
      const bool read = readNumbers(*text, ',', at);
      if (!read || at[0] >= at[2] || at[1] >= at[3] || at[2] > all_.T || at[3] > all_.S) {
        return core::Error{"--rect is \"" + *text + "\"; write r0,c0,r1,c1: from row r0 and column c0 up to before r1 and c1, within " +
                           std::to_string(all_.T) + " rows and " + std::to_string(all_.S) + " columns."};
      }
    }
    choice_.rows = {at[0], at[2]};
    choice_.columns = {at[1], at[3]};
    return {};
  }

  core::Check size() {
    constexpr Index kUsual = 1024;
    std::array<Index, 2> size = {std::min(kUsual, choice_.columns.size()), std::min(kUsual, choice_.rows.size())};
    if (const auto text = option("--size")) {
      if (!readNumbers(*text, 'x', size) || size[0] < 1 || size[1] < 1 || size[0] > choice_.columns.size() || size[1] > choice_.rows.size()) {
        return core::Error{"--size is \"" + *text + "\"; write WIDTHxHEIGHT in pixels, at most " + std::to_string(choice_.columns.size()) +
                           "x" + std::to_string(choice_.rows.size()) + ", the pairs of the rectangle."};
      }
    }
    if (size[0] > kMostPixels / size[1]) {
      return core::Error{"--size has more than " + std::to_string(kMostPixels) + " pixels; write a smaller one."};
    }
    choice_.width = size[0];
    choice_.height = size[1];
    return {};
  }

  // One of two words; the first is the preset.
  core::Check pick(const char* name, const char* preset, const char* other, bool& is_preset) const {
    const std::string word = option(name).value_or(preset);
    is_preset = word == preset;
    if (is_preset || word == other) return {};
    return core::Error{std::string(name) + " is \"" + word + "\"; write " + name + " " + preset + " or " + name + " " + other + "."};
  }

  core::Check kind() {
    bool linear = true;
    if (const auto refused = pick("--reduce", "max", "mean", choice_.largest)) return refused;
    if (const auto refused = pick("--what", "weight", "score", choice_.weights)) return refused;
    if (const auto refused = pick("--color", "linear", "log", linear)) return refused;
    choice_.logarithmic = !linear;
    if (linear || choice_.weights) return {};
    return core::Error{"--color log is for weights; scores may be negative."};
  }

  core::Check headAndOut() {
    if (const auto text = option("--head")) {
      const auto head = numberOf(*text, 0);
      if (!head || *head >= all_.heads) {
        return core::Error{"--head is \"" + *text + "\"; write a whole number from 0 to " + std::to_string(all_.heads - 1) + "."};
      }
      choice_.head = *head;
    }
    choice_.out = option("--out").value_or("");
    choice_.picture = choice_.out.ends_with(".png");
    if (choice_.picture || choice_.out.ends_with(".npy")) return {};
    return core::Error{choice_.out.empty() ? "--out is missing; name the .png or .npy file to write."
                                           : "--out is \"" + choice_.out + "\"; end it in .png, for a picture, or .npy, for numbers."};
  }

  const Parsed& parsed_;
  const Sequences& all_;
  MapChoice choice_;
};

}  // namespace

core::Result<MapChoice> readMapChoice(const Parsed& parsed, const Sequences& all) { return Reading(parsed, all).choice(); }

}  // namespace attn::cli
