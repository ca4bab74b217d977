// The stage: one picture that reads like the equation, from X to the residual, with the current step in focus.
#pragma once
#include "app/session.h"
#include "ui/recorder.h"
#include "ui/view_state.h"

namespace attn::ui {

// Draws into the current ImGui window's region `area`; records visible cells as `weights[2][1]`.
void drawStage(const app::Session& session, ViewState& view, Recorder& recorder, const Dispatch& dispatch,
               const Rect& area);

// By the person's hand: the camera stops following the step. Pixels and screen points in CSS pixels.
void panStage(ViewState& view, float dx, float dy);
void zoomStage(ViewState& view, float factor, float x, float y);
// About the cursor or the step's result while it is in view, else about the middle of the stage.
void zoomStage(ViewState& view, float factor);
// Follows the step again.
void fitStage(ViewState& view);

}  // namespace attn::ui
