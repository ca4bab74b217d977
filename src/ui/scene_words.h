// Blocks of words: paragraphs, headings, claims, questions, jumps, sources. Each draws from its top left and gives the
// height that it took.
#pragma once
#include "ui/scene_view.h"

namespace attn::ui {

float drawWords(SceneView& view, const lesson::Words& words, std::size_t block, float x, float y, float width);
float drawClaim(SceneView& view, const lesson::Claim& claim, std::size_t block, float x, float y, float width);
float drawQuestion(SceneView& view, const lesson::Question& question, std::size_t block, float x, float y,
                   float width);
float drawJump(SceneView& view, const lesson::Jump& jump, std::size_t block, float x, float y, float width);
float drawSource(SceneView& view, const lesson::Source& source, std::size_t block, float x, float y, float width);

// "What to look for": with the accent of what matters now.
float drawLook(SceneView& view, std::string_view text, float x, float y, float width);

// The words of a claim before and after its text.
std::string claimLead(const lesson::Claim& claim);  // "Wrong on purpose:" or ""
std::string claimTruth(const lesson::Claim& claim);  // "true", "false"
// "may not be read: causal"; a reason that is none of a mask stands for itself.
std::string blockedText(std::string_view reason);
// "Vaswani et al. (2017), Attention is all you need, section 3.2."
std::string sourceTitle(const lesson::Source& source);

}  // namespace attn::ui
