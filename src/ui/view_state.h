// What the screen itself owns and no link or undo carries: theme, open panels, the camera, what hovers.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/action.h"
#include "figure/heatmap.h"

namespace attn::ui {

enum class Theme { kSystem, kLight, kDark };

// What the platform knows about the person's machine; set before each frame.
struct Environment {
  bool system_dark = false;
  bool reduced_motion = false;
  bool forced_colors = false;   // high contrast
  bool coarse_pointer = false;  // touch: targets of at least 44 CSS pixels
  float pixel_ratio = 1;        // framebuffer pixels per CSS pixel
  double now = 0;               // seconds, monotonic
};

// The stage's view of its world, in CSS pixels per cell and world units (cells).
struct Camera {
  bool automatic = true;  // follow the step; false once the person has panned or zoomed
  float cell = 44;
  float x = 0, y = 0;
};

struct ViewState {
  Theme theme = Theme::kSystem;
  float text_scale = 1;       // 0.8–2
  bool letter_keys = true;    // single-letter shortcuts
  bool contents_open = true;
  bool help_open = false;
  bool about_open = false;
  int phone_tab = 0;          // on narrow screens: 0 explanation, 1 contents, 2 settings
  bool stage_focused = true;  // the keys of the stage apply
  bool in_matrix = false;     // Enter moved the keyboard into a matrix
  Camera camera;
  std::optional<app::CellCursor> hover;
  Environment environment;
  // Filled by the stage, drawn by the platform's renderer at the place the draw list calls for.
  std::vector<figure::HeatmapRequest> heatmaps;
  // Called from an ImGui draw callback with the index into `heatmaps`; set by the platform, null in tests without GL.
  std::function<void(const figure::HeatmapRequest&)> draw_heatmap;
  // Set by views that are still moving: the platform keeps drawing.
  bool animating = false;
};

using Dispatch = std::function<void(app::Action)>;

}  // namespace attn::ui
