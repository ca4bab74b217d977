// The row's attention as bars: how much of each source it takes. Long rows show their largest.
#include <algorithm>
#include <vector>

#include "core/number.h"
#include "ui/hearing.h"
#include "ui/panels.h"
#include "ui/rest.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

constexpr std::size_t kMostBars = 24;      // a longer row shows only its largest weights,
constexpr std::size_t kLargest = 16;       // as many as these
constexpr double kScaledBelow = 0.25;      // when no weight is larger, bars are drawn against the largest

// Columns of the bars: names, lengths, figures; each as wide as its content asks for, within reason.
struct BarColumns {
  float label = 0, value = 0, length = 0;
};

struct Bars {
  std::vector<const app::Bar*> shown;
  double full = 1;  // the weight of a bar that fills its column
  bool largest_only = false;
};

bool hasWeight(const app::Bar& each) { return each.known && !each.blocked; }

std::string shownText(const app::Bar& each) { return each.known || each.blocked ? each.text : tr("not yet known"); }

Bars choose(const std::vector<app::Bar>& all) {
  Bars bars;
  double largest = 0;
  for (const app::Bar& each : all) {
    bars.shown.push_back(&each);
    if (hasWeight(each)) largest = std::max(largest, each.weight);
  }
  if (largest > 0 && largest < kScaledBelow) bars.full = largest;
  bars.largest_only = all.size() > kMostBars;
  if (!bars.largest_only) return bars;
  const auto weight = [](const app::Bar* each) { return hasWeight(*each) ? each->weight : -1; };
  std::stable_sort(bars.shown.begin(), bars.shown.end(),
                   [&](const app::Bar* a, const app::Bar* b) { return weight(a) > weight(b); });
  bars.shown.resize(kLargest);
  return bars;
}

BarColumns columnsOf(const Frame& frame, const Bars& bars, float width) {
  BarColumns columns;
  for (const app::Bar* each : bars.shown) {
    columns.label = std::max(columns.label, measure(Face::kBody, frame.size(kSmall), each->label).x + 1);
    if (hasWeight(*each) && !each->text.empty())
      columns.value = std::max(columns.value, measure(Face::kNumber, frame.size(kSmall), each->text).x + 1);
  }
  columns.label = std::min(columns.label, width * 0.4f);
  columns.value = std::min(columns.value, width * 0.38f);
  columns.length = std::max(8.f, width - columns.label - columns.value - 2 * kUnit);
  return columns;
}

void bar(Frame& frame, Panel& panel, const app::Bar& each, const BarColumns& columns, double full) {
  const float h = frame.size(22), x = panel.x() + columns.label + kUnit;
  float taken = h;
  line(frame, {.size = kSmall, .color = frame.colors.text}, each.label, {panel.x(), panel.y, columns.label, h});
  if (hasWeight(each)) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float top = panel.y + h * 0.25f, bottom = panel.y + h * 0.75f;
    list.AddRectFilled({x, top}, {x + columns.length, bottom}, packed(frame.colors.raised), 2);
    const float filled = columns.length * static_cast<float>(std::clamp(each.weight / full, 0.0, 1.0));
    if (filled > 0) list.AddRectFilled({x, top}, {x + filled, bottom}, packed(frame.colors.row), 2);
    if (!each.text.empty())
      line(frame, {.face = Face::kNumber, .size = kSmall, .color = frame.colors.text}, each.text,
           {x + columns.length + kUnit, panel.y, columns.value, h});
    if (!each.text.empty() && resting(frame, {panel.x(), panel.y, panel.width(), h}))
      tooltip(frame, each.label + ": " + core::fullText(each.weight));
  } else {
    // Words in the place of the bar: there is none.
    const TextStyle style{.size = kSmall, .color = frame.colors.muted};
    const float lead = (h - lineHeight(frame, style)) / 2;
    taken = paragraph(frame, style, shownText(each), x, panel.y + lead, panel.x() + panel.width() - x) + 2 * lead;
  }
  panel.y += std::max(h, taken);
}

std::string scaleNote(const app::Explanation& explanation, const Bars& bars) {
  const std::size_t count = explanation.distribution.size();
  std::string text;
  if (bars.largest_only) text = tr("The {0} largest of {1} sources.", {kLargest, count});
  if (bars.full == 1) return text;
  return text + (text.empty() ? "" : " ") + tr("A full bar is the largest weight, {0}.", {core::fixedText(bars.full, 4)});
}

}  // namespace

void drawDistribution(Frame& frame, Panel& panel, const app::Explanation& explanation) {
  if (explanation.distribution.empty()) return;
  heading(frame, panel, explanation.distribution_title);
  const Bars bars = choose(explanation.distribution);
  const BarColumns columns = columnsOf(frame, bars, panel.width());
  for (const app::Bar* each : bars.shown) bar(frame, panel, *each, columns, bars.full);
  panel.y += kUnit / 2;
  if (frame.view.sounds && restIsHere(frame, panel)) drawHearing(frame, panel);
  if (frame.session.presentation().hides(app::Part::kNumbers)) return;
  if (const std::string text = scaleNote(explanation, bars); !text.empty()) note(frame, panel, text);
  note(frame, panel, explanation.distribution_sum);
}

}  // namespace attn::ui
