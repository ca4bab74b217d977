// What a link's maker wants of the screen: how large it is, the note above the stage, and in a presentation the one sentence
// below it. Knows no stage.
#pragma once
#include "lesson/page.h"
#include "ui/layout.h"

namespace attn::ui {

bool hides(const Frame& frame, app::Part part);
bool presents(const Frame& frame);

// The text scale of a frame: what the person prefers; in a presentation at least so much that body text is 28 of 720 pixels.
float presentedScale(const app::Presentation& presentation, float preferred, float width, float height);

// No height without a note.
float noteStripHeight(Frame& frame, float width);
void drawNoteStrip(Frame& frame, const Rect& area);

// With the way out of the presentation.
float sentenceHeight(Frame& frame, float width);
void drawSentence(Frame& frame, const Rect& area);

void leavePresentation(Frame& frame);

// Of a scene's page, what is neither shown nor told: in a presentation all but its figures, where it has any.
bool leavesOut(const app::Presentation& shown, const lesson::Page& page, const lesson::Block& block);
bool leavesLookOut(const app::Presentation& shown, const lesson::Page& page);  // "What to look for"
// It uncovers what a prediction is about.
bool reveals(const lesson::Param& param);

}  // namespace attn::ui
