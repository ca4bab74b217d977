// A verdict as a card: what was predicted, what came out, and whether that agrees, in words. Knows no task.
#pragma once
#include "ui/scene_view.h"

namespace attn::ui {

float drawVerdict(SceneView& view, const lesson::Verdict& verdict, std::size_t block, float x, float y, float width);

// Its lines, as the card and the mirror have them.
std::string predictionLine(const lesson::Verdict& verdict);  // "Yours: 1/4"
std::string answerLine(const lesson::Verdict& verdict);      // "Computed: 1/3 (0.3333)"
std::string noteLine(const lesson::Verdict& verdict);        // "Your note: …"

}  // namespace attn::ui
