// One table of action types. Knows no state: whether a row exists is said when the action is carried out.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include "app/action.h"
#include "app/names.h"
#include "core/language.h"
#include "core/number.h"
#include "io/json.h"

namespace attn::app {
namespace {

using core::Error;
using core::Result;

// The fields of one action object, read by name. Keeps the first complaint; a field that nobody read is one as well.
class Fields {
 public:
  Fields(std::string type, const io::Json& object) : type_(std::move(type)), object_(object), read_{"type"} {}

  std::string text(std::string_view name) {
    const io::Json* field = required(name);
    const auto* value = field ? field->as<std::string>() : nullptr;
    if (field && !value) complain(name, tr("must be a text"), field);
    return value ? *value : "";
  }
  std::vector<std::string> texts(std::string_view name) {
    std::vector<std::string> all;
    const io::Json* field = required(name);
    if (field && !field->isList()) complain(name, tr("must be a list of texts"), field);
    const auto* items = field ? field->as<io::Json::Items>() : nullptr;
    if (field && !items && field->size() > 0) complain(name, tr("must be a list of texts"), field);
    if (!items) return all;
    for (const io::Json& item : *items) {
      const auto* text = item.as<std::string>();
      if (!text) complain(name, tr("must hold texts only"), &item);
      all.push_back(text ? *text : "");
    }
    return all;
  }
  bool flag(std::string_view name) {
    const io::Json* field = required(name);
    const auto* value = field ? field->as<bool>() : nullptr;
    if (field && !value) complain(name, tr("must be true or false"), field);
    return value && *value;
  }
  double number(std::string_view name) {
    const io::Json* field = required(name);
    const auto* value = field ? field->as<double>() : nullptr;
    if (field && !(value && std::isfinite(*value))) complain(name, tr("must be a finite number"), field);
    return value ? *value : 0;
  }
  Index whole(std::string_view name) {
    constexpr double kLargest = 1e9;
    const io::Json* field = required(name);
    const auto* value = field ? field->as<double>() : nullptr;
    const bool fits = value && std::abs(*value) <= kLargest && *value == std::floor(*value);
    if (field && !fits) complain(name, tr("must be a whole number"), field);
    return fits ? static_cast<Index>(*value) : 0;
  }
  Index wholeOr(std::string_view name, Index otherwise) {
    return object_.find(name) ? whole(name) : (read_.push_back(name), otherwise);
  }
  template <class Enum>
  Enum choice(std::string_view name, std::optional<Enum> (*parse)(std::string_view), std::string_view choices) {
    const io::Json* field = required(name);
    const auto* value = field ? field->as<std::string>() : nullptr;
    const auto parsed = value ? parse(*value) : std::nullopt;
    if (field && !parsed) complain(name, tr("must be one of {0}", {choices}), field);
    return parsed.value_or(Enum{});
  }
  // A setting's value as links write it.
  std::string setting(std::string_view name) {
    const io::Json* field = required(name);
    const auto written = field ? settingText(*field) : std::nullopt;
    if (field && !written) complain(name, tr("must be a text, a finite number, true or false"), field);
    return written.value_or("");
  }
  lesson::Settings settings(std::string_view name) {
    lesson::Settings all;
    const io::Json* field = required(name);
    const auto* members = field ? field->as<io::Json::Members>() : nullptr;
    if (field && !members) complain(name, tr("must be an object of keys and values"), field);
    if (!members) return all;
    for (const io::JsonMember& member : *members) {
      const auto written = settingText(member.value);
      if (!written) complain(name, tr("must hold texts, finite numbers, true or false"), field);
      all.emplace_back(member.name, written.value_or(""));
    }
    return all;
  }
  bool has(std::string_view name) const { return object_.find(name) != nullptr; }

  core::Check check() {
    if (const auto* members = object_.as<io::Json::Members>())
      for (const io::JsonMember& member : *members)
        if (error_.empty() && std::find(read_.begin(), read_.end(), member.name) == read_.end())
          error_ = tr("The action “{0}” has no field “{1}”; leave it out.", {type_, member.name});
    return error_.empty() ? core::Check{} : core::Check{Error{error_}};
  }

 private:
  static std::optional<std::string> settingText(const io::Json& value) {
    if (const auto* text = value.as<std::string>()) return *text;
    if (const auto* flag = value.as<bool>()) return *flag ? "1" : "0";
    if (const auto* number = value.as<double>(); number && std::isfinite(*number)) return core::fullText(*number);
    return std::nullopt;
  }
  const io::Json* required(std::string_view name) {
    read_.push_back(name);
    const io::Json* field = object_.find(name);
    if (!field && error_.empty())
      error_ = tr("The action “{0}” needs the field “{1}”; add it.", {type_, name});
    return field;
  }
  void complain(std::string_view name, const std::string& must, const io::Json* found) {
    if (!error_.empty()) return;
    const bool said = found->as<double>() || found->as<std::string>();
    error_ = tr("The field “{0}” of the action “{1}” {2}, not {3}.",
                {name, type_, must, said ? tr("what was given") : std::string(found->kindText())});
  }

  std::string type_;
  const io::Json& object_;
  std::vector<std::string_view> read_;
  std::string error_;
};

struct Kind {
  std::string_view type;
  Action (*read)(Fields&);
};

action::ChooseCell readCell(Fields& f) {
  CellCursor cell;
  if (f.has("array")) cell.array = f.choice("array", core::parseArray, tr("the arrays of the trace, such as weights"));
  cell.row = f.whole("row");
  cell.col = f.whole("col");
  return {cell};
}

// What is not given is as in a link that does not give it.
action::Present readPresent(Fields& f) {
  Presentation shown;
  shown.present = f.has("present") && f.flag("present");
  shown.embed = f.has("embed") && f.flag("embed");
  if (f.has("hide")) {
    const std::string parts = tr("contents, explain, answers, numbers, edits, or several with points between");
    shown.hidden = f.choice("hide", parseParts, parts);
  }
  if (f.has("note")) shown.note = f.text("note");
  return {shown};
}

constexpr std::array kKinds = {
    Kind{"step", [](Fields& f) -> Action { return action::StepBy{static_cast<int>(f.wholeOr("by", 1))}; }},
    Kind{"stage", [](Fields& f) -> Action { return action::StageBy{static_cast<int>(f.wholeOr("by", 1))}; }},
    Kind{"first", [](Fields&) -> Action { return action::First{}; }},
    Kind{"last", [](Fields&) -> Action { return action::Last{}; }},
    Kind{"seek", [](Fields& f) -> Action { return action::Seek{f.whole("position")}; }},
    Kind{"play", [](Fields&) -> Action { return action::TogglePlay{}; }},
    Kind{"pause", [](Fields&) -> Action { return action::Pause{}; }},
    Kind{"row", [](Fields& f) -> Action { return action::ChooseRow{f.whole("row")}; }},
    Kind{"head", [](Fields& f) -> Action { return action::ChooseHead{f.whole("head")}; }},
    Kind{"select", [](Fields& f) -> Action { return readCell(f); }},
    Kind{"leave", [](Fields&) -> Action { return action::LeaveCell{}; }},
    Kind{"order", [](Fields& f) -> Action { return action::SetOrder{f.choice("order", parseOrder, "row, stage")}; }},
    Kind{"grain",
         [](Fields& f) -> Action { return action::SetGrain{f.choice("grain", parseGrain, "stage, row, cell, term")}; }},
    Kind{"mask",
         [](Fields& f) -> Action {
           return action::SetMask{f.choice("mask", parseMaskChoice, "document, none, causal")};
         }},
    Kind{"edit",
         [](Fields& f) -> Action { return action::AddEdit{f.text("edit"), f.has("dragging") && f.flag("dragging")}; }},
    Kind{"unedit", [](Fields& f) -> Action { return action::RemoveEdit{f.whole("index")}; }},
    Kind{"edits", [](Fields& f) -> Action { return action::SetEdits{f.texts("edits")}; }},
    Kind{"reset_edits", [](Fields&) -> Action { return action::ResetEdits{}; }},
    Kind{"show",
         [](Fields& f) -> Action {
           return action::SetShown{f.choice("show", parseShown, "after, before, difference")};
         }},
    Kind{"pin", [](Fields&) -> Action { return action::Pin{}; }},
    Kind{"unpin", [](Fields&) -> Action { return action::Unpin{}; }},
    Kind{"example", [](Fields& f) -> Action { return action::OpenExample{f.text("id")}; }},
    Kind{"open",
         [](Fields& f) -> Action { return action::OpenDocument{f.text("text"), f.has("name") ? f.text("name") : ""}; }},
    Kind{"link", [](Fields& f) -> Action { return action::LoadLink{f.text("link")}; }},
    Kind{"present", [](Fields& f) -> Action { return readPresent(f); }},
    Kind{"exact", [](Fields& f) -> Action { return action::SetExact{f.flag("on")}; }},
    Kind{"decimals", [](Fields& f) -> Action { return action::SetDecimals{static_cast<int>(f.whole("decimals"))}; }},
    Kind{"palette",
         [](Fields& f) -> Action {
           return action::SetPalette{f.choice("palette", parsePalette, "viridis, cividis, magma, grey")};
         }},
    Kind{"spaces", [](Fields& f) -> Action { return action::SetShowSpaces{f.flag("on")}; }},
    Kind{"speed", [](Fields& f) -> Action { return action::SetSpeed{f.number("speed")}; }},
    Kind{"run_on", [](Fields& f) -> Action { return action::SetRunOn{f.flag("on")}; }},
    Kind{"scene",
         [](Fields& f) -> Action {
           return action::OpenScene{f.text("id"), f.has("set") ? f.settings("set") : lesson::Settings{}};
         }},
    Kind{"set",
         [](Fields& f) -> Action {
           if (f.has("values")) return action::SetAll{f.settings("values")};
           return action::Set{f.text("key"), f.setting("value")};
         }},
    Kind{"reset", [](Fields&) -> Action { return action::ResetScene{}; }},
    Kind{"return", [](Fields&) -> Action { return action::ReturnToScene{}; }},
    Kind{"retry", [](Fields&) -> Action { return action::RetryScene{}; }},
    Kind{"stop", [](Fields&) -> Action { return action::StopScene{}; }},
    Kind{"undo", [](Fields&) -> Action { return action::Undo{}; }},
    Kind{"redo", [](Fields&) -> Action { return action::Redo{}; }},
};

std::string allTypes() {
  std::string types;
  for (const Kind& kind : kKinds) types += (types.empty() ? "" : ", ") + std::string(kind.type);
  return types;
}

}  // namespace

Result<Action> parseAction(std::string_view json) {
  auto parsed = io::parseJson(json);
  if (!parsed) return Error{tr("The action is not JSON: {0}", {parsed.error().message})};
  if (!parsed.value().isObject())
    return Error{tr("An action is an object such as {{\"type\":\"step\",\"by\":1}, not {0}.", {parsed.value().kindText()})};
  const io::Json* type = parsed.value().find("type");
  const auto* name = type ? type->as<std::string>() : nullptr;
  if (!name) return Error{tr("The action has no “type”; give one of: {0}.", {allTypes()})};
  for (const Kind& kind : kKinds) {
    if (kind.type != *name) continue;
    Fields fields(*name, parsed.value());
    Action action = kind.read(fields);
    if (auto error = fields.check()) return *error;
    return action;
  }
  return Error{tr("There is no action of type “{0}”; the types are: {1}.", {*name, allTypes()})};
}

}  // namespace attn::app
