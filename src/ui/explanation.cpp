// The step in words: what is done, its formula, the same with numbers, what it means, what comes next.
#include "app/explain.h"

#include "lesson/catalogue.h"
#include "ui/contents_order.h"
#include "ui/panels.h"
#include "ui/sheets.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {

struct ExplanationMemory {
  const app::Session* session = nullptr;
  unsigned long revision = 0;
  app::Explanation words;
};

namespace {

const app::Explanation& currentExplanation(Frame& frame) {
  std::shared_ptr<ExplanationMemory>& memory = frame.view.explanation;
  const app::Session& session = frame.session;
  if (!memory || memory->session != &session || memory->revision != session.revision())
    memory =
        std::make_shared<ExplanationMemory>(ExplanationMemory{&session, session.revision(), app::explain(session)});
  return memory->words;
}

}  // namespace

std::string wordsAreOf(const app::Session& session) {
  const bool other = session.compares() && session.state().shown != app::Shown::kAfter;
  return other ? tr("These words are about the example as it is edited, “After”.") : "";
}

void tell(Frame& frame, std::string_view text, Role role) {
  if (!frame.recorder.in_sheet) return;  // elsewhere the mirror has its own words
  frame.recorder.add(
      {.id = std::string(kSheetWords), .label = std::string(text), .role = role, .rect = {}, .visible = false});
}

void heading(Frame& frame, Panel& panel, std::string_view text) {
  tell(frame, text, Role::kHeading);
  panel.group = text.substr(0, text.find(':'));
  const TextStyle style{.face = Face::kStrong, .size = kSmall, .color = frame.colors.muted};
  panel.y += paragraph(frame, style, text, panel.x(), panel.y, panel.width()) + kUnit / 2;
}

void body(Frame& frame, Panel& panel, std::string_view text) {
  tell(frame, text, Role::kText);
  const TextStyle style{.size = kBody, .color = frame.colors.text};
  panel.y += paragraph(frame, style, text, panel.x(), panel.y, panel.width()) + kUnit;
}

void note(Frame& frame, Panel& panel, std::string_view text) {
  tell(frame, text, Role::kText);
  const TextStyle style{.size = kSmall, .color = frame.colors.muted};
  panel.y += paragraph(frame, style, text, panel.x(), panel.y, panel.width()) + kUnit;
}

namespace {

// The formula and its numbers on a ground of their own.
void arithmetic(Frame& frame, Panel& panel, const app::Explanation& explanation) {
  if (explanation.formula.empty() && explanation.numbers.empty()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  const float top = panel.y, x = panel.x() + 1.5f * kUnit, width = panel.width() - 3 * kUnit;
  const bool touch = frame.view.environment.coarse_pointer, keys = frame.view.keyboard || frame.view.in_matrix;
  panel.y += kUnit;
  const TextStyle formula{.face = Face::kNumber, .size = 14, .color = frame.colors.now};
  panel.y += paragraph(frame, formula, explanation.formula, x, panel.y, width);
  const TextStyle numbers{.face = Face::kNumber, .size = 14, .color = frame.colors.text};
  std::string full;  // of the line under the pointer
  for (std::size_t n = 0; n < explanation.numbers.size(); ++n) {
    const std::string& each = explanation.numbers[n];
    panel.y += kUnit / 2;
    const float height = paragraph(frame, numbers, touch ? app::byTouch(each) : keys ? app::byKeys(each) : each, x, panel.y, width);
    if (explanation.full_numbers[n] != each && resting(frame, {x, panel.y, width, height}))
      full = explanation.full_numbers[n];
    panel.y += height;
  }
  panel.y += kUnit;
  list.ChannelsSetCurrent(0);
  list.AddRectFilled({panel.x(), top}, {panel.x() + panel.width(), panel.y}, packed(frame.colors.ground), kRounding);
  list.ChannelsMerge();
  if (!full.empty()) tooltip(frame, full);
  panel.y += 1.5f * kUnit;
}

// To the page that led here, as it was left.
void wayBack(Frame& frame, Panel& panel) {
  const auto& back = frame.session.wayBack();
  const lesson::CatalogueEntry* entry = back ? lesson::findScene(back->scene) : nullptr;
  if (!entry) return;
  const std::string label = back->scene == "task" ? tr("Back to the task") : tr("Back to: {0}", {entry->title});
  const Rect rect{panel.x(), panel.y, panel.width(), entryHeight(frame, label, panel.width())};
  if (button(frame, "scenes/back", label, rect, {.left = true})) frame.dispatch(app::action::ReturnToScene{});
  panel.y += rect.h + 2 * kUnit;
}

// From the last number to what comes after the walkthrough; in the order of a lesson, which may pass it by, always.
void leadOn(Frame& frame, Panel& panel) {
  const Neighbours all = neighbours(frame);
  const bool done = frame.session.position() == frame.session.timeline().size();
  if (!all.next || !(done || !all.teaching)) return;
  const std::string words = tr("Next: {0}", {all.next->title});
  const Rect rect{panel.x(), panel.y, panel.width(), entryHeight(frame, words, panel.width())};
  if (button(frame, "scenes/next", tr("Next scene"), rect, {.left = true, .shown = words})) openEntry(frame, *all.next);
  panel.y += rect.h + 2 * kUnit;
}

}  // namespace

void drawExplanation(Frame& frame, Panel& panel) {
  const app::Explanation& explanation = currentExplanation(frame);
  wayBack(frame, panel);
  const TextStyle headline{.face = Face::kStrong, .size = 17, .color = frame.colors.text, .leading = 1.3f};
  panel.y += paragraph(frame, headline, explanation.headline, panel.x(), panel.y, panel.width()) + kUnit;
  if (!frame.session.state().at) note(frame, panel, frame.session.example().about);
  if (const std::string words = wordsAreOf(frame.session); !words.empty()) note(frame, panel, words);
  arithmetic(frame, panel, explanation);
  body(frame, panel, explanation.sentence);
  if (!explanation.next.empty()) {
    const float top = panel.y;
    const TextStyle next{.face = Face::kStrong, .size = kBody, .color = frame.colors.text};
    const std::string& words = frame.view.environment.coarse_pointer ? explanation.next_by_touch : explanation.next;
    panel.y += paragraph(frame, next, words, panel.x() + 1.5f * kUnit, panel.y, panel.width() - 1.5f * kUnit);
    ImGui::GetWindowDrawList()->AddRectFilled({panel.x(), top + 2}, {panel.x() + 3, panel.y - 2},
                                              packed(frame.colors.now), 1);
    panel.y += 2 * kUnit;
  }
  leadOn(frame, panel);
  drawDistribution(frame, panel, explanation);
  if (!explanation.column_sums.empty()) heading(frame, panel, tr(kColumnSums));
  for (const std::string& each : explanation.column_sums) note(frame, panel, each);
}

}  // namespace attn::ui
