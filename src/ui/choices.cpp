// The choices as groups, laid out along a line that wraps. Knows nothing of playback.
#include "ui/choices.h"

#include <functional>

#include "app/explain.h"
#include "app/words.h"
#include "ui/keys.h"
#include "ui/matrix_cursor.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

namespace action = app::action;

std::vector<Option> orderOptions() {
  return {{"row", tr("Follow one row"), tr("The chosen position goes from its query to its result.")},
          {"stage", tr("Stage by stage"), tr("All rows take each stage together.")}};
}
std::vector<Option> grainOptions() {
  return {{"stage", tr("Stage"), tr("One press is a whole stage.")},
          {"row", tr("Row"), tr("One press is one row of a matrix.")},
          {"cell", tr("Cell"), tr("One press is one number.")},
          {"term", tr("Term"), tr("One press is one multiply-add.")}};
}
std::vector<Option> maskOptions() {
  return {{"document", tr("As given"), tr("The mask that the example comes with.")},
          {"none", tr("None"), tr("Every position may read every source.")},
          {"causal", tr("Causal"), tr("No position reads what comes after it.")}};
}

// A title, the width that its controls want, and how to draw them into a rectangle.
struct ChoiceGroup {
  std::string title;
  float width = 0;
  std::function<void(const Rect&)> draw;
  bool captioned = true;  // the title stands before it on a line
  std::vector<Option> options{};  // of radio buttons, which fill the width of a list
};

// `names` are those of its two buttons.
void stepper(Frame& frame, const std::string& id, const std::pair<std::string, std::string>& names, const std::string& text,
             core::Index at, core::Index count, void (*by)(Frame&, core::Index), const Rect& r) {
  const float side = std::max(r.h, frame.size(32));
  const std::string less = id + "/previous", more = id + "/next";
  const ButtonOptions up{.icon = Icon::kUp, .icon_only = true, .enabled = at > 0, .value = text};
  const ButtonOptions down{.icon = Icon::kDown, .icon_only = true, .enabled = at + 1 < count, .value = text};
  if (button(frame, less, names.first, {r.x, r.y, side, r.h}, up)) by(frame, -1);
  if (button(frame, more, names.second, {r.x + side + 2, r.y, side, r.h}, down)) by(frame, 1);
  const float left = 2 * side + 2 + kUnit;
  line(frame, {.face = Face::kStrong, .size = kBody, .color = frame.colors.row}, text,
       {r.x + left, r.y, r.w - left, r.h});
}

float stepperWidth(const Frame& frame, std::string_view text) {
  const float words = measure(Face::kStrong, frame.size(kBody), text).x;
  return 2 * std::max(frame.controlHeight(), frame.size(32)) + 2 + kUnit + std::min(frame.size(150), words + 4);
}

void matrix(Frame& frame, const Rect& r) {
  const bool inside = frame.view.in_matrix;
  if (!button(frame, "matrix/enter", tr("Read cells"), r,
              {.checked = inside, .tip = tr("Move through the matrix of this step, cell by cell.")}))
    return;
  if (inside) leaveMatrix(frame);
  else enterMatrix(frame);
}

template <class Set>
ChoiceGroup radio(Frame& frame, std::string_view id, const std::string& title, const std::vector<Option>& options, int now,
            Set set) {
  const auto draw = [&frame, id, options, now, set](const Rect& r) {
    const int chosen = choice(frame, id, options, now, r);
    if (chosen >= 0) set(chosen);
  };
  return {title, choiceWidth(frame, options), draw, id != "order", options};
}

std::vector<ChoiceGroup> groups(Frame& frame) {
  const app::Session& s = frame.session;
  const app::State& state = s.state();
  const core::Index rows = s.trace().problem.T, heads = static_cast<core::Index>(s.trace().heads.size());
  std::vector<ChoiceGroup> all;
  all.push_back(radio(frame, "order", tr("Order"), orderOptions(), static_cast<int>(state.order),
                      [&frame](int i) { frame.dispatch(action::SetOrder{static_cast<app::Order>(i)}); }));
  all.push_back(radio(frame, "grain", tr("Step by"), grainOptions(), static_cast<int>(state.grain),
                      [&frame](int i) { frame.dispatch(action::SetGrain{static_cast<app::Grain>(i)}); }));
  const std::string row = app::positionText(s.example(), state.row, false, state.show_spaces);
  all.push_back({tr("Row"), stepperWidth(frame, row), [&frame, row, rows](const Rect& r) {
                   stepper(frame, "row", {tr("Previous row"), tr("Next row")}, row, frame.session.state().row, rows,
                           chooseRowBy, r);
                 }});
  if (heads > 1) {
    const std::string head = tr("{0} of {1}", {app::headText(s.example(), state.head), heads});
    all.push_back({tr("Head"), stepperWidth(frame, head), [&frame, head, heads](const Rect& r) {
                     stepper(frame, "head", {tr("Previous head"), tr("Next head")}, head, frame.session.state().head, heads,
                             chooseHeadBy, r);
                   }});
  }
  all.push_back(radio(frame, "mask", tr("Mask"), maskOptions(), static_cast<int>(app::maskInForce(state)),
                      [&frame](int i) { frame.dispatch(action::SetMask{static_cast<app::MaskChoice>(i)}); }));
  all.push_back({tr("Cells"), buttonWidth(frame, tr("Read cells")), [&frame](const Rect& r) { matrix(frame, r); }, false});
  if (!headerHoldsHistory(frame))
    all.push_back({tr("Undo and redo"), historyWidth(frame), [&frame](const Rect& r) { drawHistory(frame, r); }, false});
  return all;
}

}  // namespace

float historyWidth(const Frame& frame) { return 2 * std::max(frame.controlHeight(), frame.size(32)) + 2; }

void drawHistory(Frame& frame, const Rect& r) {
  const float side = (r.w - 2) / 2;
  const app::Session& s = frame.session;
  const auto options = [](Icon icon, bool enabled) {
    return ButtonOptions{.icon = icon, .icon_only = true, .look = Look::kQuiet, .enabled = enabled};
  };
  if (button(frame, "history/undo", tr("Undo"), {r.x, r.y, side, r.h}, options(Icon::kUndo, s.canUndo())))
    frame.dispatch(action::Undo{});
  if (button(frame, "history/redo", tr("Redo"), {r.x + side + 2, r.y, side, r.h}, options(Icon::kRedo, s.canRedo())))
    frame.dispatch(action::Redo{});
}

float choicesLine(Frame& frame, const Rect& area, bool draw) {
  Flow flow(area.x + 1.5f * kUnit, area.y + kUnit, area.w - 3 * kUnit, frame.controlHeight(), 1.5f * kUnit);
  const TextStyle caption{.size = kSmall, .color = frame.colors.muted};
  const std::vector<ChoiceGroup> all = groups(frame);
  const auto wordsOf = [&](const ChoiceGroup& each) {
    return each.captioned ? measure(Face::kBody, frame.size(kSmall), each.title).x + kUnit : 0;
  };
  float whole = 0;
  for (const ChoiceGroup& each : all) whole += wordsOf(each) + each.width + 1.5f * kUnit;
  const bool captions = whole <= area.w - 1.5f * kUnit;  // one line without them is better than two with
  for (const ChoiceGroup& each : all) {
    const float words = captions ? wordsOf(each) : 0;
    const Rect rect = flow.place(words + each.width);
    if (!draw) continue;
    if (words > 0) line(frame, caption, each.title, {rect.x, rect.y, words, rect.h});
    each.draw({rect.x + words, rect.y, rect.w - words, rect.h});
  }
  return flow.bottom() - area.y;
}

void drawChoices(Frame& frame, Panel& panel) {
  drawPlayback(frame, panel);
  for (const ChoiceGroup& each : groups(frame)) {
    heading(frame, panel, each.title);
    const bool radio_buttons = !each.options.empty();
    const float height = radio_buttons ? choiceHeight(frame, each.options, panel.width()) : frame.controlHeight();
    const float width = radio_buttons ? panel.width() : std::min(each.width, panel.width());
    each.draw({panel.x(), panel.y, width, height});
    panel.y += height + 1.5f * kUnit;
  }
}

}  // namespace attn::ui
