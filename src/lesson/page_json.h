// A Page as JSON, for the way between the part that computes scenes and the part that shows them, and for the terminal.
#pragma once
#include <string>
#include <string_view>

#include "core/result.h"
#include "lesson/page.h"

namespace attn::lesson {

// Everything of the page but its results. What is not finite is kept.
std::string pageJson(const Page& page);

// pageJson's own text. Refuses everything else in one sentence.
core::Result<Page> parsePage(std::string_view json);

// {"scene", "params": {…}, "results": {…}, "says": "…"}: what `attnscope-cli scene` prints. Params are numbers where
// they are numbers, booleans where they are switches, otherwise texts.
std::string sceneJson(const Page& page);

}  // namespace attn::lesson
