// A Page as JSON, for the way between the part that computes scenes and the part that shows them, and for the terminal.
#pragma once
#include <string>
#include <string_view>

#include "core/gate.h"
#include "core/result.h"
#include "lesson/page.h"

namespace attn::lesson {

// Refuses what nobody could show: a grid with other than rows·columns values, labels for some rows only, a mark outside,
// an edge to a row that is not there, two params of one key, a handle that moves no param. The sentence names the block.
core::Check checkPage(const Page& page);

// Everything of the page but its results. What is not finite is kept.
std::string pageJson(const Page& page);

// pageJson's own text. Refuses everything else, and what checkPage refuses, in one sentence.
ATTN_GATE core::Result<Page> parsePage(std::string_view json);

// {"scene", "params": {…}, "results": {…}, "says": "…"}: what `attnscope-cli scene` prints. Params are numbers where
// they are numbers, booleans where they are switches, otherwise texts.
std::string sceneJson(const Page& page);

}  // namespace attn::lesson
