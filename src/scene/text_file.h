// The text file of a scene, src/scene/texts/ID.json:
//   {"title": "…",
//    "look": "one line that says what to look for",
//    "find": "words to be found by",
//    "params": [{"key": "d", "label": "Width d", "kind": "integer", "min": 1, "max": 512, "preset": "4",
//                "step": 1, "log": true, "main": true, "hint": "…", "shown": false,
//                "options": [["id", "label"], …]}],
//    "page": [ITEM, …],
//    "says": "one or two sentences",
//    "further": [{"authors": "Vaswani et al.", "year": "2017", "title": "…", "section": "3.2",
//                 "measured": "what was measured, on which kind of model"}]}
// kind: integer number choice toggle seed order numbers text.
// ITEM is a text (a paragraph), or an object with one of
//   "heading" "note" "code": text                    words in another style
//   "figure": NAME, "beside": bool, "title", "note"  a figure of the outputs; title and note replace its own
//   "claim": FLAG, "text": "…", "mistake": bool       a flag of the results in words ("text" for true, "otherwise" for false)
//   "blocks": NAME                                   a list made in code
//   "question": "…", "answer": "…"
//   "jump": "label", "link": "v=1&scene=…"
// and "when": "NAME=VALUE" or "NAME!=VALUE", of a param or a result: the item is there only then.
// In every text, {name} is a result or a param: whole numbers as they are, others with 4 decimals, {name:2} with 2,
// {name:exact} as 1/3 or √2 where it is; flags read "true" or "false"; choices read their labels. "{{" is a brace.
#pragma once
#include <string_view>

#include "core/result.h"
#include "scene/scene.h"

namespace attn::scene {

core::Result<lesson::Page> compose(std::string_view id, std::string_view text, const Settings& settings, Compute compute,
                                   const Progress& progress);
core::Result<std::vector<lesson::Param>> readParams(std::string_view text);

}  // namespace attn::scene
