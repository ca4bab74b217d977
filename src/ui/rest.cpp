// A sentence in the place of what is still to come.
#include "ui/rest.h"

#include "ui/panels.h"
#include "ui/widgets.h"

namespace attn::ui {

bool restIsHere(Frame& frame, Panel& panel) {
  Environment& environment = frame.view.environment;
  if (environment.rest_loaded) return true;
  if (environment.rest_failure.empty()) {
    frame.view.asks_for_rest = true;
    body(frame, panel, tr("This part is being fetched…"));
    return false;
  }
  body(frame, panel, environment.rest_failure);
  const Rect rect{panel.x(), panel.y, buttonWidth(frame, tr("Try again")), frame.controlHeight()};
  if (button(frame, "rest/retry", tr("Try again"), rect)) environment.rest_failure.clear();
  panel.y += rect.h;
  return false;
}

}  // namespace attn::ui
