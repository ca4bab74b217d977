// Labels, scales and metrics from the Trace and the choices.
#include "ui/stage_memory.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/cells.h"
#include "core/compare.h"
#include "ui/paint.h"
#include "ui/stage_cells.h"

namespace attn::ui {
namespace {

using core::Array;
using core::Index;

constexpr float kLongestLabel = 84;   // CSS pixels at text scale 1
constexpr Index kMeasuredLabels = 256;  // the room is found from the first ones
constexpr double kMostShrunk = 2.5;

double largestMagnitude(const core::ArrayView& view) { return app::largestMagnitude(view.data, view.rows * view.columns); }

void findScales(StageMemory& memory) {
  double vectors = 0, parameters = 0, scores = 0, scaled = 0;
  for (const figure::EquationPart& part : memory.equation.parts) {
    double& group = core::isParameter(part.array) ? parameters : !part.map ? vectors : part.array == Array::kScores ? scores : scaled;
    if (part.array != Array::kWeights) {
      group = std::max(group, largestMagnitude(core::arrayOf(*memory.trace, memory.head, part.array)));
    }
  }
  memory.scales.vectors = app::signedScale(vectors);
  // One scale for both while that leaves the smaller ones visible: then scaling is seen to shrink.
  if (scores <= kMostShrunk * scaled) {
    scores = scaled = std::max(scores, scaled);
  }
  if (std::max(vectors, parameters) <= kMostShrunk * std::min(vectors, parameters)) {
    vectors = parameters = std::max(vectors, parameters);
  }
  memory.scales.parameters = app::signedScale(parameters);
  memory.scales.scores = app::signedScale(scores);
  memory.scales.scaled = app::signedScale(scaled);
  memory.scales.weights = app::weightScale(*memory.trace, memory.head, memory.scales.weights_clipped);
  if (memory.shown != app::Shown::kDifference) return;
  memory.scales.weights = app::signedScale(largestMagnitude(core::arrayOf(*memory.trace, memory.head, Array::kWeights)));
  memory.scales.weights_clipped = false;
}

// Which numbers the stage shows. True when they are others than before.
bool chooseTrace(StageMemory& memory, const app::Session& session) {
  const app::State& state = session.state();
  const auto& before = session.before().trace;
  const StageMemory::Sources sources{session.sharedTrace(), before, state.head, session.headBefore(), state.shown};
  if (sources == memory.sources) return false;
  const bool other_trace = memory.trace != sources.after;
  memory.sources = sources;
  memory.comparable = session.compares() && core::sameShapes(*before, sources.head_before, *sources.after, state.head);
  memory.shown = memory.comparable ? state.shown : app::Shown::kAfter;
  if (memory.shown == app::Shown::kAfter) {
    memory.trace = sources.after;
    return other_trace;
  }
  memory.trace = memory.shown == app::Shown::kBefore
                     ? before
                     : std::make_shared<const core::Trace<double>>(
                           core::differenceOf(*before, sources.head_before, *sources.after, state.head));
  return true;
}

void findLabels(StageMemory& memory, const app::Session& session) {
  const bool before = memory.shown == app::Shown::kBefore;
  const lesson::Example& example = before ? *session.before().example : session.example();
  const bool show_spaces = session.state().show_spaces;
  memory.row_labels = app::axisLabels(example, false, show_spaces).labels;
  memory.columns = app::axisLabels(example, true, show_spaces);
}

float labelRoom(const StageMemory& memory, const std::vector<std::string>& labels, float most) {
  float widest = 0;
  for (std::size_t i = 0; i < std::min<std::size_t>(labels.size(), kMeasuredLabels); ++i) {
    widest = std::max(widest, memory.metrics.measure(figure::Typeface::kStrong, memory.metrics.label_size, labels[i]));
  }
  return std::min(std::ceil(widest) + 2, most);
}

void findMetrics(StageMemory& memory, float text_scale) {
  if (memory.text_scale != text_scale || !memory.metrics.measure) {
    memory.metrics.measure = cachedMeasure();
  }
  memory.text_scale = memory.metrics.text_scale = text_scale;
  memory.metrics.title_size = 17 * text_scale;
  memory.metrics.note_size = 13 * text_scale;
  memory.metrics.label_size = 13.5f * text_scale;
  memory.metrics.row_label = labelRoom(memory, memory.row_labels, kLongestLabel * text_scale);
  memory.metrics.source_label = labelRoom(memory, memory.columns.labels, kLongestLabel * text_scale);
}

}  // namespace

void refresh(StageMemory& memory, const app::Session& session, float text_scale) {
  const app::State& state = session.state();
  const bool other_trace = chooseTrace(memory, session);
  if (other_trace) {
    memory.textures.clear();
  }
  const app::Index head = memory.shown == app::Shown::kBefore ? memory.sources.head_before : state.head;
  const bool other_head = memory.head != head;
  if (other_trace || other_head) {
    memory.head = head;
    memory.equation = figure::equationOf(*memory.trace, head);
    for (std::size_t n = 0; n < memory.edited.size(); ++n)
      memory.edited[n] = app::editedState(session, static_cast<Array>(n));
    findScales(memory);
  }
  const bool other_numbers = memory.exact != state.exact || memory.decimals != state.decimals;
  if (other_numbers) {
    memory.printed.clear();
  }
  const bool other_measure = memory.text_scale != text_scale;
  if (other_trace || memory.show_spaces != state.show_spaces || memory.text_scale != text_scale) {
    findLabels(memory, session);
    memory.show_spaces = state.show_spaces;
    findMetrics(memory, text_scale);
  }
  memory.exact = state.exact;
  memory.decimals = state.decimals;
  if (other_trace || other_head || other_numbers || other_measure) {
    memory.number_cell = StageCells(memory, session).numberCell();
  }
}

}  // namespace attn::ui
