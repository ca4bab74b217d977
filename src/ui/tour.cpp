// The cards of the tour. Whether it has been taken is kept with the visited scenes.
#include "ui/tour.h"

#include <string>

#include "ui/sheets.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

constexpr float kCardPadding = 1.5f * kUnit;

constexpr float kLowest = 400;  // CSS pixels at text scale 1

std::string cardText(const ViewState& view) {
  const bool touch = view.environment.coarse_pointer, narrow = view.narrow;
  switch (view.tour) {
    case 1:
      return tr("The picture: every matrix of one attention head, in the order in which they are computed. A dot is a number that "
                "is not known yet.") + " " +
             (touch ? tr("“Next step” computes the next ones.") : tr("“Next step”, or the key →, computes the next ones."));
    case 2:
      return tr("The words: what each step does, its formula, and the same with its numbers.") + " " +
             (touch ? tr("Touch a cell to read its number in full.") : tr("Rest the pointer on a cell to read its number in full."));
    case 3:
      return (narrow ? tr("Under Choices:") : tr("The choices:")) + " " +
             tr("go row by row or stage by stage, a cell or a single product at a time; take the mask away and see what changes.");
    default:
      return (narrow ? tr("Under Contents:") : tr("The contents:")) + " " +
             tr("scenes to try, tasks to predict, a trained model, and your own arrays. Help lists every key and has this tour "
                "again.");
  }
}

TextStyle cardStyle(const Frame& frame) { return {.size = kBody, .color = frame.colors.text, .leading = 1.35f}; }

float buttonsWidth(const Frame& frame) {
  return buttonWidth(frame, tr("Go on")) + buttonWidth(frame, tr("End the tour"), {.look = Look::kQuiet}) + kUnit;
}

// Beside the buttons where there is room to read, else above them.
bool isBeside(const Frame& frame, float width) { return width - buttonsWidth(frame) - 3 * kCardPadding >= frame.size(300); }

float textRoom(const Frame& frame, float width) {
  return isBeside(frame, width) ? width - buttonsWidth(frame) - 3 * kCardPadding : width - 2 * kCardPadding;
}

float textHeight(const Frame& frame, float width) {
  const auto lines = static_cast<float>(wrap(frame, cardStyle(frame), cardText(frame.view), textRoom(frame, width)).size());
  return lines * lineHeight(frame, cardStyle(frame));
}

// Over everything that the panels hold.
void frameStop(const Frame& frame, const Rect& stop) {
  if (stop.w <= 0) return;
  ImGui::GetForegroundDrawList()->AddRect({stop.x + 1.5f, stop.y + 1.5f}, {stop.x + stop.w - 1.5f, stop.y + stop.h - 1.5f},
                                          packed(frame.colors.now), kRounding, 0, 3);
}

}  // namespace

bool onTour(const app::Session& session, const ViewState& view) {
  const bool room = ImGui::GetIO().DisplaySize.y >= kLowest * view.text_scale;
  return view.tour > 0 && room && session.state().scene.empty() && !session.presentation().present && !openSheet(view);
}

std::string tourText(const ViewState& view) {
  return tr("Tour, {0} of {1}.", {view.tour, kTourCards}) + " " + cardText(view);
}

float tourHeight(Frame& frame, float width) {
  if (!onTour(frame.session, frame.view)) return 0;
  const float text = textHeight(frame, width), h = frame.controlHeight();
  return isBeside(frame, width) ? std::max(text, h) + 2 * kUnit : text + h + 3 * kUnit;
}

void drawTour(Frame& frame, const Rect& area, const TourStops& stops) {
  if (area.h <= 0) return;
  Panel panel(frame, "tour", area, frame.colors.raised, 0);
  ImGui::GetWindowDrawList()->AddRectFilled({area.x, area.y}, {area.x + 4, area.y + area.h}, packed(frame.colors.now));
  const bool beside = isBeside(frame, area.w);
  const float height = textHeight(frame, area.w), h = frame.controlHeight();
  const float top = beside ? panel.y + (area.h - height) / 2 : panel.y + kUnit;
  paragraph(frame, cardStyle(frame), cardText(frame.view), area.x + kCardPadding, top, textRoom(frame, area.w));
  frame.recorder.add({.id = "tour/text", .label = tourText(frame.view), .role = Role::kText, .rect = area});
  frameStop(frame, stops[static_cast<std::size_t>(frame.view.tour - 1)]);
  float x = beside ? area.x + area.w - kCardPadding - buttonsWidth(frame) : area.x + kCardPadding;
  const float y = beside ? panel.y + (area.h - h) / 2 : top + height + kUnit;
  const bool last = frame.view.tour == kTourCards;
  const float wide = buttonWidth(frame, tr("Go on"));
  if (button(frame, "tour/next", last ? tr("Done") : tr("Go on"), {x, y, wide, h}, {.look = Look::kAccent})) {
    if (last) endTour(frame.view);
    else ++frame.view.tour;
  }
  x += wide + kUnit;
  if (!last && button(frame, "tour/end", tr("End the tour"), {x, y, buttonWidth(frame, tr("End the tour"), {.look = Look::kQuiet}), h},
                      {.look = Look::kQuiet}))
    endTour(frame.view);
  panel.y = y + h;
}

void endTour(ViewState& view) {
  view.tour = 0;
  view.visited.insert("tour");
}

}  // namespace attn::ui
