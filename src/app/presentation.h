// How whoever made a link wants the screen to be, for a class, a page or a person: not a moment of the computation, so undo
// leaves it as it is. Knows no screen.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace attn::app {

// What a link may leave out.
enum class Part : std::uint8_t { kContents, kExplain, kAnswers, kNumbers, kEdits };
inline constexpr std::array<std::string_view, 5> kPartNames{"contents", "explain", "answers", "numbers", "edits"};
inline constexpr std::size_t kLongestNote = 280;  // characters

struct Presentation {
  bool present = false;  // large type; only the stage, one sentence and the transport
  bool embed = false;    // slim, for a frame in another page
  std::array<bool, kPartNames.size()> hidden{};
  std::string note;  // plain text above the stage, one line of at most kLongestNote characters

  bool hides(Part part) const { return hidden[static_cast<std::size_t>(part)]; }
  bool operator==(const Presentation&) const = default;
};

// "answers.numbers": in the order of kPartNames. Reading allows commas and blanks as well; nothing for a name that is
// none of them.
std::string partsText(const Presentation& presentation);
std::optional<std::array<bool, kPartNames.size()>> parseParts(std::string_view text);

// One line: control characters as blanks, none at the ends, what is no UTF-8 as U+FFFD. Cut to kLongestNote characters.
std::string noteText(std::string_view text);
// True when noteText() cuts something off.
bool isLongNote(std::string_view text);

}  // namespace attn::app
