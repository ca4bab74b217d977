// The choices of what, as which file; and its way out. Writes no format itself.
#include "ui/lab_export.h"

#include <algorithm>
#include <array>

#include "app/explain.h"
#include "app/export_file.h"
#include "app/names.h"
#include "app/row_sound.h"
#include "app/words.h"
#include "figure/equation.h"
#include "lesson/trace_arrays.h"
#include "ui/keep_document.h"
#include "ui/lab.h"
#include "ui/lab_figures.h"
#include "ui/panels.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

using core::Index;

constexpr Index kInView = -1, kEveryHead = -2;
std::array<Option, 3> kindOptions() { return {{{"array", tr("One array")}, {"whole", tr("Everything")}, {"moment", tr("This moment")}}}; }
std::array<Option, 4> momentOptions() {
  return {{{"words", tr("In words")}, {"link", tr("Link")}, {"document", tr("Document")}, {"sound", tr("Row as sound")}}};
}

// The one that is chosen or written last.
std::string chosenArray(const app::Session& session, const std::vector<std::string>& names) {
  const app::State& state = session.state();
  const core::Array array = state.cursor ? state.cursor->array : state.at ? core::resultOf(state.at->stage) : core::Array::kWeights;
  const std::string name(core::arrayName(array));
  return std::find(names.begin(), names.end(), name) == names.end() ? "weights" : name;
}

class Exports {
 public:
  Exports(Frame& frame, Panel& panel)
      : frame_(frame), panel_(panel), session_(frame.session), chosen_(frame.view.exports),
        names_(lesson::traceArrayNames(session_.example(), session_.trace())) {}

  void draw() {
    if (const int kind = pick(frame_, panel_, "export/kind", tr("What"), kindOptions(), chosen_.kind); kind >= 0) chosen_.kind = kind;
    if (chosen_.kind == 0) oneArray();
    else if (chosen_.kind == 1) everything();
    else moment();
    if (!frame_.view.save_file) note(frame_, panel_, tr("No file can be kept here; what is text can be copied."));
  }

 private:
  void oneArray() {
    chooseArray();
    const std::string what = array();
    const bool of_heads = session_.trace().heads.size() > 1 && lesson::isPerHead(what);
    if (of_heads) chooseHead();
    const bool stacked = of_heads && chosen_.head == kEveryHead;
    chooseFormat(stacked);
    const bool pixels = chosen_.array == "png", picture = pixels || chosen_.array == "svg";
    if (picture) chooseColours();
    if (picture && !frame_.view.save_picture) note(frame_, panel_, tr("PNG is made on the page only; every browser opens SVG."));
    if (pixels) pickSize(frame_, panel_);
    if (stacked && !holdsHeads(chosen_.array)) return body(frame_, panel_, tr("This format holds one head; choose which."));
    const std::optional<Index> head = !of_heads || stacked ? std::optional<Index>() : headOf();
    const std::string part = "-" + what + (head ? "-head-" + app::ordinal(session_.example(), *head) : "");
    give({pixels ? "svg" : chosen_.array, what, head, isDarkPicture()}, part, pixels);
  }

  void chooseArray() {
    std::vector<Option> options = {{"present", tr("Now: {0}", {titleOf(chosenArray(session_, names_))}),
                                    tr("That of the chosen cell or of the step.")}};
    for (const std::string& name : names_) options.push_back({name, titleOf(name)});
    const auto at = std::find(names_.begin(), names_.end(), chosen_.what);
    const int now = at == names_.end() ? 0 : static_cast<int>(at - names_.begin()) + 1;
    const int next = pick(frame_, panel_, "export/what", tr("Array"), options, now);
    if (next >= 0) chosen_.what = next == 0 ? "" : names_[static_cast<std::size_t>(next - 1)];
  }

  static std::string titleOf(const std::string& name) {
    const auto array = core::parseArray(name);
    return array ? figure::arrayTitle(*array) : name;
  }

  std::string array() const {
    const bool there = std::find(names_.begin(), names_.end(), chosen_.what) != names_.end();
    return there ? chosen_.what : chosenArray(session_, names_);
  }

  Index headOf() const {
    const auto heads = static_cast<Index>(session_.trace().heads.size());
    return chosen_.head < 0 || chosen_.head >= heads ? session_.state().head : chosen_.head;
  }

  void chooseHead() {
    const auto heads = static_cast<Index>(session_.trace().heads.size());
    std::vector<std::string> keys;  // those of the heads
    for (Index h = 0; h < heads; ++h) keys.push_back(std::to_string(h));
    std::vector<Option> options = {{"view", tr("In view: {0}", {app::ordinal(session_.example(), session_.state().head)})},
                                   {"all", tr("All")}};
    for (Index h = 0; h < heads; ++h)
      options.push_back({keys[static_cast<std::size_t>(h)], app::ordinal(session_.example(), h)});
    const int now = chosen_.head == kInView || chosen_.head >= heads ? 0 : chosen_.head == kEveryHead ? 1 : static_cast<int>(chosen_.head) + 2;
    const int next = pick(frame_, panel_, "export/head", tr("Head"), options, now);
    if (next >= 0) chosen_.head = next == 0 ? kInView : next == 1 ? kEveryHead : next - 2;
  }

  bool isDarkPicture() const { return chosen_.dark.value_or(isDark(frame_.view)); }

  void chooseColours() {
    const std::array<Option, 2> colours{{{"light", tr("Light")}, {"dark", tr("Dark")}}};
    const int next = pick(frame_, panel_, "export/colours", tr("Colours"), colours, isDarkPicture() ? 1 : 0);
    if (next >= 0) chosen_.dark = next == 1;
  }

  static bool holdsHeads(std::string_view format) { return format == "json" || format == "npy"; }

  void chooseFormat(bool stacked) {
    std::vector<Option> options;
    for (const app::ExportFormat& each : app::exportFormats()) {
      const bool archive = each.id == "npz" || each.id == "safetensors";  // for everything
      if (each.of_array && !archive) options.push_back({each.id, std::string(each.name), {}, !stacked || holdsHeads(each.id)});
    }
    if (frame_.view.save_picture) options.push_back({"png", "PNG", {}, !stacked});
    pickFormat(frame_, panel_, options, chosen_.array);
  }

  void everything() {
    std::vector<Option> options;
    for (const app::ExportFormat& each : app::exportFormats()) {
      if (each.of_whole) options.push_back({each.id, std::string(each.name)});
    }
    pickFormat(frame_, panel_, options, chosen_.whole);
    const bool code = !app::findFormat(chosen_.whole)->of_array;
    body(frame_, panel_, code ? tr("A program that computes the same numbers, with the mask, rules and edits of the moment.")
                              : tr("Every array of the computation, as it was computed, with the tokens where the format holds texts."));
    give({chosen_.whole, "", {}}, code && chosen_.whole != "py" ? "-" + chosen_.whole : "", false);
  }

  void give(const app::ExportChoice& choice, const std::string& part, bool pixels) {
    const app::ExportFormat& format = *app::findFormat(choice.format);
    const std::string name = fileStem(session_.example()) + part + "." + std::string(pixels ? "png" : format.extension);
    Acts acts(frame_, panel_);
    const bool saves = frame_.view.save_file && acts.press("export/save", tr("Save"), name);
    const bool copies = format.text && !pixels && acts.press("export/copy", tr("Copy"));
    if (!saves && !copies) return;
    const core::Result<std::string> bytes = app::exported(session_.example(), session_.trace(), choice, session_.state());
    if (!bytes) frame_.view.said = bytes.error().message;
    else if (copies) copyText(frame_, bytes.value());
    else saveBytes(frame_, name, bytes.value(), pixels ? chosen_.scale : 0);
  }

  void moment() {
    const std::string& words = chosen_.moment;
    pickFormat(frame_, panel_, momentOptions(), chosen_.moment);
    if (words == "sound") return sound();
    Acts acts(frame_, panel_);
    if (words == "document") {
      if (acts.press("export/save", keepDocumentText(frame_))) keepDocument(frame_);
      return;
    }
    const bool saves = words == "words" && frame_.view.save_file && acts.press("export/save", tr("Save"));
    if (saves) saveBytes(frame_, fileStem(session_.example()) + ".txt", app::plainText(session_), 0);
    if (!acts.press("export/copy", tr("Copy"))) return;
    if (words == "link") copyLink(frame_);
    else copyText(frame_, app::plainText(session_));
  }

  void sound() {
    const Index row = app::heardRow(session_);
    const std::vector<app::Bar> weights = app::distributionOf(session_, row);
    if (weights.empty()) return body(frame_, panel_, app::unheardText(session_));
    body(frame_, panel_, app::rowSoundText(weights.size()));
    Acts acts(frame_, panel_);
    const std::string name = fileStem(session_.example()) + "-row-" + app::ordinal(session_.example(), row) + ".wav";
    if (frame_.view.save_file && acts.press("export/save", tr("Save"), name)) saveBytes(frame_, name, app::rowSound(weights), 0);
  }

  Frame& frame_;
  Panel& panel_;
  const app::Session& session_;
  ExportChoices& chosen_;
  std::vector<std::string> names_;
};

}  // namespace

void pickFormat(Frame& frame, Panel& panel, std::span<const Option> options, std::string& chosen) {
  const auto at = std::find_if(options.begin(), options.end(), [&](const Option& each) { return each.key == chosen; });
  const int next = pick(frame, panel, "export/format", tr("Format"), options, static_cast<int>(at - options.begin()));
  if (next >= 0) chosen = options[static_cast<std::size_t>(next)].key;
}

void pickSize(Frame& frame, Panel& panel) {
  const std::array<Option, 3> sizes{{{"1", "1×"}, {"2", "2×"}, {"4", "4×"}}};
  const int next = pick(frame, panel, "export/size", tr("Size"), sizes, frame.view.exports.scale / 2);
  if (next >= 0) frame.view.exports.scale = 1 << next;
}

void copyText(Frame& frame, const std::string& text) {
  ImGui::SetClipboardText(text.c_str());
  frame.view.said = tr("It is on the clipboard.");
  frame.view.offers_document = false;
}

void saveBytes(Frame& frame, const std::string& name, const std::string& bytes, int scale) {
  frame.view.said = tr("Saved as {0}.", {name});
  frame.view.offers_document = false;
  if (scale > 0) frame.view.save_picture(name, bytes, scale);
  else frame.view.save_file(name, bytes);
}

void drawExport(Frame& frame, Panel& panel) {
  if (frame.session.state().scene.empty()) Exports(frame, panel).draw();
  else drawFigureExport(frame, panel);
}

}  // namespace attn::ui
