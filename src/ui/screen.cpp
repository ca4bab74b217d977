// Which panel goes where: wide, narrow and high, narrow and low. Knows no panel's content.
#include "ui/screen.h"

#include <algorithm>
#include <array>
#include <utility>

#include "io/label.h"
#include "ui/choices.h"
#include "ui/comparison.h"
#include "ui/keep_document.h"
#include "ui/keys.h"
#include "ui/lab.h"
#include "ui/open_scene.h"
#include "ui/panels.h"
#include "ui/presenting.h"
#include "ui/rest.h"
#include "ui/scene_controls.h"
#include "ui/sheets.h"
#include "ui/stage.h"
#include "ui/text.h"
#include "ui/tour.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

struct ScreenLayout {
  Rect header, contents, notice, note, tour, comparison, reading, stage, side, tabs, sentence, transport;
  Rect sheet;  // where it stands when that is not the place of the explanation
  Rect main;  // with `scrolls`: stage, tabs and side as one page that scrolls
  bool narrow = false, scrolls = false;
  bool slim = false;  // the bar at the bottom holds only what steps
  bool sheet_covers_stage = false;
};

std::string noticeText(const Frame& frame) {
  if (!frame.view.said.empty()) return io::withoutTicks(frame.view.said);
  const std::string& notice = frame.session.notice();
  return notice == frame.view.dismissed_notice ? "" : io::withoutTicks(notice);
}

constexpr TextStyle noticeStyle(const Frame& frame) { return {.size = kBody, .color = frame.colors.text}; }

// A document too large for a link can be kept: as a file, or where there is none, on the clipboard.
std::string noticeOffer(const Frame& frame) {
  if (frame.view.said.empty() || !frame.view.offers_document) return {};
  return keepDocumentText(frame);
}

float noticeRoom(const Frame& frame, float width) {
  const std::string offer = noticeOffer(frame);
  return width - frame.controlHeight() - 4 * kUnit - (offer.empty() ? 0 : buttonWidth(frame, offer) + kUnit);
}

float noticeHeight(Frame& frame, float width) {
  const std::string text = noticeText(frame);
  if (text.empty()) return 0;
  const float lines = static_cast<float>(wrap(frame, noticeStyle(frame), text, noticeRoom(frame, width)).size());
  return std::max(frame.controlHeight(), lines * lineHeight(frame, noticeStyle(frame)) + kUnit) + kUnit / 2;
}

// On narrow screens, by the pages of ViewState::phone_tab.
struct Tabs {
  std::vector<Option> options;
  std::vector<int> pages;
};

Tabs tabsOf(const Frame& frame) {
  Tabs tabs;
  const auto add = [&](int page, const char* id, std::string label) {
    tabs.options.push_back({id, std::move(label)});
    tabs.pages.push_back(page);
  };
  if (inScene(frame)) {
    add(0, "try", tr("Try"));  // the controls, in the place of the first three of the stage
  } else {
    if (!hides(frame, app::Part::kExplain)) add(0, "explanation", tr("Step"));
    if (!hides(frame, app::Part::kEdits)) add(kEditTab, "edit", tr("Edit"));
    add(1, "choices", tr("Choices"));
  }
  if (!hides(frame, app::Part::kContents)) add(2, "contents", tr("Contents"));
  add(3, "settings", tr("Settings"));
  return tabs;
}

// Where the one that was chosen last is left out, the first one.
int pageOf(const Frame& frame, const Tabs& tabs) {
  const bool there = std::count(tabs.pages.begin(), tabs.pages.end(), frame.view.phone_tab) > 0;
  return there ? frame.view.phone_tab : tabs.pages.front();
}

float tabsHeight(const Frame& frame, float width) {
  return choiceHeight(frame, tabsOf(frame).options, width - 2 * kUnit) + kUnit;
}

float barHeight(Frame& frame, float width, bool compact) {
  return inScene(frame) ? sceneBarHeight(frame, width, compact) : transportHeight(frame, width, compact);
}

// What is wide depends on the size of the text: large text on a wide screen is laid out like a phone.
// What is low has no room for two lines of controls either.
bool isNarrow(const Frame& frame, ImVec2 size) {
  return size.x / frame.scale() < 760 || size.y / frame.scale() < 480;
}

ScreenLayout wideLayout(Frame& frame, float w, ScreenLayout out) {
  const float top = out.header.h, bottom = out.transport.y;
  const app::Presentation& shown = frame.session.presentation();
  const bool contents = frame.view.contents_open && !shown.embed && !shown.hides(app::Part::kContents);
  const bool side = inScene(frame) || openSheet(frame.view) || !shown.hides(app::Part::kExplain);
  const float left = contents ? std::min(frame.size(248), w * 0.2f) : 0;
  const float wide = std::clamp(w * (inScene(frame) ? 0.265f : 0.28f), frame.size(280), frame.size(440));
  const float right = side ? wide : 0;
  out.contents = {0, top, left, bottom - top};
  out.side = {w - right, top, right, bottom - top};
  const float middle = w - left - right, notice = noticeHeight(frame, middle);
  out.notice = {left, top, middle, notice};
  out.note = {left, top + notice, middle, noteStripHeight(frame, middle)};
  out.tour = {left, out.note.y + out.note.h, middle, tourHeight(frame, middle)};
  const float from = out.tour.y + out.tour.h;
  out.comparison = {left, from, middle, comparisonHeight(frame, middle, false)};
  out.reading = {left, from + out.comparison.h, middle, readingHeight(frame, middle)};
  out.stage = {left, out.reading.y + out.reading.h, middle, bottom - out.reading.y - out.reading.h};
  return out;
}

// Side by side only where each side has room for a matrix or a sentence.
bool isLow(const Frame& frame, ImVec2 size) { return size.x > size.y * 1.1f && size.x >= frame.size(560); }

constexpr float kLeastPanel = 120, kLeastStage = 200;  // CSS pixels at text scale 1

ScreenLayout narrowLayout(Frame& frame, float w, float h, ScreenLayout out) {
  const float top = out.header.h, bottom = out.transport.y;
  const bool low = isLow(frame, {w, h});
  out.sheet_covers_stage = !low;
  const float notice = noticeHeight(frame, w);
  out.notice = {0, top, w, notice};
  out.note = {0, top + notice, w, noteStripHeight(frame, w)};
  out.tour = {0, out.note.y + out.note.h, w, tourHeight(frame, w)};
  out.comparison = {0, out.tour.y + out.tour.h, w, comparisonHeight(frame, w, true)};
  const float from = out.comparison.y + out.comparison.h;
  if (low) {
    const float middle = w * 0.55f, tabs = tabsHeight(frame, w - middle);
    out.reading = {0, from, middle, readingHeight(frame, middle)};
    out.stage = {0, from + out.reading.h, middle, bottom - from - out.reading.h};
    out.tabs = {middle, from, w - middle, tabs};
    out.side = {middle, from + tabs, w - middle, bottom - from - tabs};
  } else {
    const float tabs = tabsHeight(frame, w), rest = bottom - from;
    // A scene's page is read, and its main control stands in the bar; a step's sentence needs room below the stage.
    const float share = inScene(frame) ? 0.64f : 0.55f;
    float stage = std::min(std::max(h * 0.45f, rest * share), rest - tabs);
    out.scrolls = !inScene(frame) && rest - stage - tabs < frame.size(kLeastPanel);
    if (out.scrolls) stage = std::max(rest * 0.6f, std::min(rest - tabs, frame.size(kLeastStage)));
    out.reading = {0, from, w, std::min(readingHeight(frame, w), stage / 2)};
    out.main = {0, from + out.reading.h, w, rest - out.reading.h};
    out.stage = {0, from + out.reading.h, w, stage - out.reading.h};
    out.tabs = {0, from + stage, w, tabs};
    out.side = {0, from + stage + tabs, w, bottom - from - stage - tabs};
  }
  return out;
}

// Only the stage, with what is said about it.
ScreenLayout presentLayout(Frame& frame, float w, float h) {
  constexpr float kBesideFrom = 900, kBeside = 360;  // CSS pixels: what is chosen shows beside where it is chosen
  ScreenLayout out;
  if (frame.view.share_open && w >= kBesideFrom) out.sheet = {w - kBeside, 0, kBeside, h};
  w -= out.sheet.w;
  out.narrow = out.slim = true;
  out.sheet_covers_stage = out.sheet.w == 0;
  out.header = {0, 0, w, 0};
  const float transport = barHeight(frame, w, true), sentence = sentenceHeight(frame, w);
  out.transport = {0, h - transport, w, transport};
  out.sentence = {0, h - transport - sentence, w, sentence};
  out.notice = {0, 0, w, noticeHeight(frame, w)};
  out.note = {0, out.notice.h, w, noteStripHeight(frame, w)};
  const float from = out.note.y + out.note.h;
  out.reading = {0, from, w, readingHeight(frame, w)};
  out.stage = {0, from + out.reading.h, w, out.sentence.y - from - out.reading.h};
  return out;
}

ScreenLayout layOut(Frame& frame) {
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  if (presents(frame)) return presentLayout(frame, size.x, size.y);
  ScreenLayout out;
  out.narrow = isNarrow(frame, size);
  const bool low = out.narrow && size.x > size.y * 1.1f;  // no height to spare
  const bool slim = frame.session.presentation().embed;
  out.header = {0, 0, size.x, slim ? 0 : frame.controlHeight() + (low ? 0 : kUnit)};
  out.slim = out.narrow || slim;
  const float transport = barHeight(frame, size.x, out.slim);
  out.transport = {0, size.y - transport, size.x, transport};
  return out.narrow ? narrowLayout(frame, size.x, size.y, out) : wideLayout(frame, size.x, out);
}

void drawNotice(Frame& frame, const Rect& area) {
  const std::string text = noticeText(frame);
  if (text.empty() || area.h <= 0) return;
  Panel panel(frame, "notice", area, frame.colors.raised, 0, false);
  ImGui::GetWindowDrawList()->AddRectFilled({area.x, area.y}, {area.x + 4, area.y + area.h},
                                            packed(frame.colors.warning));
  const float side = frame.controlHeight(), room = noticeRoom(frame, area.w);
  const float lines = static_cast<float>(wrap(frame, noticeStyle(frame), text, room).size());
  const float height = lines * lineHeight(frame, noticeStyle(frame));
  paragraph(frame, noticeStyle(frame), text, area.x + 2 * kUnit, area.y + (area.h - height) / 2, room);
  frame.recorder.add({.id = "notice/text", .label = text, .role = Role::kText, .rect = area});
  if (const std::string offer = noticeOffer(frame); !offer.empty()) {
    const float width = buttonWidth(frame, offer), x = area.x + area.w - side - 1.5f * kUnit - width;
    if (button(frame, "notice/document", offer, {x, area.y + (area.h - side) / 2, width, side})) keepDocument(frame);
  }
  if (button(frame, "notice/dismiss", tr("Dismiss"),
             {area.x + area.w - side - kUnit / 2, area.y + (area.h - side) / 2, side, side},
             {.icon = Icon::kClose, .icon_only = true, .look = Look::kQuiet})) {
    frame.view.said.clear();
    frame.view.dismissed_notice = frame.session.notice();
  }
}

// True when another tab was chosen.
bool chooseTab(Frame& frame, const Rect& area) {
  const Tabs tabs = tabsOf(frame);
  const auto now = std::find(tabs.pages.begin(), tabs.pages.end(), pageOf(frame, tabs)) - tabs.pages.begin();
  const int tab = choice(frame, "tab", tabs.options, static_cast<int>(now),
                         {area.x + kUnit, area.y + kUnit / 2, area.w - 2 * kUnit, area.h - kUnit});
  if (tab >= 0) frame.view.phone_tab = tabs.pages[static_cast<std::size_t>(tab)];
  return tab >= 0;
}

void drawTabs(Frame& frame, const Rect& area) {
  Panel panel(frame, "tabs", area, frame.colors.surface, 0, false);
  chooseTab(frame, area);
}

void leftEdge(const Frame& frame, const Rect& area) {
  ImGui::GetWindowDrawList()->AddLine({area.x, area.y}, {area.x, area.y + area.h}, packed(frame.colors.line));
}

void drawSettingsTab(Frame& frame, Panel& panel) {
  if (restIsHere(frame, panel)) drawSettings(frame, panel);
  const float h = frame.controlHeight();
  if (frame.view.file_menu) {
    if (button(frame, "settings/files", tr("File"), {panel.x(), panel.y, panel.width(), h}))
      turnSheet(frame, &ViewState::files_open, "settings/files");
    panel.y += h + kUnit;
  }
  if (button(frame, "settings/link", tr("Copy link"), {panel.x(), panel.y, panel.width(), h})) copyLink(frame);
  panel.y += h + kUnit;
  if (button(frame, "settings/share", tr("Make a link"), {panel.x(), panel.y, panel.width(), h}))
    turnSheet(frame, &ViewState::share_open, "settings/share");
  panel.y += h + kUnit;
  if (button(frame, "settings/export", tr("Export"), {panel.x(), panel.y, panel.width(), h}))
    turnSheet(frame, &ViewState::export_open, "settings/export");
  panel.y += h + kUnit;
  if (button(frame, "settings/about", tr("About attnscope"), {panel.x(), panel.y, panel.width(), h}))
    turnSheet(frame, &ViewState::about_open, "settings/about");
  panel.y += h + kUnit;
}

// Nothing until the page is there.
void drawTry(Frame& frame, Panel& panel, bool titled) {
  if (!titled && aboutExample(frame)) {  // on a narrow screen; elsewhere it stands in the header
    backToStage(frame, {panel.x(), panel.y, std::min(panel.width(), backToStageWidth(frame)), frame.controlHeight()});
    panel.y += frame.controlHeight() + 1.5f * kUnit;
  }
  SceneMemory& memory = sceneMemory(frame);
  if (!memory.page) return;
  SceneView view{frame, *memory.page, memory};
  drawSceneControls(view, panel, titled);
}

void drawSideContent(Frame& frame, Panel& panel, bool narrow) {
  const int page = narrow ? pageOf(frame, tabsOf(frame)) : 0;
  if (page == 0) return inScene(frame) ? drawTry(frame, panel, !narrow) : drawExplanation(frame, panel);
  if (page == 1) return drawChoices(frame, panel);
  if (page == 2) return drawContents(frame, panel);
  if (page == kEditTab) {
    if (restIsHere(frame, panel)) drawLaboratory(frame, panel);
    return;
  }
  drawSettingsTab(frame, panel);
}

void drawSide(Frame& frame, const ScreenLayout& layout) {
  if (layout.side.h < 1 || layout.side.w < 1) return;
  Panel panel(frame, "side", layout.side, frame.colors.surface, layout.narrow ? 1.5f * kUnit : 2 * kUnit);
  if (!layout.narrow) leftEdge(frame, layout.side);
  drawSideContent(frame, panel, layout.narrow);
}

// In the place of the explanation, so that the stage shows what a setting does; on a phone in the place of everything
// but the transport.
Rect sheetArea(const ScreenLayout& layout) {
  if (layout.sheet.w > 0) return layout.sheet;
  if (layout.sheet_covers_stage) return {0, layout.header.h, layout.header.w, layout.transport.y - layout.header.h};
  const float top = layout.narrow ? layout.tabs.y : layout.side.y;
  return {layout.side.x, top, layout.side.w, layout.transport.y - top};
}

void drawStagePanel(Frame& frame, const Rect& area) {
  Panel panel(frame, "stage", area, frame.colors.ground, 0, false);
  if (inScene(frame)) drawOpenScene(frame, area);
  else drawStage(frame.session, frame.view, frame.recorder, frame.dispatch, area);
  if (!frame.view.keyboard || !frame.recorder.focused.empty() || !frame.view.stage_focused) return;
  // Over everything that the stage holds, the page of a scene among it.
  ImDrawList& list = *ImGui::GetForegroundDrawList();
  list.PushClipRect(ImGui::GetWindowDrawList()->GetClipRectMin(), ImGui::GetWindowDrawList()->GetClipRectMax());
  list.AddRect({area.x + 1, area.y + 1}, {area.x + area.w - 1, area.y + area.h - 1}, packed(frame.colors.focus), kRounding, 0, 2);
  list.PopClipRect();
}

// Where the stage leaves no room for the words: both in one page. A tab brings what it shows to the top.
void drawScrolling(Frame& frame, const ScreenLayout& layout) {
  const float padding = 1.5f * kUnit, bar = ImGui::GetStyle().ScrollbarSize, w = layout.main.w - bar;
  Panel panel(frame, "main", layout.main, frame.colors.surface, padding);
  const float top = panel.y - padding;
  drawStagePanel(frame, {layout.main.x, top, w, layout.stage.h});
  if (chooseTab(frame, {layout.main.x, top + layout.stage.h, w, layout.tabs.h})) ImGui::SetScrollY(layout.stage.h);
  panel.y = top + layout.stage.h + layout.tabs.h + kUnit;
  drawSideContent(frame, panel, true);
}

void drawPanels(Frame& frame) {
  const ScreenLayout layout = layOut(frame);
  frame.view.narrow = layout.narrow;
  if (layout.header.h > 0) drawHeader(frame, layout.header, layout.narrow);
  drawNotice(frame, layout.notice);
  drawNoteStrip(frame, layout.note);
  drawComparison(frame, layout.comparison, layout.narrow);
  if (layout.contents.w > 0) {
    Panel panel(frame, "contents", layout.contents, frame.colors.surface, 1.5f * kUnit);
    drawContents(frame, panel);
    const float edge = layout.contents.w - 1;
    ImGui::GetWindowDrawList()->AddLine({edge, layout.contents.y}, {edge, layout.transport.y},
                                        packed(frame.colors.line));
  }
  const Sheet* sheet = openSheet(frame.view);
  const bool covered = sheet && layout.sheet_covers_stage;
  frame.view.kept_clear = covered || layout.scrolls ? Rect{} : layout.side;
  frame.view.stage_scrolls = layout.scrolls;
  if (!covered && !inScene(frame)) drawReading(frame, layout.reading);
  if (!covered && !layout.scrolls) drawStagePanel(frame, layout.stage);
  if (!covered && layout.scrolls) {
    drawScrolling(frame, layout);
  } else if (sheet) {
    const float scale = std::exchange(frame.view.scale, frame.view.text_scale);  // nobody presents a sheet
    drawSheet(frame, sheetArea(layout), *sheet, !layout.sheet_covers_stage);
    frame.view.scale = scale;
  } else if (!presents(frame)) {
    if (layout.narrow) drawTabs(frame, layout.tabs);
    drawSide(frame, layout);
  }
  if (!covered && layout.sentence.h > 0) drawSentence(frame, layout.sentence);
  const Rect& tabs = layout.tabs;
  const bool narrow = layout.narrow;
  drawTour(frame, layout.tour, {layout.stage, layout.side, narrow ? tabs : layout.transport, narrow ? tabs : layout.contents});
  if (inScene(frame)) drawSceneBar(frame, layout.transport, layout.slim);
  else drawTransport(frame, layout.transport, layout.slim);
}

// What changed last is what is told: the step or the chosen cell.
void listen(const app::State& state, ViewState& view) {
  if (view.told_edits && state.edits != *view.told_edits) view.edits_speak = true;
  else if (state.cursor != view.told_cell || state.at != view.told_step) view.edits_speak = false;
  const bool moved = state.cursor != view.told_cell || state.at != view.told_step || state.edits != view.told_edits;
  if (view.told_shown && state.shown != *view.told_shown) view.shown_speaks = true;
  else if (moved) view.shown_speaks = false;
  view.told_shown = state.shown;
  view.told_edits = state.edits;
  if (state.cursor != view.told_cell) view.cell_speaks = state.cursor.has_value();
  else if (state.at != view.told_step) view.cell_speaks = false;
  view.told_cell = state.cursor;
  view.told_step = state.at;
}

// What tr("Make a link") shows is how others will find it, not how this person works.
void keepPresentation(Frame& frame) {
  ViewState& view = frame.view;
  if (view.share_open && !view.before_share) view.before_share = frame.session.presentation();
  if (view.share_open || !view.before_share) return;
  frame.dispatch(app::action::Present{*view.before_share});
  view.before_share.reset();
}

constexpr int kPatience = 2;  // frames: a sheet is drawn after the one in which what opens it was pressed

void moveFocus(Frame& frame) {
  ViewState& view = frame.view;
  if (!view.focus_next) return;
  const bool there = view.focus_next->empty() || frame.recorder.byId(*view.focus_next);
  if (!there && !view.environment.rest_loaded) return;  // it may come with the rest
  if (!there && view.focus_waited++ < kPatience) {
    view.animating = true;
    return;
  }
  view.focus_waited = 0;
  const std::string target = *std::exchange(view.focus_next, std::nullopt);
  if (view.environment.page_owns_focus) {
    view.focus_target = target;
    ++view.focus_asked;
  } else {
    frame.recorder.focused = target;
    view.keyboard = true;
  }
}

}  // namespace

void setUp() {
  ImGuiIO& io = ImGui::GetIO();
  io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;  // the focus is the page's or our own
  loadFonts();
}

void drawScreen(const app::Session& session, ViewState& view, Recorder& recorder, const Dispatch& dispatch) {
  std::vector<app::Action> asked;
  const Dispatch later = [&](app::Action action) { asked.push_back(std::move(action)); };
  const ImVec2 size = ImGui::GetIO().DisplaySize;
  view.scale = presentedScale(session.presentation(), view.text_scale, size.x, size.y);
  applyStyle(view);
  watchPointer(view);
  Frame frame{session, view, recorder, later, colors(view)};
  const std::string said = view.said;
  if (session.notice().empty()) view.dismissed_notice.clear();
  if (!session.state().cursor) view.in_matrix = false;  // before anything in this frame enters a matrix
  listen(session.state(), view);
  if (inScene(frame)) beginScene(frame);
  ImGui::SetNextWindowPos({0, 0});
  ImGui::SetNextWindowSize(ImGui::GetIO().DisplaySize);
  ImGui::Begin("screen", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoNav);
  drawPanels(frame);
  ImGui::End();
  handleKeys(frame);
  moveFocus(frame);
  keepPresentation(frame);
  if (!asked.empty() && view.said == said) view.said.clear();  // what was said before what is done now
  for (app::Action& action : asked) dispatch(std::move(action));
}

}  // namespace attn::ui
