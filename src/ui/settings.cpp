// How numbers and the screen look. Numbers' look travels in links (State); the screen's stays here (ViewState).
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/panels.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

bool setting(Frame& frame, Panel& panel, std::string_view id, std::string_view label, bool on, std::string_view tip) {
  const float height = std::max(frame.controlHeight(), toggleHeight(frame, label, panel.width()));
  const Rect rect{panel.x(), panel.y, panel.width(), height};
  panel.y += rect.h + kUnit / 2;
  return toggle(frame, id, label, on, rect, tip);
}

void numbers(Frame& frame, Panel& panel) {
  const app::State& state = frame.session.state();
  if (setting(frame, panel, "settings/exact", tr("Exact form where there is one"), state.exact,
              tr("3/2, √2, ln 2 instead of decimals")))
    frame.dispatch(app::action::SetExact{!state.exact});
  if (setting(frame, panel, "settings/spaces", tr("Show spaces in tokens"), state.show_spaces,
              tr("␣ for the space marks Ġ and ▁ of tokenizers")))
    frame.dispatch(app::action::SetShowSpaces{!state.show_spaces});
  panel.y += kUnit / 2;
  const std::array<Option, 5> counts{{{"2", "2"}, {"3", "3"}, {"4", "4"}, {"5", "5"}, {"6", "6"}}};
  const int decimals = pick(frame, panel, "decimals", tr("Decimals"), counts, state.decimals - 2);
  if (decimals >= 0) frame.dispatch(app::action::SetDecimals{decimals + 2});
  const std::array<Option, 4> palettes{{{"viridis", "Viridis"},
                                          {"cividis", "Cividis", tr("made for colour-vision deficiency")},
                                          {"magma", "Magma"},
                                          {"grey", tr("Grey")}}};
  const int palette = pick(frame, panel, "palette", tr("Colours of weights"), palettes, static_cast<int>(state.palette));
  if (palette >= 0) frame.dispatch(app::action::SetPalette{static_cast<app::Palette>(palette)});
}

void look(Frame& frame, Panel& panel) {
  const std::array<Option, 3> themes{{{"system", tr("System")}, {"light", tr("Light")}, {"dark", tr("Dark")}}};
  const int theme = pick(frame, panel, "theme", tr("Theme"), themes, static_cast<int>(frame.view.theme));
  if (theme >= 0) frame.view.theme = static_cast<Theme>(theme);
  heading(frame, panel, tr("Text size"));
  double percent = std::round(frame.view.text_scale * 100);
  const std::string shown = std::to_string(static_cast<int>(percent)) + " %";
  const float room = frame.size(56);
  if (slider(frame, "settings/text-size", tr("Text size"), percent,
             {panel.x(), panel.y, panel.width() - room, frame.controlHeight()},
             {.minimum = 80, .maximum = 200, .step = 10, .value_text = shown}))
    frame.view.text_scale = static_cast<float>(percent) / 100;
  line(frame, {.face = Face::kNumber, .size = kSmall, .color = frame.colors.text}, shown,
       {panel.x() + panel.width() - room + kUnit, panel.y, room - kUnit, frame.controlHeight()});
  panel.y += frame.controlHeight() + kUnit;
  if (setting(frame, panel, "settings/letter-keys", tr("Single-letter keys"), frame.view.letter_keys,
              tr("Off: only arrows, Space, Enter and keys with Ctrl work.")))
    frame.view.letter_keys = !frame.view.letter_keys;
  if (frame.view.plays_sounds && setting(frame, panel, "settings/sounds", tr("Sound of a row"), frame.view.sounds,
                                         tr("Weights as tones: by a button below their bars, and by H.")))
    frame.view.sounds = !frame.view.sounds;
}

void language(Frame& frame, Panel& panel) {
  if (frame.view.language.empty()) return;
  panel.y += kUnit / 2;
  const std::string tip = tr("The page opens anew in it, at this moment. Files that are open have to be opened again.");
  const std::array<Option, 2> all{{{"en", "English", tip}, {"de", "Deutsch", tip}}};
  const auto now = std::find_if(all.begin(), all.end(), [&](const Option& each) { return each.key == frame.view.language; });
  const int chosen = pick(frame, panel, "language", tr("Language"), all, static_cast<int>(now - all.begin()));
  if (chosen >= 0) frame.view.language = all[static_cast<std::size_t>(chosen)].key;
}

}  // namespace

int pick(Frame& frame, Panel& panel, std::string_view id, std::string_view title, std::span<const Option> options,
         int current) {
  heading(frame, panel, title);
  const float height = choiceHeight(frame, options, panel.width());
  const int chosen = choice(frame, id, options, current, {panel.x(), panel.y, panel.width(), height}, panel.group);
  panel.group.clear();  // what stands below is none of its options
  panel.y += height + 1.5f * kUnit;
  return chosen;
}

void drawSettings(Frame& frame, Panel& panel) {
  numbers(frame, panel);
  look(frame, panel);
  language(frame, panel);
}

}  // namespace attn::ui
