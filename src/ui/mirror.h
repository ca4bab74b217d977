// The screen in words for assistive technology: headings, controls, the live line and the current matrix as a table.
#pragma once
#include <string>

#include "app/session.h"
#include "ui/recorder.h"
#include "ui/view_state.h"

namespace attn::ui {

// {"title","live","reading","explanation":[…],"headings":[index…],"controls":[{"id","label","role","enabled","checked","value","min","max",
//  "valueText","keys","group","first"}],  (a field of several lines has "lines": true; "about" is more than the label says)
//  "panel":{"title","words":[{"kind","text"}]} while settings, help or about is open; its controls have "panel":true;
//  "focus":{"asked","control"}: where the keyboard goes whenever "asked" is another number than before, "" = the stage;
//  "table":{"caption","columns":[…],"rows":[{"head","cells":[…]}],"cursor":[r,c]},
//  "given":[more such tables: what is given, before the first step]}.
// Controls in reading order; "first" ones stand before the explanation; "reading": the keyboard is inside the table.
// Tables up to 64×64; beyond, the rows around the selection and a summary line.
std::string mirrorJson(const app::Session& session, const ViewState& view, const Recorder& recorder);

// [{"label","role","x","y","w","h"}]: widgets and visible matrix cells in CSS pixels.
std::string layoutJson(const Recorder& recorder);

}  // namespace attn::ui
