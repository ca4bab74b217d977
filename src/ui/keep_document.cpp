// A document with the edits of the moment, as a file or on the clipboard. Carries out no edit.
#include "ui/keep_document.h"

#include <vector>

#include "app/names.h"
#include "imgui.h"
#include "lesson/edits.h"

namespace attn::ui {

std::string fileStem(const lesson::Example& example) {
  std::string name;
  for (const char c : example.title.substr(0, 60)) {
    const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (plain) name += c;
    else if (!name.empty() && name.back() != '-') name += '-';
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? example.id : name;
}

std::string keepDocumentText(const Frame& frame) {
  return frame.view.save_file ? tr("Save document") : tr("Copy document");
}

std::string documentOfMoment(const Frame& frame) {
  const app::State& state = frame.session.state();
  std::vector<std::string> edits = state.edits;
  if (state.mask != app::MaskChoice::kDocument) edits.insert(edits.begin(), "mask=" + std::string(nameOf(state.mask)));
  return lesson::documentWith(frame.session.example(), edits);
}

void keepDocument(Frame& frame) {
  const std::string document = documentOfMoment(frame);
  if (frame.view.save_file) {
    const std::string name = fileStem(frame.session.example()) + ".json";
    frame.view.said = tr("The document is saved as {0}.", {name});
    frame.view.save_file(name, document);
  } else {
    ImGui::SetClipboardText(document.c_str());
    frame.view.said = tr("The document is on the clipboard.");
  }
  frame.view.offers_document = false;
}

}  // namespace attn::ui
