// The bar at the bottom: stepping, playing, scrubbing; and, where there is room, what a step is and what is followed.
#include <algorithm>
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

struct StepPress {
  std::string_view id, label;
  Icon icon;
  void (*run)(Frame&);
};
constexpr StepPress kFirst{"transport/first", trLater("Back to the start"), Icon::kFirst,
                       [](Frame& f) { f.dispatch(action::First{}); }};
constexpr StepPress kPreviousStage{"transport/previous-stage", trLater("Previous stage"), Icon::kPreviousStage,
                               [](Frame& f) { f.dispatch(action::StageBy{-1}); }};
constexpr StepPress kPrevious{"transport/previous", trLater("Previous step"), Icon::kPreviousStep,
                          [](Frame& f) { f.dispatch(action::StepBy{-1}); }};
constexpr StepPress kPlay{"transport/play", trLater("Play"), Icon::kPlay, [](Frame& f) { f.dispatch(action::TogglePlay{}); }};
constexpr StepPress kNext{"transport/next", trLater("Next step"), Icon::kNextStep, [](Frame& f) { f.dispatch(action::StepBy{1}); }};
constexpr StepPress kNextStage{"transport/next-stage", trLater("Next stage"), Icon::kNextStage,
                           [](Frame& f) { f.dispatch(action::StageBy{1}); }};
constexpr StepPress kLast{"transport/last", trLater("Show the whole result"), Icon::kLast,
                      [](Frame& f) { f.dispatch(action::Last{}); }};

// The last step cannot be followed, the first not preceded.
bool possible(const Frame& frame, const StepPress& press) {
  const auto position = frame.session.position(), size = frame.session.timeline().size();
  if (press.icon == Icon::kFirst || press.icon == Icon::kPreviousStep || press.icon == Icon::kPreviousStage) return position > 0;
  return position < size;
}

std::string playLabel(const Frame& frame) {
  return frame.session.playback().run_on ? tr("Play to the end") : tr("Play to the end of this stage");
}

void press(Frame& frame, const StepPress& each, const Rect& rect, bool words = false) {
  const bool plays = each.icon == Icon::kPlay, playing = frame.session.playback().playing && plays;
  const std::string label = playing ? tr("Pause") : plays ? playLabel(frame) : tr(each.label);
  const std::string shown = !words || playing                   ? ""
                            : each.icon == Icon::kPreviousStep ? tr("Back")
                            : plays                             ? tr("Play")
                                                                : "";
  ButtonOptions options{.icon = playing ? Icon::kPause : each.icon,
                        .icon_only = !words,
                        .look = each.icon == Icon::kNextStep ? Look::kAccent : Look::kRaised,
                        .enabled = possible(frame, each) || playing,
                        .shown = shown};
  if (words && each.icon == Icon::kLast) options.icon = Icon::kNone;
  if (button(frame, each.id, label, rect, options)) each.run(frame);
}

std::string startText(core::Index size) { return tr("start, {0} {0|step|steps}", {size}); }

// Room for the longest that it says.
float stepTextWidth(const Frame& frame) {
  const auto size = frame.session.timeline().size();
  const std::string longest = tr("step {0} of {1}", {size, size}), start = startText(size);
  const auto width = [&](const std::string& text) { return measure(Face::kBody, frame.size(kBody), text).x; };
  return std::ceil(std::max(width(longest), width(start))) + 2;
}

std::string stepText(const Frame& frame) {
  const auto position = frame.session.position(), size = frame.session.timeline().size();
  return position == 0 ? startText(size) : tr("step {0} of {1}", {position, size});
}

void scrub(Frame& frame, const Rect& rect) {
  const std::string text = stepText(frame);
  double position = static_cast<double>(frame.session.position());
  const double size = static_cast<double>(frame.session.timeline().size());
  if (slider(frame, "transport/scrub", tr("Step"), position, rect, {.maximum = size, .value_text = text}))
    frame.dispatch(action::Seek{static_cast<app::Index>(std::llround(position))});
}

float endWidth(const Frame& frame) { return std::max(frame.controlHeight(), frame.size(40)); }

bool onOneLine(const Frame& frame, float width) {
  return width - 2 * kGap >= 7 * (endWidth(frame) + kGap) + frame.size(160);
}

// Large text and low screens: all buttons in one line, and the slider among the choices.
bool withoutSlider(const Frame& frame, float width) {
  if (onOneLine(frame, width)) return false;
  const float each = (width - 2 * kGap - 6 * kGap / 2) / 7, least = frame.view.environment.coarse_pointer ? 44 : 28;
  const bool large = width - 2 * kGap - 4 * (endWidth(frame) + kGap) < 80;
  const bool low = ImGui::GetIO().DisplaySize.y / frame.scale() < 320;
  return each >= least && (large || low);
}

float compactHeight(const Frame& frame, float width) {
  const float h = frame.controlHeight();
  return onOneLine(frame, width) || withoutSlider(frame, width) ? h + kGap : 2 * h + 3 * kGap;
}

void drawButtonsOnly(Frame& frame, const Rect& line) {
  const float side = (line.w - 6 * kGap / 2) / 7;
  float x = line.x;
  for (const StepPress* each : {&kFirst, &kPreviousStage, &kPrevious, &kPlay, &kNext, &kNextStage, &kLast}) {
    press(frame, *each, {x, line.y, side, line.h});
    x += side + kGap / 2;
  }
}

void drawOneLine(Frame& frame, const Rect& line) {
  const float side = endWidth(frame);
  float x = line.x;
  for (const StepPress* each : {&kFirst, &kPreviousStage, &kPrevious, &kPlay, &kNext, &kNextStage, &kLast}) {
    press(frame, *each, {x, line.y, side, line.h});
    x += side + kGap;
  }
  scrub(frame, {x, line.y, line.x + line.w - x, line.h});
}

// Stages and the slider above; what a thumb presses most below, the next step widest.
void drawTwoLines(Frame& frame, const Rect& line) {
  const float side = endWidth(frame), h = line.h, below = line.y + h + kGap;
  const bool large = line.w - 4 * (side + kGap) < 80;  // large text: the slider needs the room
  press(frame, kFirst, {line.x, line.y, side, h});
  press(frame, kLast, {line.x + line.w - side, line.y, side, h});
  if (large) {
    scrub(frame, {line.x + side + kGap, line.y, line.w - 2 * (side + kGap), h});
    const float each = (line.w - 4 * kGap) / 5;
    float x = line.x;
    for (const StepPress* one : {&kPreviousStage, &kPrevious, &kPlay, &kNext, &kNextStage}) {
      press(frame, *one, {x, below, each, h});
      x += each + kGap;
    }
    return;
  }
  press(frame, kPreviousStage, {line.x + side + kGap, line.y, side, h});
  scrub(frame, {line.x + 2 * (side + kGap), line.y, line.w - 4 * (side + kGap), h});
  press(frame, kNextStage, {line.x + line.w - 2 * side - kGap, line.y, side, h});
  const float narrow = (line.w - 2 * kGap) / 4;
  float longest = 0;
  for (const std::string& each : {tr("Back"), tr("Play"), tr("Pause")})
    longest = std::max(longest, buttonWidth(frame, each, {.icon = Icon::kPause}));
  const bool words = narrow >= longest;
  press(frame, kPrevious, {line.x, below, narrow, h}, words);
  press(frame, kPlay, {line.x + narrow + kGap, below, narrow, h}, words);
  press(frame, kNext, {line.x + 2 * (narrow + kGap), below, 2 * narrow, h}, true);
}

void drawCompact(Frame& frame, const Rect& area) {
  const float h = frame.controlHeight();
  const Rect one{area.x + kGap, area.y + kGap / 2, area.w - 2 * kGap, h};
  if (onOneLine(frame, area.w)) drawOneLine(frame, one);
  else if (withoutSlider(frame, area.w)) drawButtonsOnly(frame, one);
  else drawTwoLines(frame, {area.x + kGap, area.y + kGap, area.w - 2 * kGap, h});
}

void speed(Frame& frame, const Rect& rect) {
  double power = std::log2(frame.session.playback().steps_per_second);
  const double pace = frame.session.playback().steps_per_second;
  char number[32];
  std::snprintf(number, sizeof number, "%g", pace);
  const std::string text = tr("{0} {0|step|steps}/s", {number});
  const float words = frame.size(76);
  if (slider(frame, "transport/speed", tr("Speed"), power, {rect.x, rect.y, rect.w - words, rect.h},
             {.minimum = -2, .maximum = 4, .value_text = text}))
    frame.dispatch(action::SetSpeed{std::exp2(power)});
  line(frame, {.size = kSmall, .color = frame.colors.muted}, text,
       {rect.x + rect.w - words + 4, rect.y, words - 4, rect.h});
}

void runOn(Frame& frame, const Rect& rect) {
  const bool on = frame.session.playback().run_on;
  if (toggle(frame, "transport/run-on", tr("Run on"), on, rect, tr("Play past the end of a stage")))
    frame.dispatch(action::SetRunOn{!on});
}

// The first line: buttons, the slider in what room is left, speed.
float steppingLine(Frame& frame, const Rect& area, bool draw) {
  const float h = frame.controlHeight(), narrow = buttonWidth(frame, "", {.icon_only = true});
  Flow flow(area.x + 1.5f * kGap, area.y + kGap, area.w - 3 * kGap, h, kGap);
  const auto put = [&](const StepPress& each, float width, bool words) {
    const Rect rect = flow.place(width);
    if (draw) press(frame, each, rect, words);
  };
  for (const StepPress* each : {&kFirst, &kPreviousStage, &kPrevious, &kPlay}) put(*each, narrow, false);
  put(kNext, buttonWidth(frame, tr(kNext.label), {.icon = Icon::kNextStep}), true);
  put(kNextStage, narrow, false);
  const bool roomy = area.w >= frame.size(1160);
  put(kLast, roomy ? buttonWidth(frame, tr(kLast.label)) : narrow, roomy);
  const float words = std::max(frame.size(112), stepTextWidth(frame));
  const float pace = frame.size(166), on = toggleWidth(frame, tr("Run on"));
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
  if (withoutSlider(frame, ImGui::GetIO().DisplaySize.x)) {
    heading(frame, panel, stepText(frame));
    scrub(frame, {panel.x(), panel.y, panel.width(), h});
    panel.y += h + kUnit;
  }
  heading(frame, panel, playLabel(frame));
  Flow flow(panel.x(), panel.y, panel.width(), h, kUnit);
  runOn(frame, flow.place(toggleWidth(frame, tr("Run on")) + kUnit));
  const float rest = flow.rest(), least = frame.size(160);
  speed(frame, flow.place(rest >= least ? rest : panel.width()));
  panel.y = flow.bottom() + 1.5f * kUnit;
}

float transportHeight(Frame& frame, float width, bool compact) {
  if (compact) return compactHeight(frame, width);
  const float first = steppingLine(frame, {0, 0, width, 0}, false);
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
