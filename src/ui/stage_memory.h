// What the stage keeps between frames: layout, textures, printed numbers, the camera's way, the pointer's drag.
// Nothing of it is a choice; all of it could be made again.
#pragma once
#include <array>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/cells.h"
#include "app/edit_words.h"
#include "app/session.h"
#include "figure/equation_layout.h"
#include "figure/heatmap.h"
#include "ui/stage_parts.h"

namespace attn::ui {

// Cells in CSS pixels, and which point of the whole picture (0–1) is in the middle of the stage.
struct Pose {
  float cell = 44;
  float x = 0.5f, y = 0.5f;
  bool operator==(const Pose&) const = default;
};

struct ScaleSet {
  figure::Scale vectors, parameters;
  figure::Scale scores, scaled, weights;  // scores: before the scale is applied; scaled: after it
  bool weights_clipped = false;  // the highest colour stands for "this and more"
};

struct StageMemory {
  // Made from this Trace and head: those of the edited example, those that it is compared with, or the difference.
  std::shared_ptr<const core::Trace<double>> trace;
  app::Index head = -1;
  struct Sources {  // what `trace` has been made from
    std::shared_ptr<const core::Trace<double>> after, before;
    app::Index head_after = -1, head_before = -1;
    app::Shown asked = app::Shown::kAfter;
    bool operator==(const Sources&) const = default;
  };
  Sources sources;
  app::Shown shown = app::Shown::kAfter;
  bool comparable = false;  // there is a before, and all of its arrays have the shapes of the present ones
  figure::Equation equation;
  std::array<app::Edited, core::kArrayCount> edited{};  // by array
  ScaleSet scales;
  std::vector<std::string> row_labels;  // "1 cat"
  app::AxisLabels columns;
  float number_cell = 0;  // the smallest cell that holds every number of the picture in the form asked for
  std::map<std::pair<core::Array, app::Index>, std::shared_ptr<const figure::HeatmapData>> textures;  // array, head

  // Made from these choices too.
  bool exact = true, show_spaces = false;
  int decimals = 4;
  std::vector<std::unordered_map<double, std::string>> printed;  // per form

  figure::LayoutMetrics metrics;
  float text_scale = 0;
  figure::EquationLayout layout;  // at the camera's cell size
  figure::Box canvas;             // of the picture on the screen
  figure::Point origin;           // of the layout on the screen
  std::optional<figure::Point> anchor;  // on the screen: what zooming without a pointer keeps in place

  // The camera's way.
  bool placed = false;
  Pose from, to;
  double moved_at = -10;
  struct TargetKey {
    const void* trace = nullptr;
    app::Index head = 0;
    std::optional<app::Step> step;
    float width = 0, height = 0, text_scale = 0, number_cell = 0;
    bool operator==(const TargetKey&) const = default;
  };
  TargetKey target_key;
  Pose target;

  // Whether the picture alone shows the numbers of the step, else the lens does.
  TargetKey numbers_key;
  bool numbers_fit = true, lens = false;

  // Operands on their way to the result.
  std::optional<app::Step> shown_step;
  app::Index shown_position = 0;
  double step_at = -10;

  // The pointer.
  bool pressed = false, dragging = false;
  figure::Point press;
};

// Brings everything that depends on Trace, head and choices up to date.
void refresh(StageMemory& memory, const app::Session& session, float text_scale);

}  // namespace attn::ui
