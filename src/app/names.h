// The choices of a State by the names they have in links, actions and the API. Knows no other form.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "app/state.h"

namespace attn::app {

std::string_view nameOf(Order order);         // row, stage
std::string_view nameOf(Grain grain);         // stage, row, cell, term
std::string_view nameOf(MaskChoice mask);     // document, none, causal
std::string_view nameOf(Palette palette);     // viridis, cividis, magma, grey
std::string_view nameOf(Shown shown);         // after, before, difference

std::optional<Order> parseOrder(std::string_view name);
std::optional<Grain> parseGrain(std::string_view name);
std::optional<MaskChoice> parseMaskChoice(std::string_view name);
std::optional<Palette> parsePalette(std::string_view name);
std::optional<Shown> parseShown(std::string_view name);

// "weights.2.1": array, row, column.
std::string cursorText(const CellCursor& cursor);
std::optional<CellCursor> parseCursor(std::string_view text);

// A whole number of at most nine digits without sign.
std::optional<Index> parseCount(std::string_view text);

}  // namespace attn::app
