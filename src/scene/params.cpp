// The controls of a text file, and what a person has set of them.
#include <algorithm>
#include <limits>

#include "core/language.h"
#include "io/json.h"
#include "lesson/fields.h"
#include "lesson/translated.h"
#include "scene/text_file.h"
#include "scene/values.h"

namespace attn::scene {
namespace {

using io::Json;
using lesson::Fields;
using lesson::Param;
using lesson::ParamKind;

constexpr double kLargestSeed = std::numeric_limits<std::uint32_t>::max();

// [["id", "label"], …]
void readOptions(Fields& fields, Param& param) {
  const Json* list = fields.find("options");
  if (!list) return;
  const auto* items = list->as<Json::Items>();
  for (std::size_t i = 0; items && i < items->size(); ++i) {
    const auto* pair = (*items)[i].as<Json::Items>();
    const auto* id = pair && pair->size() == 2 ? (*pair)[0].as<std::string>() : nullptr;
    const auto* label = id ? (*pair)[1].as<std::string>() : nullptr;
    if (!label) return fields.refuse("options", (*items)[i], "is not a list of two texts; write [\"id\", \"label\"]");
    param.options.push_back({*id, *label});
  }
}

void setDefaults(Param& param) {
  if (param.kind == ParamKind::kToggle && param.preset.empty()) param.preset = "0";
  if (param.kind != ParamKind::kOrder || !param.preset.empty()) return;
  for (std::size_t i = 0; i < param.options.size(); ++i) param.preset += (i ? "," : "") + std::to_string(i);
}

void readRange(Fields& fields, const Json& json, Param& param) {
  std::optional<double> minimum, maximum, step;
  fields.number("min", minimum);
  fields.number("max", maximum);
  fields.number("step", step);
  const bool needed = param.kind == ParamKind::kInteger || param.kind == ParamKind::kNumber ||
                      param.kind == ParamKind::kNumbers;
  if (needed && (!minimum || !maximum)) fields.refuse("min", json, "or `max` is missing; give both");
  param.minimum = minimum.value_or(0);
  param.maximum = maximum.value_or(param.kind == ParamKind::kSeed ? kLargestSeed : 1);
  const bool whole = param.kind == ParamKind::kInteger || param.kind == ParamKind::kSeed;
  param.step = step.value_or(whole ? 1 : (param.maximum - param.minimum) / 100);
}

Param readParam(const Json& json, const std::string& path, core::Check& failure) {
  Param param;
  Fields fields(json, path, failure);
  fields.onlyKnown({"key", "label", "hint", "kind", "min", "max", "step", "log", "options", "preset", "main", "shown",
                    "context", "clears", "turns", "live", "plays"});
  std::string kind;
  fields.text("key", param.key);
  fields.text("label", param.label);
  fields.text("hint", param.hint);
  fields.text("kind", kind);
  fields.text("preset", param.preset);
  fields.flag("log", param.logarithmic);
  fields.flag("main", param.main);
  fields.flag("shown", param.shown);
  fields.flag("context", param.context);
  fields.flag("clears", param.clears);
  fields.flag("turns", param.turns);
  fields.flag("live", param.live);
  fields.flag("plays", param.plays);
  const std::optional<ParamKind> known = parseKind(kind);
  if (!known) fields.refuse("kind", json, "is \"" + kind + "\"; write one of those that text_file.h lists");
  param.kind = known.value_or(ParamKind::kText);
  readOptions(fields, param);
  readRange(fields, json, param);
  setDefaults(param);
  if (failure) return param;
  const core::Result<std::string> preset = checkedValue(param, param.preset);
  if (preset) param.value = param.preset = preset.value();
  else failure = preset.error();
  return param;
}

std::string knownKeys(const std::vector<Param>& params) {
  std::string keys;
  for (const Param& param : params) keys += (keys.empty() ? "" : ", ") + param.key;
  return keys;
}

core::Check setOne(std::string_view id, const std::pair<std::string, std::string>& setting, std::vector<Param>& params) {
  const std::string& key = setting.first;
  const std::string& text = setting.second;
  const auto param = std::find_if(params.begin(), params.end(), [&](const Param& known) { return known.key == key; });
  if (param == params.end()) {
    if (params.empty()) return core::Error{tr("The scene {0} has no key `{1}`; nothing in it can be set.", {id, key})};
    return core::Error{tr("The scene {0} has no key `{1}`; its keys are {2}.", {id, key, knownKeys(params)})};
  }
  core::Result<std::string> value = checkedValue(*param, text);
  if (!value) return value.error();
  param->value = value.take();
  return {};
}

}  // namespace

core::Result<std::vector<Param>> readParams(std::string_view text) {
  core::Result<Json> json = io::parseJson(text);
  if (!json) return json.error();
  lesson::translate(json.value());
  std::vector<Param> params;
  core::Check failure;
  Fields fields(json.value(), "", failure);
  const Json* list = fields.find("params");
  const auto* items = list ? list->as<Json::Items>() : nullptr;
  if (list && !items) fields.refuse("params", *list, "is not a list of objects; see text_file.h");
  for (std::size_t i = 0; items && i < items->size(); ++i) {
    params.push_back(readParam((*items)[i], "params[" + std::to_string(i) + "]", failure));
  }
  if (failure) return *failure;
  return params;
}

core::Check applySettings(std::string_view id, const Settings& settings, std::vector<Param>& params) {
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const auto same = [&](const auto& other) { return other.first == settings[i].first; };
    if (std::count_if(settings.begin(), settings.end(), same) > 1) {
      return core::Error{tr("`{0}` is set twice; set it once.", {settings[i].first})};
    }
    if (core::Check wrong = setOne(id, settings[i], params)) return wrong;
  }
  return {};
}

}  // namespace attn::scene
