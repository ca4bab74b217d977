// See lab_notebook.h.
#include "ui/lab_notebook.h"

#include "app/notebook.h"
#include "ui/panels.h"
#include "ui/text.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

using Judgement = lesson::Verdict::Judgement;

constexpr char kFile[] = "attnscope-notebook.md";

void keepFile(Frame& frame) {
  const std::string text = frame.session.notebook().markdown();
  frame.view.offers_document = false;
  frame.view.said = frame.view.save_file ? tr("The notebook is saved as {0}.", {kFile})
                                         : tr("The notebook is on the clipboard as Markdown.");
  if (frame.view.save_file) frame.view.save_file(kFile, text);
  else ImGui::SetClipboardText(text.c_str());
}

std::string judgedText(Judgement judgement) {
  switch (judgement) {
    case Judgement::kRight: return tr("Right.");
    case Judgement::kWrong: return tr("Wrong.");
    case Judgement::kNone: break;
  }
  return tr("No prediction.");
}

void drawEntry(Frame& frame, Panel& panel, const app::NotebookEntry& entry) {
  const lesson::Verdict& first = entry.first;
  heading(frame, panel, first.title);
  note(frame, panel, first.question);
  const std::string yours = first.prediction.empty() ? "" : " " + tr("Yours: {0}", {first.prediction}) + ".";
  body(frame, panel, judgedText(first.judgement) + yours + " " + tr("Computed: {0}", {first.answer}));
  if (const std::string later = app::Notebook::laterText(entry); !later.empty()) note(frame, panel, later + ".");
  if (!first.note.empty()) body(frame, panel, tr("Your note: {0}", {first.note}));
}

// What was pressed goes away: who pressed it by the keyboard goes on where the answer is.
void say(Frame& frame, const std::string& sentence, std::string_view pressed, const char* next) {
  frame.view.said = sentence;
  frame.view.offers_document = false;
  if (frame.recorder.focused == pressed) frame.view.focus_next = next;
}

// Cleared only after it has been asked for twice.
void drawClearing(Frame& frame, Panel& panel) {
  const float h = frame.controlHeight();
  Flow flow(panel.x(), panel.y, panel.width(), h, kUnit);
  const auto pressed = [&](std::string_view id, const std::string& label, std::string_view tip = {}) {
    return button(frame, id, label, flow.place(std::min(panel.width(), buttonWidth(frame, label))), {.tip = tip});
  };
  if (!frame.view.clears_notebook) {
    if (pressed("notebook/clear", tr("Clear the notebook"))) {
      frame.view.clears_notebook = true;
      say(frame, tr("Clear all of the notebook? It cannot be brought back."), "notebook/clear", "notebook/keep");
    }
  } else {
    if (pressed("notebook/clear-now", tr("Clear all of it"), tr("It cannot be brought back."))) {
      frame.dispatch(app::action::ClearNotebook{});
      frame.view.clears_notebook = false;
      say(frame, tr("The notebook is empty."), "notebook/clear-now", "sheet/close");
    }
    if (pressed("notebook/keep", tr("Keep it"))) {
      frame.view.clears_notebook = false;
      say(frame, tr("Nothing is cleared."), "notebook/keep", "notebook/clear");
    }
  }
  panel.y = flow.bottom() + kUnit;
}

}  // namespace

void drawNotebook(Frame& frame, Panel& panel) {
  const auto& entries = frame.session.notebook().entries();
  if (entries.empty()) {
    frame.view.clears_notebook = false;
    return body(frame, panel,
                tr("Nothing yet. What you predict in \"Predict first\" and what you paste in \"Implement it yourself\" is "
                   "kept here once it is revealed."));
  }
  body(frame, panel, tr("What you predicted, before you knew: the first prediction counts. It stays on this machine."));
  const std::string label = frame.view.save_file ? tr("Save as Markdown") : tr("Copy as Markdown");
  const Rect rect{panel.x(), panel.y, std::min(panel.width(), buttonWidth(frame, label)), frame.controlHeight()};
  if (button(frame, "notebook/save", label, rect)) keepFile(frame);
  panel.y += rect.h + 2 * kUnit;
  for (const app::NotebookEntry& each : entries) drawEntry(frame, panel, each);
  panel.y += kUnit;
  drawClearing(frame, panel);
}

}  // namespace attn::ui
