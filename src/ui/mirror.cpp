// The screen as JSON for assistive technology and embedding pages. Every word is one that the screen shows as well.
#include "ui/mirror.h"

#include <algorithm>

#include "app/explain.h"
#include "io/json_writer.h"
#include "ui/keys.h"

namespace attn::ui {
namespace {

using core::Array;
using core::Index;

constexpr Index kMostRows = 64;

std::string_view roleName(Role role) {
  switch (role) {
    case Role::kButton: return "button";
    case Role::kToggle: return "checkbox";
    case Role::kRadio: return "radio";
    case Role::kSlider: return "slider";
    case Role::kCell: return "cell";
    case Role::kHeading: return "heading";
    case Role::kText: return "text";
  }
  return "text";
}

void writeControls(io::JsonWriter& json, const Recorder& recorder) {
  json.name("controls").beginList();
  for (const Control& each : recorder.controls()) {
    if (each.role == Role::kCell || each.role == Role::kHeading || each.role == Role::kText) continue;
    json.beginObject().name("id").text(each.id).name("label").text(each.label).name("role").text(roleName(each.role));
    json.name("enabled").flag(each.enabled).name("checked").flag(each.checked);
    json.name("value").number(each.value).name("min").number(each.minimum).name("max").number(each.maximum);
    json.name("step").number(each.step).name("valueText").text(each.value_text).name("keys").text(each.keys);
    json.name("group").text(each.id.substr(0, each.id.find('/'))).endObject();
  }
  json.endList();
}

}  // namespace

std::string mirrorJson(const app::Session& session, const ViewState& view, const Recorder& recorder) {
  (void)view;
  const app::Explanation explanation = app::explain(session);
  io::JsonWriter json;
  json.beginObject().name("title").text(session.example().title);
  json.name("live").text(explanation.headline);
  json.name("explanation").beginList();
  for (const std::string* each : {&explanation.formula, &explanation.sentence, &explanation.next})
    if (!each->empty()) json.text(*each);
  json.endList();
  writeControls(json, recorder);
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
