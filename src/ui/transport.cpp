// The bar at the bottom: stepping, playing, scrubbing; and, where there is room, what a step is and what is followed.
#include <array>
#include <cmath>
#include <cstdio>

#include "ui/choices.h"
#include "ui/panels.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

namespace action = app::action;

constexpr float kGap = kUnit;

struct Press {
  const char* id;
  const char* label;
  Icon icon;
  void (*run)(Frame&);
};
constexpr Press kFirst{"transport/first", "Back to the start", Icon::kFirst,
                       [](Frame& f) { f.dispatch(action::First{}); }};
constexpr Press kLast{"transport/last", "Show the whole result", Icon::kLast,
                      [](Frame& f) { f.dispatch(action::Last{}); }};
constexpr std::array<Press, 5> kMiddle{{
    {"transport/previous-stage", "Previous stage", Icon::kPreviousStage,
     [](Frame& f) { f.dispatch(action::StageBy{-1}); }},
    {"transport/previous", "Previous step", Icon::kPreviousStep, [](Frame& f) { f.dispatch(action::StepBy{-1}); }},
    {"transport/play", "Play", Icon::kPlay, [](Frame& f) { f.dispatch(action::TogglePlay{}); }},
    {"transport/next", "Next step", Icon::kNextStep, [](Frame& f) { f.dispatch(action::StepBy{1}); }},
    {"transport/next-stage", "Next stage", Icon::kNextStage, [](Frame& f) { f.dispatch(action::StageBy{1}); }},
}};

// The last step cannot be followed, the first not preceded.
bool possible(const Frame& frame, const Press& press) {
  const auto position = frame.session.position(), size = frame.session.timeline().size();
  const std::string_view id = press.id;
  if (id == "transport/first" || id == "transport/previous" || id == "transport/previous-stage") return position > 0;
  return position < size;
}

void press(Frame& frame, const Press& each, const Rect& rect, bool words = false) {
  const bool playing = frame.session.playback().playing && each.icon == Icon::kPlay;
  ButtonOptions options{.icon = playing ? Icon::kPause : each.icon,
                        .icon_only = !words,
                        .look = each.icon == Icon::kPlay ? Look::kAccent : Look::kRaised,
                        .enabled = possible(frame, each) || playing};
  if (words) options.icon = Icon::kNone;
  if (button(frame, each.id, playing ? "Pause" : each.label, rect, options)) each.run(frame);
}

std::string stepText(const Frame& frame) {
  const auto position = frame.session.position(), size = frame.session.timeline().size();
  if (position == 0) return "start, " + std::to_string(size) + (size == 1 ? " step" : " steps");
  return "step " + std::to_string(position) + " of " + std::to_string(size);
}

void scrub(Frame& frame, const Rect& rect) {
  const std::string text = stepText(frame);
  double position = static_cast<double>(frame.session.position());
  const double size = static_cast<double>(frame.session.timeline().size());
  if (slider(frame, "transport/scrub", "Position", position, rect, {.maximum = size, .value_text = text}))
    frame.dispatch(action::Seek{static_cast<app::Index>(std::llround(position))});
}

float compactRow(Frame& frame, const Rect& area) {
  const float h = frame.controlHeight();
  const float single = 7 * std::max(h, 44.f) + 8 * kGap + frame.size(160);
  return area.w - 2 * kGap >= single ? h : 2 * h + kGap;
}

void drawCompact(Frame& frame, const Rect& area) {
  const float h = frame.controlHeight(), x = area.x + kGap, width = area.w - 2 * kGap, top = area.y + kGap;
  const bool one = compactRow(frame, area) == h;
  const float end = std::max(h, frame.size(40));
  const float middle = one ? std::max(h, 44.f) : (width - 4 * kGap) / 5;
  press(frame, kFirst, {x, top, end, h});
  float at = x;
  float y = top;
  if (one) at += end + kGap;
  else y += h + kGap;
  for (const Press& each : kMiddle) press(frame, each, {at, y, middle, h}), at += middle + kGap;
  const float left = one ? at : x + end + kGap, right = x + width - end - kGap;
  if (one) {
    press(frame, kLast, {at, top, end, h});
    scrub(frame, {at + end + kGap, top, x + width - at - end - kGap, h});
  } else {
    scrub(frame, {left, top, right - left, h});
    press(frame, kLast, {x + width - end, top, end, h});
  }
}

void speed(Frame& frame, const Rect& rect) {
  double power = std::log2(frame.session.playback().steps_per_second);
  const double pace = frame.session.playback().steps_per_second;
  char text[32];
  std::snprintf(text, sizeof text, pace == 1 ? "%g step/s" : "%g steps/s", pace);
  const float words = frame.size(76);
  if (slider(frame, "transport/speed", "Speed", power, {rect.x, rect.y, rect.w - words, rect.h},
             {.minimum = -2, .maximum = 4, .value_text = text}))
    frame.dispatch(action::SetSpeed{std::exp2(power)});
  line(frame, {.size = kSmall, .color = frame.colors.muted}, text,
       {rect.x + rect.w - words + 4, rect.y, words - 4, rect.h});
}

void runOn(Frame& frame, const Rect& rect) {
  const bool on = frame.session.playback().run_on;
  if (toggle(frame, "transport/run-on", "Run on", on, rect, "Play past the end of a stage"))
    frame.dispatch(action::SetRunOn{!on});
}

// The first line: buttons, the slider in what room is left, speed.
float steppingLine(Frame& frame, const Rect& area, bool draw) {
  const float h = frame.controlHeight(), narrow = buttonWidth(frame, "", {.icon_only = true});
  Flow flow(area.x + 1.5f * kGap, area.y + kGap, area.w - 3 * kGap, h, kGap);
  const auto put = [&](const Press& each, float width, bool words) {
    const Rect rect = flow.place(width);
    if (draw) press(frame, each, rect, words);
  };
  put(kFirst, narrow, false);
  for (const Press& each : kMiddle) put(each, each.icon == Icon::kPlay ? narrow * 1.5f : narrow, false);
  put(kLast, buttonWidth(frame, kLast.label), true);
  const float words = frame.size(112), pace = frame.size(166), on = toggleWidth(frame, "Run on");
  const float rest = flow.rest() - words - pace - on - 3 * kGap;
  const Rect track = flow.place(std::max(frame.size(140), rest - kGap));
  const Rect text = flow.place(words);
  const Rect fast = flow.place(pace);
  const Rect run = flow.place(on);
  if (draw) {
    scrub(frame, track);
    line(frame, {.size = kBody, .color = frame.colors.text}, stepText(frame), text);
    speed(frame, fast);
    runOn(frame, run);
  }
  return flow.bottom() - area.y;
}

}  // namespace

void drawPlayback(Frame& frame, Panel& panel) {
  const float h = frame.controlHeight();
  heading(frame, panel, "Speed");
  speed(frame, {panel.x(), panel.y, panel.width(), h});
  panel.y += h + kUnit;
  runOn(frame, {panel.x(), panel.y, panel.width(), h});
  panel.y += h + kUnit;
}

float transportHeight(Frame& frame, float width, bool compact) {
  const Rect area{0, 0, width, 0};
  if (compact) return compactRow(frame, area) + 2 * kGap;
  const float first = steppingLine(frame, area, false);
  return first + choicesLine(frame, {0, first, width, 0}, false) + kGap;
}

void drawTransport(Frame& frame, const Rect& area, bool compact) {
  Panel panel(frame, "transport", area, frame.colors.surface, 0, false);
  ImGui::GetWindowDrawList()->AddLine({area.x, area.y}, {area.x + area.w, area.y}, packed(frame.colors.line));
  if (compact) return drawCompact(frame, area);
  const float first = steppingLine(frame, area, true);
  choicesLine(frame, {area.x, area.y + first, area.w, 0}, true);
}

}  // namespace attn::ui
