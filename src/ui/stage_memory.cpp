// Labels, scales and metrics from the Trace and the choices.
#include "ui/stage_memory.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/explain.h"
#include "core/compare.h"
#include "ui/paint.h"
#include "ui/stage_cells.h"

namespace attn::ui {
namespace {

using core::Array;
using core::Index;

constexpr float kLongestLabel = 84;   // CSS pixels at text scale 1
constexpr Index kMeasuredLabels = 256;  // the room is found from the first ones
constexpr double kClippedShare = 0.99;  // of the weights, where single ones would leave the rest in the dark
constexpr double kMostShrunk = 2.5;
constexpr Index kManySources = 32;

double largestMagnitude(const core::ArrayView& view) {
  double largest = 0;
  for (Index i = 0; i < view.rows * view.columns; ++i) {
    if (std::isfinite(view.data[i])) {
      largest = std::max(largest, std::abs(view.data[i]));
    }
  }
  return largest;
}

figure::Scale diverging(double largest) {
  const double high = largest > 0 ? largest : 1;
  return {true, -high, high};
}

// 0–1, or for long rows up to a weight that nearly all allowed cells stay below.
figure::Scale weightScale(const core::Trace<double>& trace, Index head, bool& clipped) {
  const core::ArrayView weights = core::arrayOf(trace, head, Array::kWeights);
  clipped = false;
  if (weights.columns <= kManySources) {
    return {false, 0, 1};
  }
  std::vector<double> allowed;
  for (Index i = 0; i < weights.rows; ++i) {
    for (Index j = 0; j < weights.columns; ++j) {
      if (trace.mask.allowed(i, j)) {
        allowed.push_back(weights(i, j));
      }
    }
  }
  if (allowed.empty()) {
    return {false, 0, 1};
  }
  const auto nth = allowed.begin() + static_cast<std::ptrdiff_t>(kClippedShare * static_cast<double>(allowed.size() - 1));
  std::nth_element(allowed.begin(), nth, allowed.end());
  clipped = *nth < 0.5 && *nth > 0;
  return {false, 0, clipped ? *nth : 1};
}

void findScales(StageMemory& memory) {
  double vectors = 0, parameters = 0, scores = 0, scaled = 0;
  for (const figure::EquationPart& part : memory.equation.parts) {
    double& group = core::isParameter(part.array) ? parameters : !part.map ? vectors : part.array == Array::kScores ? scores : scaled;
    if (part.array != Array::kWeights) {
      group = std::max(group, largestMagnitude(core::arrayOf(*memory.trace, memory.head, part.array)));
    }
  }
  memory.scales.vectors = diverging(vectors);
  // One scale for both while that leaves the smaller ones visible: then scaling is seen to shrink.
  if (scores <= kMostShrunk * scaled) {
    scores = scaled = std::max(scores, scaled);
  }
  if (std::max(vectors, parameters) <= kMostShrunk * std::min(vectors, parameters)) {
    vectors = parameters = std::max(vectors, parameters);
  }
  memory.scales.parameters = diverging(parameters);
  memory.scales.scores = diverging(scores);
  memory.scales.scaled = diverging(scaled);
  memory.scales.weights = weightScale(*memory.trace, memory.head, memory.scales.weights_clipped);
  if (memory.shown != app::Shown::kDifference) return;
  memory.scales.weights = diverging(largestMagnitude(core::arrayOf(*memory.trace, memory.head, Array::kWeights)));
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
  const auto number = [&](std::size_t i) { return std::to_string(static_cast<Index>(i) + example.first_index); };
  const auto token = [&](const std::string& text) { return app::tokenText(text, session.state().show_spaces); };
  const auto label = [](const std::string& at, const std::string& text) { return text == at ? text : at + " " + text; };
  memory.row_labels.clear();
  memory.column_labels.clear();
  memory.column_tokens.clear();
  memory.column_numbers.clear();
  for (std::size_t i = 0; i < example.tokens.size(); ++i) {
    memory.row_labels.push_back(label(number(i), token(example.tokens[i])));
  }
  for (std::size_t i = 0; i < example.sources.size(); ++i) {
    memory.column_numbers.push_back(number(i));
    memory.column_tokens.push_back(token(example.sources[i]));
    memory.column_labels.push_back(label(number(i), memory.column_tokens.back()));
  }
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
  memory.metrics.source_label = labelRoom(memory, memory.column_labels, kLongestLabel * text_scale);
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
