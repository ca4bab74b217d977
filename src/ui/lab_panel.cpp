// The frame of the laboratory, and the list of edits. See lab.h.
#include "ui/lab.h"

#include "app/edit_words.h"
#include "ui/comparison.h"
#include "ui/keep_document.h"
#include "ui/panels.h"
#include "ui/sheets.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {

namespace action = app::action;

Acts::Acts(Frame& frame, Panel& panel)
    : frame_(frame), panel_(panel), flow_(panel.x(), panel.y, panel.width(), frame.controlHeight(), kUnit / 2) {}

Acts::~Acts() { panel_.y = flow_.bottom() + kUnit; }

bool Acts::press(std::string_view id, std::string_view label, std::string_view tip, bool enabled) {
  const float width = std::min(buttonWidth(frame_, label), panel_.width());
  return button(frame_, id, label, flow_.place(width), {.enabled = enabled, .tip = tip, .group = panel_.group});
}

void edit(Frame& frame, std::string text, bool dragging) {
  frame.dispatch(action::AddEdit{std::move(text), dragging});
}

namespace {

// Whether what was written last into the field was refused and nothing has happened since.
bool isRefused(Frame& frame, std::string_view id) {
  RefusedText& refused = frame.view.refused;
  if (refused.field != id) return false;
  const unsigned long now = frame.session.revision();
  if (!refused.revision) refused.revision = now;
  if (frame.session.notice().empty() || *refused.revision != now) refused = {};
  return !refused.field.empty();
}

}  // namespace

std::optional<std::string> labField(Frame& frame, Panel& panel, std::string_view id, std::string_view label,
                                    const std::string& text, std::string_view tip, std::string_view hint) {
  const float h = frame.controlHeight(), words = std::min(frame.size(104), panel.width() * 0.4f);
  line(frame, {.size = kSmall, .color = frame.colors.muted}, label, {panel.x(), panel.y, words - kUnit, h});
  const std::string shown = isRefused(frame, id) ? frame.view.refused.text : text;
  auto written = field(frame, id, label, shown, {panel.x() + words, panel.y, panel.width() - words, h},
                       {.figures = true, .hint = hint, .tip = tip, .group = panel.group});
  if (written) frame.view.refused = {std::string(id), *written, std::nullopt};
  panel.y += h + kUnit / 2;
  return written;
}

void openPage(Frame& frame, const std::string& scene, lesson::Settings settings) {
  closeSheets(frame);
  frame.dispatch(action::OpenScene{scene, std::move(settings)});
}

void drawEdits(Frame& frame, Panel& panel) {
  const app::State& state = frame.session.state();
  heading(frame, panel, tr("Edits, in order"));
  const std::vector<app::EditItem> items = app::editItems(frame.session);
  if (items.empty())
    body(frame, panel,
         tr("Nothing is edited yet. Choose a cell, by a click or with Enter in a matrix, and give it another number."));
  const float side = frame.controlHeight();
  for (std::size_t n = 0; n < items.size(); ++n) {
    const float top = panel.y;
    const std::string id = "lab/edit/" + std::to_string(n), label = tr("Remove: {0}", {items[n].name});
    if (button(frame, id, label, {panel.x() + panel.width() - side, top, side, side},
               {.icon = Icon::kClose, .icon_only = true, .look = Look::kQuiet, .group = panel.group}))
      frame.dispatch(action::RemoveEdit{static_cast<core::Index>(n)});
    const float width = panel.width() - side - kUnit;
    const TextStyle name{.face = Face::kNumber, .size = 14, .color = frame.colors.text};
    panel.y += kUnit / 2 + paragraph(frame, name, items[n].name, panel.x(), panel.y + kUnit / 2, width);
    tell(frame, items[n].name, Role::kText);
    tell(frame, items[n].effect, Role::kText);
    const TextStyle effect{.size = kSmall, .color = frame.colors.muted};
    panel.y += paragraph(frame, effect, items[n].effect, panel.x(), panel.y, width);
    panel.y = std::max(panel.y, top + side) + kUnit / 2;
  }
  const auto written = labField(frame, panel, "lab/write", tr("Write an edit"), "",
                                tr("Counted from 0, as everywhere in writing: v[1]=0,0, forbid=2,*, bias[2][0]=-1 …; the README "
                                   "lists all forms."),
                                "v[1]=0,0");
  if (written && !written->empty()) edit(frame, *written);
  const lesson::Example* base = frame.session.library().find(state.example);
  const bool other = base && !base->edits.empty() && base->edits != state.edits;
  Acts acts(frame, panel);
  if (!items.empty() && acts.press("lab/clear", tr("Remove all"))) frame.dispatch(action::SetEdits{{}});
  if (acts.press("lab/save", keepDocumentText(frame), tr("The example as a document, which opens with these edits.")))
    keepDocument(frame);
  if (other && acts.press("lab/reset", tr("As the document has them"))) frame.dispatch(action::ResetEdits{});
}

void drawCompared(Frame& frame, Panel& panel) {
  heading(frame, panel, tr("Compare"));
  note(frame, panel, tr("With {0}.", {app::comparedText(frame.session)}));
  if (const std::string& changes = changesOf(frame); !changes.empty()) body(frame, panel, changes);
  Acts acts(frame, panel);
  if (acts.press("lab/pin", tr("Pin this moment"),
                 tr("From now on everything is compared with the example as it is now: edit it further, choose another head, or "
                    "open another example.")))
    frame.dispatch(action::Pin{});
  if (frame.session.state().pinned && acts.press("lab/unpin", tr("Compare with no edits"))) frame.dispatch(action::Unpin{});
  struct Way {
    const char* scene;
    std::string_view label;
    bool of_row = false;
  };
  constexpr Way kWays[] = {{"compare", trLater("Side by side")},
                           {"what-if", trLater("What if each in turn"), true},
                           {"look-alikes", trLater("Three acts that look alike"), true},
                           {"task", trLater("Predict first")},
                           {"implement", trLater("Implement it yourself")}};
  for (const Way& way : kWays)
    if (acts.press("lab/" + std::string(way.scene), tr(way.label)))
      openPage(frame, way.scene, way.of_row ? lesson::Settings{{"row", std::to_string(frame.session.state().row)}} : lesson::Settings{});
}

void drawLaboratory(Frame& frame, Panel& panel) {
  drawEdits(frame, panel);
  drawChosenCell(frame, panel);
  drawPosition(frame, panel);
  drawHeadsAndRules(frame, panel);
  drawCompared(frame, panel);
}

}  // namespace attn::ui
