// The line at the top: the name, what is open, and the way to settings, help and about.
#include "app/link.h"
#include "lesson/catalogue.h"
#include "ui/choices.h"
#include "ui/panels.h"
#include "ui/presenting.h"
#include "ui/sheets.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

struct MenuEntry {
  std::string_view id, label;
  bool ViewState::*open;
};
constexpr MenuEntry kSheets[] = {{"header/files", trLater("File"), &ViewState::files_open},
                             {"header/lab", trLater("Edit"), &ViewState::lab_open},
                             {"header/export", trLater("Export"), &ViewState::export_open},
                             {"header/share", trLater("Make a link"), &ViewState::share_open},
                             {"header/settings", trLater("Settings"), &ViewState::settings_open},
                             {"header/help", trLater("Help"), &ViewState::help_open},
                             {"header/about", trLater("About"), &ViewState::about_open}};

// Of what is open.
std::string_view titleOf(const Frame& frame) {
  const lesson::CatalogueEntry* scene = lesson::findScene(frame.session.state().scene);
  return scene ? scene->title : frame.session.example().title;
}

}  // namespace

void copyLink(Frame& frame) {
  const app::EncodedLink link = app::linkOf(frame.session);
  const std::string whole = frame.view.link_base.empty() ? link.link : frame.view.link_base + "#" + link.link;
  ImGui::SetClipboardText(whole.c_str());
  frame.view.said = link.left_out.empty() ? tr("The link to this moment is on the clipboard.") : link.left_out;
  frame.view.offers_document = !link.left_out.empty();
}

bool aboutExample(const Frame& frame) {
  const lesson::CatalogueEntry* scene = lesson::findScene(frame.session.state().scene);
  return scene && scene->of_example;
}

float backToStageWidth(const Frame& frame) { return buttonWidth(frame, tr("Back to the stage")); }

void backToStage(Frame& frame, const Rect& rect) {
  if (button(frame, "header/stage", tr("Back to the stage"), rect, {.tip = tr("Where the example, with its edits, was left.")}))
    frame.dispatch(app::action::OpenScene{"", {}});
}

bool headerHoldsHistory(const Frame& frame) {
  const float others = buttonWidth(frame, tr("Help"), {.look = Look::kQuiet}) + 4 * kUnit;
  return ImGui::GetIO().DisplaySize.x >= others + historyWidth(frame);
}

void drawHeader(Frame& frame, const Rect& area, bool narrow) {
  Panel panel(frame, "header", area, frame.colors.surface, 0, false);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddLine({area.x, area.y + area.h - 1}, {area.x + area.w, area.y + area.h - 1}, packed(frame.colors.line));
  const float h = frame.controlHeight(), y = area.y + (area.h - h) / 2;
  float left = area.x + kUnit, right = area.x + area.w - kUnit;
  const auto fromRight = [&](float width) {
    right -= width;
    const Rect rect{right, y, width, h};
    right -= kUnit / 2;
    return rect;
  };
  for (int i = static_cast<int>(std::size(kSheets)) - 1; i >= 0; --i) {
    const MenuEntry& each = kSheets[i];
    if (narrow && each.open != &ViewState::help_open) continue;
    if (each.open == &ViewState::files_open && !frame.view.file_menu) continue;
    const bool edits = frame.session.state().scene.empty() && !hides(frame, app::Part::kEdits);
    if (each.open == &ViewState::lab_open && !edits) continue;
    const ButtonOptions options{.look = frame.view.*each.open ? Look::kRaised : Look::kQuiet};
    const std::string label = tr(each.label);
    if (button(frame, each.id, label, fromRight(buttonWidth(frame, label, options)), options))
      turnSheet(frame, each.open, each.id);
  }
  if (!narrow && aboutExample(frame)) backToStage(frame, fromRight(backToStageWidth(frame)));
  if (!narrow) {
    const std::string label = tr("Copy link"), tip = tr("An address that brings back this very moment.");
    const ButtonOptions options{.look = Look::kQuiet, .tip = tip};
    if (button(frame, "header/link", label, fromRight(buttonWidth(frame, label, options)), options))
      copyLink(frame);
  }
  if (!narrow && !hides(frame, app::Part::kContents)) {
    const ButtonOptions menu{.icon = Icon::kMenu, .icon_only = true, .look = Look::kQuiet};
    if (button(frame, "header/contents", frame.view.contents_open ? tr("Hide contents") : tr("Show contents"),
               {left, y, buttonWidth(frame, "", menu), h}, menu))
      frame.view.contents_open = !frame.view.contents_open;
    left += buttonWidth(frame, "", menu) + kUnit;
  }
  if (headerHoldsHistory(frame)) drawHistory(frame, fromRight(historyWidth(frame)));
  const TextStyle name{.face = Face::kStrong, .size = 17, .color = frame.colors.text};
  const float name_width = measure(name.face, frame.size(name.size), "attnscope").x + 1;
  if (right - left < name_width) return;  // large text: what can be pressed comes first
  left += line(frame, name, "attnscope", {left, area.y, name_width, area.h}) + 2 * kUnit;
  const TextStyle title{.size = kBody, .color = frame.colors.muted};
  if (right - left > 3 * kUnit)
    line(frame, title, titleOf(frame), {left, area.y, right - left - kUnit, area.h});
}

}  // namespace attn::ui
