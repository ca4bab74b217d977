// Writes the flat JSON object of api.h, key by key.
#include "app/api.h"

#include "app/names.h"
#include "io/json_writer.h"

namespace attn::app {

std::string stateJson(const Session& session) {
  const State& state = session.state();
  const Step step = state.at.value_or(Step{});
  io::JsonWriter json;
  const auto number = [&](std::string_view name, double value) { json.name(name).number(value); };
  const auto count = [&](std::string_view name, Index value) { number(name, static_cast<double>(value)); };
  const auto text = [&](std::string_view name, std::string_view value) { json.name(name).text(value); };
  const auto flag = [&](std::string_view name, bool value) { json.name(name).flag(value); };
  json.beginObject();
  number("v", 1);
  text("scene", state.scene);
  json.name("set").beginObject();
  for (const auto& [key, value] : state.settings) text(key, value);
  json.endObject();
  text("ex", state.example);
  text("mask", nameOf(state.mask));
  json.name("edits").beginList();
  for (const std::string& edit : state.edits) json.text(edit);
  json.endList();
  text("show", nameOf(state.shown));
  flag("pinned", state.pinned.has_value());
  text("order", nameOf(state.order));
  text("grain", nameOf(state.grain));
  count("row", state.row);
  count("head", state.head);
  text("stage", state.at ? core::stageName(step.stage) : "");
  count("at", step.row);
  count("col", step.col);
  count("term", step.term);
  text("cursor", state.cursor ? cursorText(*state.cursor) : "");
  flag("exact", state.exact);
  number("dec", state.decimals);
  text("palette", nameOf(state.palette));
  flag("spaces", state.show_spaces);
  const Presentation& presentation = session.presentation();
  flag("present", presentation.present);
  flag("embed", presentation.embed);
  text("hide", partsText(presentation));
  text("note", presentation.note);
  text("files", session.files());
  text("title", session.example().title);
  count("position", session.position());
  count("steps", session.timeline().size());
  flag("playing", session.playback().playing);
  number("speed", session.playback().steps_per_second);
  flag("run_on", session.playback().run_on);
  flag("computing", session.computing());
  number("progress", session.sceneProgress());
  flag("can_undo", session.canUndo());
  flag("can_redo", session.canRedo());
  text("notice", session.notice());
  json.endObject();
  return json.take();
}

}  // namespace attn::app
