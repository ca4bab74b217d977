// What every panel gets while one frame is drawn.
#pragma once
#include <algorithm>

#include "app/session.h"
#include "core/language.h"
#include "ui/recorder.h"
#include "ui/theme.h"
#include "ui/view_state.h"

namespace attn::ui {

struct Frame {
  const app::Session& session;
  ViewState& view;
  Recorder& recorder;
  const Dispatch& dispatch;  // actions are carried out after the frame
  const Colors& colors;

  float scale() const { return view.scale; }
  float size(float at_scale_1) const { return at_scale_1 * view.scale; }
  // Controls: 32 pixels and more with larger text; 44 at least under a finger.
  float controlHeight() const { return std::max(size(32), view.environment.coarse_pointer ? 44.f : 0.f); }
};

}  // namespace attn::ui
