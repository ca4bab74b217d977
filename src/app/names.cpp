// Tables of names, in the order of the enumerations.
#include "app/names.h"

#include <array>

#include "core/names.h"

namespace attn::app {
namespace {

constexpr std::array<std::string_view, 2> kOrders = {"row", "stage"};
constexpr std::array<std::string_view, 4> kGrains = {"stage", "row", "cell", "term"};
constexpr std::array<std::string_view, 3> kMasks = {"document", "none", "causal"};
constexpr std::array<std::string_view, 3> kShown = {"after", "before", "difference"};
constexpr std::array<std::string_view, 4> kPalettes = {"viridis", "cividis", "magma", "grey"};

}  // namespace

std::string_view nameOf(Order order) { return kOrders[static_cast<std::size_t>(order)]; }
std::string_view nameOf(Grain grain) { return kGrains[static_cast<std::size_t>(grain)]; }
std::string_view nameOf(MaskChoice mask) { return kMasks[static_cast<std::size_t>(mask)]; }
std::string_view nameOf(Palette palette) { return kPalettes[static_cast<std::size_t>(palette)]; }
std::string_view nameOf(Shown shown) { return kShown[static_cast<std::size_t>(shown)]; }

std::optional<Order> parseOrder(std::string_view name) { return core::valueNamed<Order>(kOrders, name); }
std::optional<Grain> parseGrain(std::string_view name) { return core::valueNamed<Grain>(kGrains, name); }
std::optional<MaskChoice> parseMaskChoice(std::string_view name) { return core::valueNamed<MaskChoice>(kMasks, name); }
std::optional<Palette> parsePalette(std::string_view name) { return core::valueNamed<Palette>(kPalettes, name); }
std::optional<Shown> parseShown(std::string_view name) { return core::valueNamed<Shown>(kShown, name); }

std::string cursorText(const CellCursor& cursor) {
  const std::string name(core::arrayName(cursor.array));
  return name + "." + std::to_string(cursor.row) + "." + std::to_string(cursor.col);
}

std::optional<CellCursor> parseCursor(std::string_view text) {
  const std::size_t first = text.find('.');
  const std::size_t second = first == std::string_view::npos ? first : text.find('.', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto array = core::parseArray(text.substr(0, first));
  const auto row = parseCount(text.substr(first + 1, second - first - 1));
  const auto col = parseCount(text.substr(second + 1));
  if (!array || !row || !col) return std::nullopt;
  return CellCursor{*array, *row, *col};
}

std::optional<Index> parseCount(std::string_view text) {
  if (text.empty() || text.size() > 9) return std::nullopt;
  Index value = 0;
  for (char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    value = value * 10 + (c - '0');
  }
  return value;
}

}  // namespace attn::app
