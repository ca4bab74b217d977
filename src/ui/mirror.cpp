// The screen as JSON for assistive technology and embedding pages. Every word is one that the screen shows as well.
#include "ui/mirror.h"

#include <algorithm>
#include <vector>

#include "app/edit_words.h"
#include "app/explain.h"
#include "io/json_writer.h"
#include "io/label.h"
#include "ui/keys.h"
#include "ui/mirror_table.h"
#include "ui/panels.h"
#include "lesson/catalogue.h"
#include "ui/reading_order.h"
#include "ui/scene_mirror.h"
#include "ui/scene_view.h"
#include "ui/sheets.h"
#include "ui/stage_memory.h"
#include "ui/tour.h"

namespace attn::ui {
namespace {

std::string_view roleName(Role role) {
  switch (role) {
    case Role::kButton: return "button";
    case Role::kToggle: return "checkbox";
    case Role::kRadio: return "radio";
    case Role::kSlider: return "slider";
    case Role::kField: return "textbox";
    case Role::kCell: return "cell";
    case Role::kHeading: return "heading";
    case Role::kText: return "text";
  }
  return "text";
}

// Without a picture there is nothing that these could change.
bool worksThePicture(std::string_view id) {
  return id == "stage/fit" || id == "stage/zoom-in" || id == "stage/zoom-out" || id == "header/contents";
}

void writeControls(io::JsonWriter& json, const ViewState& view, const Recorder& recorder) {
  json.name("controls").beginList();
  for (const Control* control : inReadingOrder(recorder)) {
    const Control& each = *control;
    if (!view.environment.painted && worksThePicture(each.id)) continue;
    json.beginObject().name("id").text(each.id).name("label").text(each.label).name("role").text(roleName(each.role));
    json.name("enabled").flag(each.enabled).name("checked").flag(each.checked);
    json.name("value").number(each.value).name("min").number(each.minimum).name("max").number(each.maximum);
    json.name("step").number(each.step).name("valueText").text(each.value_text).name("keys").text(each.keys);
    if (each.lines) json.name("lines").flag(true);
    if (!each.about.empty()) json.name("about").text(each.about);
    json.name("handle").flag(each.handle).name("panel").flag(each.in_sheet);
    json.name("group").text(each.group.empty() ? groupName(each.id) : each.group).name("first").flag(comesFirst(each.id)).endObject();
  }
  json.endList();
}

// The open sheet in words, and where the keyboard is asked to go.
void writePanel(io::JsonWriter& json, const ViewState& view, const Recorder& recorder) {
  if (const Sheet* sheet = openSheet(view)) {
    json.name("panel").beginObject().name("title").text(tr(sheet->title)).name("words").beginList();
    const bool controls_alone = sheet->open == &ViewState::settings_open && view.environment.rest_loaded;
    for (const Control& each : recorder.controls()) {
      if (each.id != kSheetWords || controls_alone) continue;
      json.beginObject().name("kind").text(roleName(each.role)).name("text").text(each.label).endObject();
    }
    json.endList().endObject();
  }
  json.name("focus").beginObject().name("asked").number(view.focus_asked).name("control").text(view.focus_target);
  json.endObject();
}

void writeTable(io::JsonWriter& json, const MatrixTable& table) {
  json.beginObject().name("caption").text(table.caption).name("columns").beginList();
  for (const std::string& each : table.columns) json.text(each);
  json.endList().name("rows").beginList();
  for (const TableRow& row : table.rows) {
    json.beginObject().name("head").text(row.head).name("cells").beginList();
    for (const std::string& each : row.cells) json.text(each);
    json.endList().endObject();
  }
  json.endList().name("cursor").beginList();
  if (table.cursor_row >= 0) json.number(table.cursor_row).number(table.cursor_column);
  json.endList().endObject();
}

// The array that the keyboard enters; before the first step the others that are given as well.
void writeTables(io::JsonWriter& json, const app::Session& session, const StageMemory* stage) {
  const MatrixTable current = tableOf(session, currentArray(session), stage);
  json.name("table");
  writeTable(json, current);
  json.name("given").beginList();
  if (!session.state().at)
    for (const MatrixTable& each : givenTables(session, stage))
      if (each.caption != current.caption) writeTable(json, each);
  json.endList();
}

// What stands above the stage.
std::vector<std::string> stripsOf(const app::Session& session, const ViewState& view) {
  std::vector<std::string> strips;
  if (const std::string& note = session.presentation().note; !note.empty()) strips.push_back(note);
  if (onTour(session, view)) strips.push_back(tourText(view));
  return strips;
}

// Lines of words; those that are titles of what follows are named in "headings".
void writeExplanation(io::JsonWriter& json, const app::Session& session, const ViewState& view,
                      const app::Explanation& explanation, std::string_view live) {
  std::vector<std::string> lines;
  if (session.state().at && live.rfind(explanation.headline, 0) != 0) lines.push_back(explanation.headline);
  if (!session.state().at) lines.push_back(session.example().about);
  lines.push_back(wordsAreOf(session));
  lines.push_back(explanation.formula);
  for (const std::string& each : explanation.numbers) lines.push_back(app::byKeys(each));
  lines.push_back(explanation.sentence);
  lines.push_back(explanation.distribution_title);
  for (const app::Bar& each : explanation.distribution)
    lines.push_back(each.label + ": " +
                    (!each.known && !each.blocked ? tr("not yet known") : each.text.empty() ? tr("hidden") : each.text));
  lines.push_back(explanation.distribution_sum);
  if (!explanation.column_sums.empty()) lines.push_back(tr(kColumnSums));
  for (const std::string& each : explanation.column_sums) lines.push_back(each);
  if (explanation.next != live) lines.push_back(explanation.next);
  lines.erase(std::remove(lines.begin(), lines.end(), std::string()), lines.end());
  if (session.presentation().hides(app::Part::kExplain)) lines.clear();
  const std::vector<std::string> strips = stripsOf(session, view);
  lines.insert(lines.begin(), strips.begin(), strips.end());
  json.name("explanation").beginList();
  for (const std::string& each : lines) json.text(each);
  json.endList().name("headings").beginList();
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (lines[i] == explanation.distribution_title || lines[i] == tr(kColumnSums)) json.number(static_cast<double>(i));
  json.endList();
}

// What was done last, and what came of it.
std::string editsLine(const app::Session& session) {
  const std::vector<app::EditItem> items = app::editItems(session);
  return (items.empty() ? tr("Nothing is edited.") : items.back().name + ".") +
         (session.compares() ? " " + app::changesText(session) : "");
}

// Of which numbers the picture is, since it was switched.
std::string shownLine(const app::Session& session) {
  switch (session.state().shown) {
    case app::Shown::kAfter: return tr("The picture shows “After”: the example as it is edited.");
    case app::Shown::kBefore: return tr("The picture shows “Before”: {0}.", {app::comparedText(session)});
    case app::Shown::kDifference: return tr("The picture shows the difference, after − before.") + " " + app::changesText(session);
  }
  return "";
}

// One sentence: the cell that was chosen last, else the step, with its number where it has just one.
std::string liveLine(const app::Session& session, const ViewState& view, const app::Explanation& explanation) {
  if (!view.said.empty()) return view.said;
  if (!session.notice().empty()) return session.notice();
  if (view.shown_speaks) return shownLine(session);
  if (view.edits_speak) return editsLine(session);
  if ((view.in_matrix || view.cell_speaks) && session.state().cursor)
    return app::cellText(session, *session.state().cursor);
  if (!session.state().at) return explanation.next;
  if (explanation.numbers.size() == 1) return explanation.headline + ": " + app::byKeys(explanation.numbers.front());
  return explanation.headline;
}

// A scene: what came out is what is said aloud.
std::string sceneLine(const app::Session& session, const ViewState& view) {
  if (!view.said.empty()) return view.said;
  if (!session.notice().empty()) return session.notice();
  if (!session.page()) return session.sceneFailure().empty() ? tr("The scene is being computed.") : session.sceneFailure();
  return session.page()->says;
}

std::string sceneJson(const app::Session& session, const ViewState& view, const Recorder& recorder) {
  io::JsonWriter json;
  const lesson::CatalogueEntry* entry = lesson::findScene(session.state().scene);
  json.beginObject().name("title").text(session.page() ? session.page()->title : entry ? entry->title : "");
  json.name("live").text(io::withoutTicks(sceneLine(session, view))).name("reading").flag(false);
  json.name("explanation").beginList();
  for (const std::string& each : stripsOf(session, view)) json.text(each);
  json.endList();
  writePanel(json, view, recorder);
  writeControls(json, view, recorder);
  json.endObject();
  std::string text = json.take();
  SceneMemory* memory = view.scene.get();
  if (!session.page() || !memory) return text;
  if (memory->mirror.empty()) memory->mirror = pageMirror(*session.page(), memory->answers, session.presentation());
  text.insert(text.size() - 1, ",\"page\":" + memory->mirror);
  return text;
}

}  // namespace

std::string mirrorJson(const app::Session& session, const ViewState& view, const Recorder& recorder) {
  if (!session.state().scene.empty()) return sceneJson(session, view, recorder);
  const app::Explanation explanation = app::explain(session);
  io::JsonWriter json;
  json.beginObject().name("title").text(session.example().title);
  const std::string live = io::withoutTicks(liveLine(session, view, explanation));
  json.name("live").text(live);
  json.name("reading").flag(view.in_matrix);
  writeExplanation(json, session, view, explanation, live);
  writePanel(json, view, recorder);
  writeControls(json, view, recorder);
  writeTables(json, session, view.stage.get());
  json.endObject();
  return json.take();
}

std::string layoutJson(const Recorder& recorder) {
  io::JsonWriter json;
  json.beginList();
  for (const Control& each : recorder.controls()) {
    if (!each.visible) continue;
    json.beginObject().name("label").text(each.label).name("role").text(roleName(each.role));
    json.name("x").number(each.rect.x).name("y").number(each.rect.y);
    json.name("w").number(each.rect.w).name("h").number(each.rect.h).endObject();
  }
  json.endList();
  return json.take();
}

}  // namespace attn::ui
