// One control per kind of param. Each says its name above, takes the width of the panel, and has a sentence below it.
#include "ui/scene_controls.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/scene_show.h"
#include "core/number.h"
#include "ui/panels.h"
#include "ui/presenting.h"
#include "ui/sheets.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

using lesson::Param;
using lesson::ParamKind;

constexpr std::size_t kMostButtons = 20;  // of a choice

std::string idOf(const Param& param, const char* part = "") { return "try/" + param.key + part; }

std::optional<double> numberOf(const SceneView& view, const Param& param) {
  const auto number = core::parseNumber(view.value(param));
  return number && std::isfinite(*number) ? number : std::nullopt;
}

bool isNumber(const Param& param) { return param.kind == ParamKind::kInteger || param.kind == ParamKind::kNumber; }

const Param* mainParam(const SceneView& view) {
  const auto at = std::find_if(view.page.params.begin(), view.page.params.end(), [](const Param& p) { return p.main && p.shown; });
  return at == view.page.params.end() ? nullptr : &*at;
}

std::string valueText(const SceneView& view, const Param& param) {
  const std::string value = view.value(param);
  if (param.kind == ParamKind::kToggle) return value == "1" ? tr("on") : tr("off");
  if (param.kind == ParamKind::kChoice)
    for (const lesson::ParamOption& each : param.options)
      if (each.id == value) return each.label;
  return value;
}

void stepParam(SceneView& view, const Param& param, int by) {
  if (const auto next = app::stepped(param, view.value(param), by)) view.set(param, *next);
}

bool canStep(const SceneView& view, const Param& param, int by) {
  const auto next = app::stepped(param, view.value(param), by);
  if (!next || *next == view.value(param)) return false;
  const auto a = core::parseNumber(*next), b = numberOf(view, param);
  return !isNumber(param) || !a || !b || *a != *b;
}

class Controls {
 public:
  Controls(SceneView& view, Panel& panel) : view_(view), panel_(panel), h_(view.frame.controlHeight()) {}

  void draw(const Param& param) {
    const std::size_t first = view_.frame.recorder.controls().size();
    if (param.kind != ParamKind::kToggle && param.kind != ParamKind::kSeed) label(param.label);
    switch (param.kind) {
      case ParamKind::kInteger:
      case ParamKind::kNumber: number(param); break;
      case ParamKind::kChoice: options(param); break;
      case ParamKind::kToggle: onOff(param); break;
      case ParamKind::kSeed: seed(param); break;
      case ParamKind::kOrder: order(param); break;
      case ParamKind::kNumbers: numbers(param); break;
      case ParamKind::kText: text(param); break;
      case ParamKind::kData: data(param); break;
    }
    if (!param.hint.empty()) {
      panel_.y += view_.size(4);
      const TextStyle style{.size = kSmall, .color = view_.colors().muted};
      panel_.y += richParagraph(view_, style, param.hint, panel_.x(), panel_.y, panel_.width());
      view_.frame.recorder.describe(first, param.hint);
    }
    panel_.y += view_.size(18);
  }

 private:
  void label(std::string_view text) {
    const TextStyle style{.face = Face::kStrong, .size = 14, .color = view_.colors().text};
    panel_.y += richParagraph(view_, style, text, panel_.x(), panel_.y, panel_.width()) + view_.size(3);
  }

  void set(const Param& param, const std::string& value) {
    if (value == view_.value(param)) return;
    view_.set(param, value);
    view_.memory.show_figure = true;
  }

  // − ———•——— +  [ 64 ]
  void number(const Param& param) {
    const float gap = kUnit / 2, figures = std::min(view_.size(92), panel_.width() * 0.32f);
    const float y = panel_.y, right = panel_.x() + panel_.width();
    const float track = panel_.width() - 2 * h_ - figures - 3 * gap;
    if (track < view_.size(60)) return numberOnTwoLines(param);
    stepButton(param, -1, {panel_.x(), y, h_, h_});
    slide(param, {panel_.x() + h_ + gap, y, track, h_});
    stepButton(param, 1, {panel_.x() + h_ + gap + track + gap, y, h_, h_});
    write(param, {right - figures, y, figures, h_});
    panel_.y += h_;
  }

  void numberOnTwoLines(const Param& param) {
    const float gap = kUnit / 2, y = panel_.y, w = panel_.width();
    stepButton(param, -1, {panel_.x(), y, h_, h_});
    write(param, {panel_.x() + h_ + gap, y, w - 2 * (h_ + gap), h_});
    stepButton(param, 1, {panel_.x() + w - h_, y, h_, h_});
    slide(param, {panel_.x(), y + h_ + gap, w, h_});
    panel_.y += 2 * h_ + gap;
  }

  void stepButton(const Param& param, int by, const Rect& rect) {
    const ButtonOptions look{.icon = by > 0 ? Icon::kPlus : Icon::kMinus, .icon_only = true,
                             .enabled = canStep(view_, param, by), .keys = param.main ? (by > 0 ? "→" : "←") : "",
                             .group = param.label};
    if (!button(view_.frame, idOf(param, by > 0 ? "/more" : "/less"),
                by > 0 ? tr("Increase {0}", {param.label}) : tr("Decrease {0}", {param.label}), rect, look))
      return;
    stepParam(view_, param, by);
    view_.memory.show_figure = true;
  }

  void slide(const Param& param, const Rect& rect) {
    const double now = std::clamp(numberOf(view_, param).value_or(param.minimum), param.minimum, param.maximum);
    double value = now;
    const std::string text = view_.value(param);
    const double step = param.step > 0 ? param.step : (param.maximum - param.minimum) / 1000;
    if (slider(view_.frame, idOf(param, "/slider"), param.label, value, rect,
               {.minimum = param.minimum, .maximum = param.maximum, .step = step, .value_text = text,
                .group = param.label, .logarithmic = param.logarithmic}) &&
        value != now)
      set(param, settingText(param, value));
  }

  void write(const Param& param, const Rect& rect) {
    const std::string tip = tr("{0} to {1}", {core::fullText(param.minimum), core::fullText(param.maximum)});
    if (const auto written = field(view_.frame, idOf(param, "/field"), param.label, view_.value(param), rect,
                                   {.figures = true, .tip = tip, .group = param.label}))
      accept(param, *written);
  }

  // What is no number stays out; a number outside comes to the end that it passed.
  void accept(const Param& param, const std::string& written) {
    const auto number = core::parseNumber(written);
    if (!number || !std::isfinite(*number)) {
      view_.frame.view.said = tr("“{0}” is not a number; write for instance 0.5, 1/3 or sqrt(2).", {written});
      return;
    }
    const bool inside = *number >= param.minimum && *number <= param.maximum;
    const bool whole = param.kind != ParamKind::kInteger || *number == std::round(*number);
    if (inside && whole) return set(param, written);
    Param bounds = param;
    if (param.kind == ParamKind::kNumber) bounds.step = 0;
    set(param, settingText(bounds, *number));
  }

  void options(const Param& param) {
    if (param.options.size() > kMostButtons) return place(param);
    std::vector<Option> all;
    int now = -1;
    for (const lesson::ParamOption& each : param.options) {
      if (each.id == view_.value(param)) now = static_cast<int>(all.size());
      all.push_back({each.id, param.clears && isDone(each.label) ? tr("{0} (done)", {each.label}) : each.label});
    }
    const float height = choiceHeight(view_.frame, all, panel_.width());
    const int chosen = choice(view_.frame, idOf(param), all, now, {panel_.x(), panel_.y, panel_.width(), height}, param.label);
    panel_.y += height;
    if (chosen >= 0) set(param, param.options[static_cast<std::size_t>(chosen)].id);
  }

  // What the notebook holds has been revealed.
  bool isDone(const std::string& title) const {
    const auto& entries = view_.frame.session.notebook().entries();
    return std::any_of(entries.begin(), entries.end(), [&](const auto& entry) { return entry.first.title == title; });
  }

  // − ———•——— +, with the name of the chosen one above: positions of a long sequence.
  void place(const Param& param) {
    const auto at = [&](const auto& each) { return each.id == view_.value(param); };
    const auto now = std::find_if(param.options.begin(), param.options.end(), at) - param.options.begin();
    const auto chosen = static_cast<std::size_t>(now);
    const std::string name = chosen < param.options.size() ? param.options[chosen].label : "";
    const TextStyle style{.size = kBody, .color = view_.colors().text};
    panel_.y += richParagraph(view_, style, name, panel_.x(), panel_.y, panel_.width());
    const float gap = kUnit / 2, y = panel_.y, right = panel_.x() + panel_.width();
    stepButton(param, -1, {panel_.x(), y, h_, h_});
    double value = static_cast<double>(now);
    if (slider(view_.frame, idOf(param, "/slider"), param.label, value,
               {panel_.x() + h_ + gap, y, panel_.width() - 2 * (h_ + gap), h_},
               {.minimum = 0, .maximum = static_cast<double>(param.options.size() - 1), .step = 1, .value_text = name,
                .group = param.label}))
      set(param, param.options[static_cast<std::size_t>(std::llround(value))].id);
    stepButton(param, 1, {right - h_, y, h_, h_});
    panel_.y += h_;
  }

  void onOff(const Param& param) {
    const bool on = view_.value(param) == "1";
    const float height = std::max(h_, toggleHeight(view_.frame, param.label, panel_.width()));
    if (toggle(view_.frame, idOf(param), param.label, on, {panel_.x(), panel_.y, panel_.width(), height}))
      set(param, on ? "0" : "1");
    panel_.y += height;
  }

  void seed(const Param& param) {
    const float figures = std::min(view_.size(84), panel_.width() * 0.3f);
    const double now = numberOf(view_, param).value_or(0);
    const Rect rect{panel_.x(), panel_.y, panel_.width() - figures - kUnit / 2, h_};
    const std::string label = param.label.empty() ? tr("New random numbers") : param.label;
    const bool fits = buttonWidth(view_.frame, label, {.icon = Icon::kDice}) <= rect.w;
    if (button(view_.frame, idOf(param, "/new"), label, rect,
               {.icon = Icon::kDice, .shown = fits ? std::string() : tr("Draw new ones"), .group = label}))
      set(param, core::fullText(std::round(now) + 1));
    const Rect right{panel_.x() + panel_.width() - figures, panel_.y, figures, h_};
    if (const auto written = field(view_.frame, idOf(param, "/field"), tr("Seed"), view_.value(param), right,
                                   {.figures = true, .tip = tr("The same seed gives the same numbers."), .group = label})) {
      const auto number = core::parseNumber(*written);
      if (number && *number >= 0 && *number == std::floor(*number) && *number < 9e15) set(param, core::fullText(*number));
      else view_.frame.view.said = tr("“{0}” is not a whole number from 0; a seed is one.", {*written});
    }
    panel_.y += h_;
  }

  // The options in their order, each with buttons that move it.
  void order(const Param& param) {
    std::vector<Index> places = placesOf(view_.value(param), param.options.size());
    for (std::size_t i = 0; i < places.size(); ++i) {
      const std::string& name = param.options[static_cast<std::size_t>(places[i])].label;
      const std::string at = "/" + std::to_string(i);
      const Rect up{panel_.x(), panel_.y, h_, h_}, down{panel_.x() + h_ + 2, panel_.y, h_, h_};
      const auto move = [&](std::size_t to) {
        std::swap(places[i], places[to]);
        set(param, orderText(places));
      };
      if (button(view_.frame, idOf(param, (at + "/up").c_str()), tr("Move {0} up", {name}), up,
                 {.icon = Icon::kUp, .icon_only = true, .enabled = i > 0, .group = param.label}))
        return move(i - 1);
      if (button(view_.frame, idOf(param, (at + "/down").c_str()), tr("Move {0} down", {name}), down,
                 {.icon = Icon::kDown, .icon_only = true, .enabled = i + 1 < places.size(), .group = param.label}))
        return move(i + 1);
      const float left = 2 * h_ + 2 + kUnit;
      line(view_.frame, {.size = kBody, .color = view_.colors().text}, name,
           {panel_.x() + left, panel_.y, panel_.width() - left, h_});
      panel_.y += h_ + 2;
    }
  }

  void numbers(const Param& param) {
    std::vector<std::string> parts = split(view_.value(param));
    const float gap = kUnit / 2, least = view_.size(62);
    const auto per_line = std::max<std::size_t>(1, std::min(parts.size(), static_cast<std::size_t>((panel_.width() + gap) / (least + gap))));
    const float width = (panel_.width() - gap * static_cast<float>(per_line - 1)) / static_cast<float>(per_line);
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::size_t column = i % per_line;
      if (i > 0 && column == 0) panel_.y += h_ + gap;
      const std::string name = i < param.options.size() ? param.options[i].label : tr("{0}, number {1}", {param.label, i});
      const Rect rect{panel_.x() + static_cast<float>(column) * (width + gap), panel_.y, width, h_};
      const auto written = field(view_.frame, idOf(param, ("/" + std::to_string(i)).c_str()), name, parts[i], rect,
                                 {.figures = true, .group = param.label});
      if (!written) continue;
      const auto number = core::parseNumber(*written);
      if (!number || !std::isfinite(*number)) {
        view_.frame.view.said = tr("“{0}” is not a number; write for instance 0.5 or −2.", {*written});
        continue;
      }
      const bool inside = *number >= param.minimum && *number <= param.maximum;
      parts[i] = inside ? *written : core::fullText(std::clamp(*number, param.minimum, param.maximum));
      std::string all;
      for (const std::string& each : parts) all += (all.empty() ? "" : ",") + each;
      set(param, all);
    }
    panel_.y += h_;
  }

  void text(const Param& param) {
    const Rect rect{panel_.x(), panel_.y, panel_.width(), h_};
    if (const auto written = field(view_.frame, idOf(param), param.label, view_.value(param), rect, {.live = param.live})) set(param, *written);
    panel_.y += h_;
  }

  // Several lines, of which the first ones are in view.
  void data(const Param& param) {
    const std::string now = view_.value(param);
    const Rect rect{panel_.x(), panel_.y, panel_.width(), view_.size(128)};
    if (const auto written = field(view_.frame, idOf(param), param.label, now, rect, {.figures = true, .lines = true})) set(param, *written);
    panel_.y += rect.h;
    if (now.empty()) return;
    const auto lines = std::count(now.begin(), now.end(), '\n') + (now.back() == '\n' ? 0 : 1);
    const std::string taken = tr("{0} {0|character|characters} in {1} {1|line|lines} taken.", {now.size(), lines});
    panel_.y += view_.size(4);
    panel_.y += richParagraph(view_, {.size = kSmall, .color = view_.colors().muted}, taken, panel_.x(), panel_.y, panel_.width());
    view_.frame.recorder.describe(view_.frame.recorder.controls().size() - 1, taken);
    const std::string empty = tr("Empty the field");
    const Rect clear{panel_.x(), panel_.y + view_.size(4), std::min(panel_.width(), buttonWidth(view_.frame, empty)), h_};
    if (button(view_.frame, idOf(param, "/empty"), empty, clear, {.group = param.label})) set(param, "");
    panel_.y += h_ + view_.size(4);
  }

  SceneView& view_;
  Panel& panel_;
  float h_;
};

void playButton(Frame& frame, const Param& param, const Rect& rect) {
  const bool playing = frame.session.playback().playing;
  const std::string label = playing ? tr("Pause: {0}", {param.label}) : tr("Play: {0}", {param.label});
  if (button(frame, "scenes/play", label, rect, {.icon = playing ? Icon::kPause : Icon::kPlay, .icon_only = true}))
    frame.dispatch(app::action::TogglePlay{});
}

void stepButton(SceneView& view, const Param& param, int by, const Rect& rect) {
  const ButtonOptions options{.icon = by > 0 ? Icon::kPlus : Icon::kMinus, .icon_only = true,
                              .enabled = canStep(view, param, by)};
  const std::string label = by > 0 ? tr("Next: {0}", {param.label}) : tr("Previous: {0}", {param.label});
  if (button(view.frame, by > 0 ? "scenes/more" : "scenes/less", label, rect, options))
    stepParam(view, param, by);
}

}  // namespace

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> parts;
  while (true) {
    const std::size_t end = text.find(',');
    parts.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<Index> placesOf(std::string_view order, std::size_t count) {
  std::vector<Index> places;
  for (const std::string& each : split(order)) {
    const auto number = core::parseNumber(each);
    if (number && *number >= 0 && *number < static_cast<double>(count)) places.push_back(static_cast<Index>(*number));
  }
  return places;
}

std::string orderText(const std::vector<Index>& places) {
  std::string text;
  for (const Index each : places) text += (text.empty() ? "" : ",") + std::to_string(each);
  return text;
}

bool hasMainParam(const SceneView& view) { return mainParam(view) != nullptr; }

void stepMainParam(SceneView& view, int by) {
  if (const Param* param = mainParam(view)) stepParam(view, *param, by);
}

void drawMainSteps(SceneView& view, const Rect& r) {
  const Param& param = *mainParam(view);
  const float side = r.h, left = r.x + (param.plays ? side + kUnit / 2 : 0);
  if (param.plays) playButton(view.frame, param, {r.x, r.y, side, side});
  stepButton(view, param, -1, {left, r.y, side, side});
  const Rect words{left + side + kUnit, r.y, r.x + r.w - left - 2 * (side + kUnit), r.h};
  const TextStyle style{.size = kBody, .color = view.colors().text};
  const std::string value = valueText(view, param), whole = param.label + ": " + value;
  const bool fits = richWidth(view.frame, style, whole) <= words.w;  // else the value matters more than its name
  const std::string text = elided(view.frame, style, fits ? whole : value, words.w);
  if (!fits && resting(view.frame, words)) tooltip(view.frame, whole);
  const float wide = richWidth(view.frame, style, text), tall = lineHeight(view.frame, style);
  richLine(view.frame, style, text, words.x + std::max(0.f, (words.w - wide) / 2), words.y + (words.h - tall) / 2, words);
  stepButton(view, param, 1, {r.x + r.w - side, r.y, side, side});
}

void drawSceneControls(SceneView& view, Panel& panel, bool titled) {
  Frame& frame = view.frame;
  if (std::exchange(view.memory.controls_to_top, false)) ImGui::SetScrollY(0);
  const TextStyle title{.face = Face::kStrong, .size = 17, .color = frame.colors.text, .leading = 1.3f};
  const bool any = std::any_of(view.page.params.begin(), view.page.params.end(), [](const Param& p) { return p.shown; });
  if (any) {
    if (titled) panel.y += paragraph(frame, title, tr("Try"), panel.x(), panel.y, panel.width()) + frame.size(10);
    Controls controls(view, panel);
    for (const Param& param : view.page.params)
      if (param.shown && !(reveals(param) && hides(frame, app::Part::kAnswers))) controls.draw(param);
  }
  if (!view.page.params.empty()) {
    const Rect rect{panel.x(), panel.y, std::min(panel.width(), buttonWidth(frame, tr("Reset"))), frame.controlHeight()};
    if (button(frame, "try/reset", tr("Reset"), rect,
               {.enabled = !frame.session.state().settings.empty(), .tip = tr("Everything as the scene begins.")}))
      frame.dispatch(app::action::ResetScene{});
    panel.y += rect.h + frame.size(24);
  }
  if (const std::size_t kept = frame.session.notebook().entries().size(); kept > 0) {
    const std::string label = tr("Notebook ({0})", {kept});
    const Rect rect{panel.x(), panel.y, std::min(panel.width(), buttonWidth(frame, label)), frame.controlHeight()};
    if (button(frame, "try/notebook", label, rect)) turnSheet(frame, &ViewState::notebook_open, "try/notebook");
    panel.y += rect.h + frame.size(24);
  }
  if (view.page.says.empty() || hides(frame, app::Part::kExplain)) return;
  panel.y += paragraph(frame, title, tr("What came out"), panel.x(), panel.y, panel.width()) + frame.size(8);
  const TextStyle says{.size = kBody, .color = frame.colors.text, .leading = 1.5f};
  panel.y += richParagraph(view, says, view.page.says, panel.x(), panel.y, panel.width()) + kUnit;
}

}  // namespace attn::ui
