// Hearing a row of weights: the key and the button. Knows no sample of it.
#include "ui/hearing.h"

#include "app/explain.h"
#include "app/row_sound.h"
#include "app/words.h"
#include "ui/widgets.h"

namespace attn::ui {

void hearRow(Frame& frame) {
  const app::Session& session = frame.session;
  const std::vector<app::Bar> row = app::distributionOf(session, app::heardRow(session));
  if (!row.empty()) {
    frame.view.sound = app::rowSound(row);
    return;
  }
  frame.view.said = app::unheardText(session);
  frame.view.offers_document = false;
}

void drawHearing(Frame& frame, Panel& panel) {
  const app::Session& session = frame.session;
  const core::Index row = app::distributionRow(session);
  const std::string label = tr("Hear how {0} reads", {app::destinationText(session, row)});
  const auto sources = static_cast<std::size_t>(session.trace().mask.columns());
  const std::string tip = app::rowSoundText(sources) + " " + tr("Pressing again stops it.");
  panel.y += kUnit / 2;
  const Rect rect{panel.x(), panel.y, panel.width(), entryHeight(frame, label, panel.width())};
  if (button(frame, kHearControl, label, rect, {.left = true, .tip = tip})) frame.view.sound = app::rowSound(app::distributionOf(session, row));
  panel.y += rect.h + 1.5f * kUnit;
}

}  // namespace attn::ui
