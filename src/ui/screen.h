// The whole screen: one calm layout, wide or narrow. Reads the Session, emits Actions after the frame.
#pragma once
#include "app/session.h"
#include "ui/recorder.h"
#include "ui/view_state.h"

namespace attn::ui {

// Once per ImGui context: fonts and style.
void setUp();

// Between ImGui::NewFrame and ImGui::Render.
void drawScreen(const app::Session& session, ViewState& view, Recorder& recorder, const Dispatch& dispatch);

}  // namespace attn::ui
