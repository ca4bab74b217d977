// Hit-testing by ImGui, everything else ours: drawing, recording, activation from elsewhere.
#include "ui/widgets.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/keys.h"
#include "ui/text.h"
#include "ui/widget_parts.h"

namespace attn::ui {

bool onScreen(const Rect& r) {
  const ImVec2 low = ImGui::GetWindowDrawList()->GetClipRectMin(), high = ImGui::GetWindowDrawList()->GetClipRectMax();
  return r.x < high.x && r.x + r.w > low.x && r.y < high.y && r.y + r.h > low.y;
}

void focusRing(Frame& frame, const Rect& r) {
  ImGui::GetWindowDrawList()->AddRect({r.x + 1, r.y + 1}, {r.x + r.w - 1, r.y + r.h - 1}, packed(frame.colors.focus),
                                      kRounding, 0, 2);
  // What has the focus is brought into view, once per change of focus.
  if (frame.recorder.brought_into_view == frame.recorder.focused) return;
  frame.recorder.brought_into_view = frame.recorder.focused;
  if (!onScreen(r) || ImGui::GetScrollMaxY() > 0) ImGui::SetScrollFromPosY(r.y + r.h / 2 - ImGui::GetWindowPos().y);
}

void tooltipOfItem(Frame& frame, std::string_view label, std::string_view keys, std::string_view tip) {
  if (!ImGui::IsItemHovered() || !pointerRests(frame.view) || ImGui::IsMouseDown(ImGuiMouseButton_Left)) return;
  std::string text(label);
  if (!keys.empty()) text += "  (" + std::string(keys) + ")";
  if (!tip.empty()) text += "\n" + std::string(tip);
  tooltip(frame, text);
}

void fill(const Rect& r, figure::Color color, float alpha, ImDrawFlags corners) {
  ImGui::GetWindowDrawList()->AddRectFilled({r.x, r.y}, {r.x + r.w, r.y + r.h}, packed(color, alpha), kRounding,
                                            corners);
}

namespace {

struct Item {
  bool pressed = false, hovered = false, held = false, focused = false;
};

// A finger that scrolls does not press what it started on.
bool dragged(const Frame& frame) {
  const float most = frame.view.environment.coarse_pointer ? 10.f : 1e6f;
  return ImGui::GetIO().MouseDragMaxDistanceSqr[ImGuiMouseButton_Left] > most * most;
}

Item item(Frame& frame, const std::string& id, const Rect& rect, bool enabled) {
  Item out;
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::PushID(id.data(), id.data() + id.size());
  const bool clicked = ImGui::InvisibleButton("item", {std::max(1.f, rect.w), std::max(1.f, rect.h)});
  ImGui::PopID();
  out.hovered = ImGui::IsItemHovered();
  out.held = ImGui::IsItemActive();
  out.focused = frame.recorder.focused == id;
  if (clicked) frame.recorder.focused.clear();
  if (enabled && ImGui::IsItemHovered(ImGuiHoveredFlags_None)) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const bool asked = frame.recorder.takeActivation(id);
  out.pressed = enabled && ((clicked && !dragged(frame)) || asked);
  return out;
}

float iconSize(const Frame& frame) { return frame.size(14); }
float inset(const Frame& frame) { return std::max(kUnit, frame.size(10)); }

}  // namespace

float buttonWidth(const Frame& frame, std::string_view label, const ButtonOptions& options) {
  if (options.icon_only) return std::max(frame.controlHeight(), frame.size(36));
  const float icon = options.icon == Icon::kNone ? 0 : iconSize(frame) + kUnit;
  return std::ceil(measure(Face::kBody, frame.size(kBody), label).x) + icon + 2 * inset(frame);
}

namespace {

// An entry of a list takes two lines at most; its tooltip has the whole.
constexpr std::size_t kEntryLines = 2;
std::string entryText(const Frame& frame, const TextStyle& style, std::string_view label, float width) {
  const std::vector<std::string> lines = wrap(frame, style, label, width);
  std::string text = lines[0];
  for (std::size_t i = 1; i < lines.size() && i < kEntryLines; ++i) {
    const bool cut = i + 1 == kEntryLines && lines.size() > kEntryLines;
    text += "\n" + (cut ? elided(frame, style, lines[i] + " " + lines[i + 1], width) : lines[i]);
  }
  return text;
}

}  // namespace

namespace {

float entryRoom(const Frame& frame, float width, Icon mark) {
  return width - 2 * inset(frame) - (mark == Icon::kNone ? 0 : iconSize(frame));
}

}  // namespace

float entryHeight(const Frame& frame, std::string_view label, float width, Icon mark) {
  const TextStyle style{.size = kBody, .color = frame.colors.text};
  const std::size_t lines = std::min(wrap(frame, style, label, entryRoom(frame, width, mark)).size(), kEntryLines);
  return static_cast<float>(lines) * lineHeight(frame, style) + kUnit;
}

bool button(Frame& frame, std::string_view id, std::string_view label, const Rect& rect, const ButtonOptions& options) {
  const std::string name(id);
  const Item state = item(frame, name, rect, options.enabled);
  const Colors& c = frame.colors;
  const bool accent = options.look == Look::kAccent;
  if (options.look != Look::kQuiet || options.checked)
    fill(rect, accent ? c.now : c.raised, options.enabled ? 1 : 0.5f);
  if (options.enabled && state.hovered) fill(rect, c.text, state.held ? 0.16f : 0.08f);
  if (options.checked) fill({rect.x, rect.y + 4, 3, rect.h - 8}, c.now);
  const figure::Color ink = accent ? figure::readableOn(c.now) : c.text;
  const float alpha = options.enabled ? 1 : 0.4f;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  TextStyle style{.size = kBody, .color = ink};
  style.color.a = static_cast<std::uint8_t>(255 * alpha);
  if (options.bare) {  // its words are drawn over it
  } else if (options.icon_only) {
    drawIcon(list, options.icon, {rect.x + rect.w / 2, rect.y + rect.h / 2}, iconSize(frame), ink, alpha);
  } else if (options.left) {
    const std::string_view words = options.shown.empty() ? label : options.shown;
    const float height = entryHeight(frame, words, rect.w, options.mark) - kUnit;
    const float width = entryRoom(frame, rect.w, options.mark);
    drawIcon(list, options.mark, {rect.x + rect.w - iconSize(frame), rect.y + rect.h / 2}, iconSize(frame) * 0.8f,
             frame.colors.muted);
    paragraph(frame, style, entryText(frame, style, words, width), rect.x + inset(frame),
              rect.y + (rect.h - height) / 2, width);
  } else {
    const float pad = std::min(inset(frame), rect.w / 8),
                icon = options.icon == Icon::kNone ? 0 : iconSize(frame) + kUnit;
    const std::string_view words = options.shown.empty() ? label : options.shown;
    const std::string shown = elided(frame, style, words, rect.w - 2 * pad - icon);
    const float width = measure(Face::kBody, frame.size(kBody), shown).x;
    const float x = rect.x + (rect.w - width - icon) / 2;
    if (icon > 0)
      drawIcon(list, options.icon, {x + iconSize(frame) / 2, rect.y + rect.h / 2}, iconSize(frame), ink, alpha);
    line(frame, style, shown, {x + icon, rect.y, width + 1, rect.h});
  }
  if (state.focused) focusRing(frame, rect);
  const std::string keys = options.keys.empty() ? keysOf(id) : std::string(options.keys);
  tooltipOfItem(frame, label, keys, options.tip);
  frame.recorder.add({.id = name,
                      .label = std::string(label),
                      .role = Role::kButton,
                      .rect = rect,
                      .visible = onScreen(rect),
                      .enabled = options.enabled,
                      .checked = options.checked,
                      .value_text = std::string(options.value),
                      .keys = keys,
                      .group = std::string(options.group),
                      .handle = options.handle,
                      .about = std::string(options.tip)});
  return state.pressed;
}

float toggleWidth(const Frame& frame, std::string_view label) {
  return frame.size(30) + kUnit + std::ceil(measure(Face::kBody, frame.size(kBody), label).x) + 4;
}

float toggleHeight(const Frame& frame, std::string_view label, float width) {
  const TextStyle style{.size = kBody, .color = frame.colors.text};
  const float room = width - frame.size(30) - kUnit;
  return static_cast<float>(wrap(frame, style, label, room).size()) * lineHeight(frame, style) + kUnit / 2;
}

bool toggle(Frame& frame, std::string_view id, std::string_view label, bool on, const Rect& rect,
            std::string_view tip, std::string_view group) {
  const std::string name(id);
  const Item state = item(frame, name, rect, true);
  const Colors& c = frame.colors;
  const float w = frame.size(30), h = frame.size(18), y = rect.y + (rect.h - h) / 2;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({rect.x, y}, {rect.x + w, y + h}, packed(on ? c.row : c.raised), h / 2);
  list.AddRect({rect.x, y}, {rect.x + w, y + h}, packed(on ? c.row : c.muted), h / 2);
  list.AddCircleFilled({rect.x + (on ? w - h / 2 : h / 2), y + h / 2}, h / 2 - 4, packed(on ? c.surface : c.muted));
  const TextStyle words{.size = kBody, .color = c.text};
  const float room = rect.w - w - kUnit, tall = toggleHeight(frame, label, rect.w) - kUnit / 2;
  if (tall <= rect.h && tall > 1.5f * lineHeight(frame, words))
    paragraph(frame, words, label, rect.x + w + kUnit, rect.y + (rect.h - tall) / 2, room);
  else
    line(frame, words, label, {rect.x + w + kUnit, rect.y, room, rect.h});
  if (state.focused) focusRing(frame, rect);
  tooltipOfItem(frame, label, keysOf(id), tip);
  frame.recorder.add({.id = name,
                      .label = std::string(label),
                      .role = Role::kToggle,
                      .rect = rect,
                      .visible = onScreen(rect),
                      .checked = on,
                      .keys = keysOf(id),
                      .group = std::string(group),
                      .about = std::string(tip)});
  return state.pressed;
}

float choiceWidth(const Frame& frame, std::span<const Option> options) {
  float widest = 0;
  for (const Option& each : options)
    widest = std::max(widest, std::ceil(measure(Face::kBody, frame.size(kBody), each.label).x));
  return (widest + 2 * inset(frame)) * static_cast<float>(options.size());
}

namespace {

int choiceColumns(const Frame& frame, std::span<const Option> options, float width) {
  const int count = static_cast<int>(options.size());
  const float spare = 2 * inset(frame) - kUnit;  // of each option's width, before it takes another line
  const float each = choiceWidth(frame, options) / static_cast<float>(count) - spare;
  int columns = count;
  while (columns > 1 && each * static_cast<float>(columns) > width + 1) --columns;
  const int lines = (count + columns - 1) / columns;
  return (count + lines - 1) / lines;  // the last line is not left with one
}

void drawOption(Frame& frame, const std::string& id, const Option& option, bool chosen, const Rect& rect,
                std::string_view group, bool& pressed) {
  const Item state = item(frame, id, rect, option.enabled);
  const Colors& c = frame.colors;
  if (chosen) {
    fill({rect.x + 2, rect.y + 2, rect.w - 4, rect.h - 4}, c.surface);
    ImGui::GetWindowDrawList()->AddRect({rect.x + 2, rect.y + 2}, {rect.x + rect.w - 2, rect.y + rect.h - 2},
                                        packed(c.row), kRounding, 0, 1.5f);
  } else if (state.hovered && option.enabled) {
    fill({rect.x + 2, rect.y + 2, rect.w - 4, rect.h - 4}, c.text, 0.08f);
  }
  TextStyle style{.size = kBody, .color = chosen ? c.text : c.muted};
  if (!option.enabled) style.color.a = 100;
  const std::string shown = elided(frame, style, option.label, rect.w - 4);
  const float width = richWidth(frame, style, shown), tall = lineHeight(frame, style);
  if (shown != option.label && resting(frame, rect)) tooltip(frame, option.label);
  richLine(frame, style, shown, rect.x + (rect.w - width) / 2, rect.y + (rect.h - tall) / 2, rect);
  if (state.focused) focusRing(frame, rect);
  tooltipOfItem(frame, option.label, keysOf(id), option.tip);
  frame.recorder.add({.id = id,
                      .label = option.label,
                      .role = Role::kRadio,
                      .rect = rect,
                      .visible = onScreen(rect),
                      .enabled = option.enabled,
                      .checked = chosen,
                      .keys = keysOf(id),
                      .group = std::string(group),
                      .about = option.tip});
  pressed = state.pressed;
}

}  // namespace

float choiceHeight(const Frame& frame, std::span<const Option> options, float width) {
  const int columns = choiceColumns(frame, options, width);
  const int lines = (static_cast<int>(options.size()) + columns - 1) / columns;
  return frame.controlHeight() * static_cast<float>(lines);
}

int choice(Frame& frame, std::string_view id, std::span<const Option> options, int current, const Rect& rect,
           std::string_view group) {
  const int columns = choiceColumns(frame, options, rect.w);
  const float height = frame.controlHeight(), width = rect.w / static_cast<float>(columns);
  fill({rect.x, rect.y, rect.w, choiceHeight(frame, options, rect.w)}, frame.colors.raised);
  int chosen = -1;
  for (int i = 0; i < static_cast<int>(options.size()); ++i) {
    const Rect each{rect.x + width * static_cast<float>(i % columns), rect.y + height * static_cast<float>(i / columns),
                    width, height};
    bool pressed = false;
    drawOption(frame, std::string(id) + "/" + std::string(options[static_cast<std::size_t>(i)].key),
               options[static_cast<std::size_t>(i)], i == current, each, group, pressed);
    if (pressed) chosen = i;
  }
  return chosen;
}

namespace {

bool isLogarithmic(const SliderOptions& options) { return options.logarithmic && options.minimum > 0; }

// Along the track, 0–1.
double placeOf(const SliderOptions& options, double value) {
  if (options.maximum <= options.minimum) return 0;
  const double t = isLogarithmic(options)
                       ? std::log(value / options.minimum) / std::log(options.maximum / options.minimum)
                       : (value - options.minimum) / (options.maximum - options.minimum);
  return std::clamp(t, 0.0, 1.0);
}

double valueAt(const SliderOptions& options, double t) {
  if (isLogarithmic(options)) return options.minimum * std::pow(options.maximum / options.minimum, t);
  return options.minimum + t * (options.maximum - options.minimum);
}

}  // namespace

bool slider(Frame& frame, std::string_view id, std::string_view label, double& value, const Rect& rect,
            const SliderOptions& options) {
  const std::string name(id);
  const Item state = item(frame, name, rect, true);
  const Colors& c = frame.colors;
  const float knob = frame.size(7), track = rect.w - 2 * knob, y = rect.y + rect.h / 2;
  double wanted = value;
  if (state.held) {
    const double t = std::clamp((ImGui::GetMousePos().x - rect.x - knob) / std::max(1.f, track), 0.f, 1.f);
    wanted = options.minimum + std::round((valueAt(options, t) - options.minimum) / options.step) * options.step;
  }
  if (const auto asked = frame.recorder.takeValue(name)) wanted = *asked;
  wanted = std::clamp(wanted, options.minimum, options.maximum);
  const bool changed = wanted != value;
  value = wanted;
  const float x = rect.x + knob + track * static_cast<float>(placeOf(options, value));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({rect.x + knob, y - 2}, {rect.x + knob + track, y + 2}, packed(c.line), 2);
  list.AddRectFilled({rect.x + knob, y - 2}, {x, y + 2}, packed(c.now), 2);
  list.AddCircleFilled({x, y}, state.hovered || state.held ? knob + 1 : knob, packed(c.now));
  if (state.focused) focusRing(frame, rect);
  tooltipOfItem(frame, std::string(label) + ": " + std::string(options.value_text), keysOf(id), options.tip);
  frame.recorder.add({.id = name,
                      .label = std::string(label),
                      .role = Role::kSlider,
                      .rect = rect,
                      .visible = onScreen(rect),
                      .value = value,
                      .minimum = options.minimum,
                      .maximum = options.maximum,
                      .value_text = std::string(options.value_text),
                      .keys = keysOf(id),
                      .step = options.step,
                      .group = std::string(options.group),
                      .about = std::string(options.tip)});
  return changed;
}

Grip handle(Frame& frame, std::string_view id, std::string_view label, const Rect& rect, std::string_view value_text,
            std::string_view group) {
  const std::string name(id);
  const Item state = item(frame, name, rect, true);
  Grip grip{.hovered = state.hovered, .held = state.held, .pressed = ImGui::IsItemActivated(),
            .released = ImGui::IsItemDeactivated(), .focused = state.focused,
            .nudge = frame.recorder.takeNudge(name)};
  if (state.focused) focusRing(frame, rect);
  frame.recorder.add({.id = name,
                      .label = std::string(label),
                      .role = Role::kButton,
                      .rect = rect,
                      .visible = onScreen(rect),
                      .value_text = std::string(value_text),
                      .group = std::string(group),
                      .handle = true});
  return grip;
}

}  // namespace attn::ui
