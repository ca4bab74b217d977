// The text file of a scene, src/scene/texts/ID.json:
//   {"title": "…",
//    "look": "one line that says what to look for",
//    "params": [{"key": "d", "label": "Width d", "kind": "integer", "min": 1, "max": 512, "preset": "4",
//                "step": 1, "log": true, "main": true, "hint": "…", "shown": false, "context": false, "clears": false,
//                "turns": false, "live": false, "plays": false,
//                "options": [["id", "label"], …]}],
//    "page": [ITEM, …],
//    "says": "one or two sentences",
//    "further": [{"authors": "Vaswani et al.", "year": "2017", "title": "…", "section": "3.2",
//                 "measured": "what was measured, on which kind of model"}]}
// kind: integer number choice toggle seed order numbers text data. What has a "context" is told about the open example by
// whoever asks; the page itself does not have it. integer, number and numbers need min and max. A seed may be
// left without: 0 to 4294967295. The preset of an order is "0,1,2,…" unless it is given, that of a toggle "0".
// A choice without options has those that the computation gives it. With "clears": true, another value of a control
// sets all the others back; with "turns": true it is another page, seen from its top. With "live": true, a text counts
// at every key; with "plays": true the main control can step on by itself.
// ITEM is a text (a paragraph), or an object with one of
//   "text": text                                     a paragraph that has a "when"
//   "heading" "note" "code": text                    words in another style
//   "figure": NAME, "beside": bool, "title", "note"  a figure of the outputs; title and note replace its own
//   "claim": FLAG, "text": "…", "mistake": bool      a flag of the results in words; "otherwise": "…" replaces the text
//                                                    when it is false
//   "blocks": NAME                                   a list made in code
//   "question": "…", "answer": "…"
//   "jump": "label", "link": "v=1&scene=…"
// and "when": "NAME=VALUE" or "NAME!=VALUE", of a param or a result, or a list of them: the item is there only when all
// hold; those of "further" may have one too. Switches are "1" and "0", flags "true" and "false", choices their ids.
// "look" and "says" may also be lists of {"text": …, "when": …}: the first one whose "when" holds is said.
// In every text, {name} is a result or a param, {name[i]} and {name[i][j]} one number of it: whole numbers as they are,
// others with 4 decimals, {name:2} with 2, {name:exact} as 1/3 or √2 where it is, {name:grouped} as 16,640; flags read
// "true" or "false", switches "on" or "off", choices their labels, other params as they were set. "{{" is a brace.
#pragma once
#include <string_view>

#include "core/result.h"
#include "scene/scene.h"

namespace attn::scene {

// What is wrong with a text file is an error too: a test runs all of them.
core::Result<lesson::Page> compose(std::string_view id, std::string_view text, const Settings& settings, const Compute& compute,
                                   const Progress& progress);
core::Result<std::vector<lesson::Param>> readParams(std::string_view text);

// Sets the values of `params`. Refuses an unknown key, a key set twice and a value that its control does not allow.
core::Check applySettings(std::string_view id, const Settings& settings, std::vector<lesson::Param>& params);

}  // namespace attn::scene
