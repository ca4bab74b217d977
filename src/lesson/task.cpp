// The fields of tasks, one after the other. See task.h.
#include "lesson/task.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>

#include "core/language.h"
#include "core/names.h"
#include "lesson/edits.h"
#include "lesson/example.h"
#include "lesson/fields.h"
#include "lesson/task_texts.h"

namespace attn::lesson {
namespace {

using core::Array;
using core::Index;
using io::Json;

constexpr std::array<std::string_view, 7> kKindNames = {"number", "vector",  "direction", "same",
                                                        "largest", "effect", "implement"};
// What can be asked about.
constexpr std::array<Array, 12> kAskable = {Array::kX, Array::kQ, Array::kK, Array::kV, Array::kScores, Array::kScaled,
                                            Array::kMasked, Array::kWeights, Array::kZ, Array::kConcat, Array::kY,
                                            Array::kResidual};

template <class Names>
std::string listed(const Names& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

std::string askableNames() {
  std::vector<std::string_view> names;
  for (const Array each : kAskable) names.push_back(core::arrayName(each));
  return listed(names);
}

bool needsRow(AnswerKind kind) {
  return kind == AnswerKind::kNumber || kind == AnswerKind::kVector || kind == AnswerKind::kDirection ||
         kind == AnswerKind::kLargest || kind == AnswerKind::kEffect;
}
bool needsColumn(AnswerKind kind) { return kind == AnswerKind::kNumber || kind == AnswerKind::kDirection; }
bool compares(const Answer& answer) {
  return answer.change || answer.kind == AnswerKind::kDirection || answer.kind == AnswerKind::kSame ||
         answer.kind == AnswerKind::kEffect;
}

// One task of a document. What is wrong first is kept in `failure`.
class TaskReader {
 public:
  TaskReader(const Json& json, const std::string& path, const Example& document, core::Check& failure)
      : json_(json), path_(path), document_(document), failure_(failure), fields_(json, path, failure) {}

  Task read() {
    if (!json_.isObject()) {
      failure_ = core::Error{tr("`{0}` at {1} is {2}; write an object with `title`, `question` and `answer`.",
                                {path_, io::placeText(json_.place), json_.kindText()})};
      return task_;
    }
    fields_.onlyKnown({"title", "instruction", "question", "hint", "why", "example", "start", "edits", "show", "answer",
                       "tolerance"});
    fields_.text("title", task_.title);
    fields_.text("instruction", task_.instruction);
    fields_.text("question", task_.question);
    fields_.text("hint", task_.hint);
    fields_.text("why", task_.why);
    required("title", task_.title);
    required("question", task_.question);
    readTolerance();
    const Example* base = readExample();
    std::vector<std::string> start;
    if (fields_.find("start")) {
      readEdits("start", start);
      task_.start = start;
    }
    readEdits("edits", task_.edits);
    readAnswer();
    readShow();
    if (!failure_) check(*base);
    return task_;
  }

 private:
  void required(std::string_view name, const std::string& text) {
    if (failure_ || !text.empty()) return;
    const Json* value = fields_.find(name);
    if (value) return fields_.refuse(name, *value, tr("is empty; write what stands there"));
    failure_ = core::Error{tr("`{0}` at {1} has no field `{2}`; add it.", {path_, io::placeText(json_.place), name})};
  }

  void readTolerance() {
    std::optional<double> tolerance;
    fields_.number("tolerance", tolerance);
    if (tolerance && *tolerance < 0)
      fields_.refuse("tolerance", *fields_.find("tolerance"), tr("is negative; write how far a prediction may be off"));
    task_.tolerance = tolerance.value_or(task_.tolerance);
  }

  const Example* readExample() {
    fields_.text("example", task_.example);
    if (failure_ || task_.example.empty()) return &document_;
    auto found = builtInExample(task_.example);
    if (found) return &built_in_.emplace(found.take());
    fields_.refuse("example", *fields_.find("example"), tr("is \"{0}\": {1}", {task_.example, found.error().message}));
    return &document_;
  }

  void readEdits(std::string_view name, std::vector<std::string>& edits) {
    const Json* value = fields_.find(name);
    if (!value || (value->isList() && value->size() == 0)) return;
    fields_.texts(name, edits);
    const auto* items = value->as<Json::Items>();
    for (std::size_t i = 0; i < edits.size() && !failure_; ++i) {
      const auto edit = core::parseEdit(edits[i]);
      const std::string one = std::string(name) + "[" + std::to_string(i) + "]";
      if (!edit) fields_.refuse(one, (*items)[i], tr("is refused: {0}", {edit.error().message}));
    }
  }

  std::optional<Array> askable(Fields& fields, std::string_view name, const Json& value, const std::string& text) {
    const auto array = core::parseArray(text);
    if (array && std::find(kAskable.begin(), kAskable.end(), *array) != kAskable.end()) return array;
    fields.refuse(name, value, tr("is \"{0}\"; write one of {1}", {text, askableNames()}));
    return std::nullopt;
  }

  void readShow() {
    const Json* value = fields_.find("show");
    if (!value || (value->isList() && value->size() == 0)) return;
    std::vector<std::string> names;
    fields_.texts("show", names);
    const auto* items = value->as<Json::Items>();
    for (std::size_t i = 0; i < names.size() && !failure_; ++i) {
      const std::string one = "show[" + std::to_string(i) + "]";
      const auto array = askable(fields_, one, (*items)[i], names[i]);
      if (!array) return;
      const bool tells =
          *array == task_.answer.of && (task_.edits.empty() || task_.answer.kind == AnswerKind::kImplement);
      if (tells) return fields_.refuse(one, (*items)[i], tr("is what the task asks for; leave it out"));
      task_.show.push_back(*array);
    }
  }

  void readAnswer() {
    const Json* value = fields_.find("answer");
    if (failure_) return;
    if (!value) return required("answer", "");
    if (!value->isObject())
      return fields_.refuse("answer", *value,
                            tr("is {0}; write an object with `kind` and `of`", {value->kindText()}));
    Fields parts(*value, path_ + ".answer", failure_);
    parts.onlyKnown({"kind", "of", "head", "row", "column", "change", "control", "controls"});
    std::string kind, of = "weights";
    parts.text("kind", kind);
    parts.text("of", of);
    if (failure_) return;
    const auto known = core::valueNamed<AnswerKind>(kKindNames, kind);
    if (!known) {
      const Json* given = parts.find("kind");
      return fields_.refuse("answer.kind", given ? *given : *value,
                            given ? tr("is \"{0}\"; write one of {1}", {kind, listed(kKindNames)})
                                  : tr("is missing; write one of {0}", {listed(kKindNames)}));
    }
    task_.answer.kind = *known;
    const Json* given = parts.find("of");
    if (const auto array = askable(parts, "of", given ? *given : *value, of)) task_.answer.of = *array;
    readPlace(parts, *value);
  }

  void readPlace(Fields& parts, const Json& value) {
    Answer& answer = task_.answer;
    Index row = 0, column = 0;
    parts.integer("head", answer.head);
    parts.integer("row", row);
    parts.integer("column", column);
    parts.flag("change", answer.change);
    if (parts.find("row")) answer.row = row;
    if (parts.find("column")) answer.column = column;
    if (failure_) return;
    if (needsRow(answer.kind) && !answer.row) return lacks(value, "row");
    if (needsColumn(answer.kind) && !answer.column) return lacks(value, "column");
    if (answer.kind == AnswerKind::kEffect) readControls(parts, value);
    if (failure_) return;
    if (compares(answer) && task_.edits.empty())
      fields_.refuse("answer", value, tr("asks what changes, and the task has no `edits`; write the edits that change it"));
  }

  // One control as a list of edits, or several, each on one line.
  void readControls(Fields& parts, const Json& value) {
    const Json* one = value.find("control");
    const Json* several = value.find("controls");
    if (!one && !several) return lacks(value, "control");
    std::vector<std::string> texts;
    parts.texts(one ? "control" : "controls", texts);
    if (one && several) return parts.refuse("controls", *several, tr("stands beside `control`; write one of the two"));
    if (one) task_.answer.controls = {texts};
    else
      for (const std::string& line : texts) task_.answer.controls.push_back(splitEdits(line));
    for (std::size_t n = 0; n < task_.answer.controls.size(); ++n) {
      const auto& edits = task_.answer.controls[n];
      for (std::size_t i = 0; i < edits.size() && !failure_; ++i) {
        const auto edit = core::parseEdit(edits[i]);
        const std::string name = one ? "control[" + std::to_string(i) + "]" : "controls[" + std::to_string(n) + "]";
        if (!edit) parts.refuse(name, one ? *one : *several, tr("is refused: {0}", {edit.error().message}));
      }
    }
  }

  void lacks(const Json& answer, const std::string& name) {
    fields_.refuse("answer", answer,
                   tr("has no field `{0}`, which the kind \"{1}\" needs; add it",
                      {name, answerKindName(task_.answer.kind)}));
  }

  // Whether everything can be carried out, and the answer lies inside what comes of it.
  void check(const Example& base) {
    std::vector<std::string> list = task_.start.value_or(base.edits);
    const auto before = carryOut(base, list, "start");
    if (failure_) return;
    const std::vector<std::string> start = list;
    list.insert(list.end(), task_.edits.begin(), task_.edits.end());
    const auto after = carryOut(base, list, "edits");
    if (failure_) return;
    if (compares(task_.answer) && task_.answer.kind != AnswerKind::kSame) checkPlace(before->problem);
    checkPlace(after->problem);
    for (const Array each : task_.show) {
      if (failure_ || shapeOf(before->problem, each, task_.answer.head)) continue;
      fields_.refuse("show", *fields_.find("show"),
                     tr("names {0}, which this example has not; leave it out", {core::arrayName(each)}));
    }
    for (const auto& control : task_.answer.controls) {
      if (failure_) return;
      std::vector<std::string> with_control = start;
      with_control.insert(with_control.end(), control.begin(), control.end());
      const auto controlled = carryOut(base, with_control, "answer");
      if (!failure_) checkPlace(controlled->problem);
    }
  }

  std::optional<Example> carryOut(const Example& base, const std::vector<std::string>& edits, std::string_view name) {
    auto edited = editExample(base, edits);
    core::Check bad;
    if (edited) bad = core::checkProblem(edited.value().problem);
    if (edited && !bad) return edited.take();
    const Json* value = fields_.find(name);
    fields_.refuse(name, value ? *value : json_,
                   tr("cannot be carried out: {0}", {bad ? bad->message : edited.error().message}));
    return std::nullopt;
  }

  void checkPlace(const core::Problem<double>& problem) {
    if (failure_) return;
    const Answer& answer = task_.answer;
    const Json& json = *fields_.find("answer");
    const std::string name(core::arrayName(answer.of));
    const auto outside = [&](const char* field, Index value, Index count, const std::string& what) {
      if (failure_ || (value >= 0 && value < count)) return;
      const Json* given = json.find(field);
      fields_.refuse("answer." + std::string(field), given ? *given : json,
                     tr("is {0}, and {1} has {2}, counted from 0; choose one of those", {value, what, count}));
    };
    outside("head", answer.head, problem.heads(), tr("this example"));
    if (failure_) return;
    const auto shape = shapeOf(problem, answer.of, answer.head);
    if (!shape)
      return fields_.refuse("answer.of", json,
                            tr("is \"{0}\", which this example has not; ask for another array", {name}));
    const std::string sized = name + " (" + core::shapeText(shape->rows, shape->columns) + ")";
    if (answer.row) outside("row", *answer.row, shape->rows, sized);
    if (answer.column) outside("column", *answer.column, shape->columns, sized);
  }

  const Json& json_;
  std::string path_;
  const Example& document_;
  core::Check& failure_;
  Fields fields_;
  std::optional<Example> built_in_;
  Task task_;
};

}  // namespace

core::Check readTasks(const Json& document, const Example& example, std::vector<Task>& tasks) {
  core::Check failure;
  Fields fields(document, "", failure);
  const Json* value = fields.find("tasks");
  if (!value || (value->isList() && value->size() == 0)) return failure;
  const auto* items = value->as<Json::Items>();
  if (!items)
    fields.refuse("tasks", *value,
                  tr("is {0}; write a list of objects",
                     {value->isList() ? tr("a list of something else") : std::string(value->kindText())}));
  if (items && items->size() > kMostTasks) {
    fields.refuse("tasks", *value,
                  tr("holds {0} tasks; write at most {1}", {items->size(), kMostTasks}));
  }
  for (std::size_t i = 0; items && i < items->size() && !failure; ++i) {
    tasks.push_back(TaskReader((*items)[i], "tasks[" + std::to_string(i) + "]", example, failure).read());
  }
  return failure;
}

std::string_view answerKindName(AnswerKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

std::vector<Example> taskDocuments() {
  std::vector<Example> documents;
  for (const std::string_view json : {texts::one_sequence_tasks_json, texts::two_sequences_tasks_json}) {
    auto document = parseExample(json, "");
    assert(document.ok());
    for (Task& task : document.value().tasks) {
      task.name = task.title;
      for (std::string* text : {&task.title, &task.instruction, &task.question, &task.hint, &task.why}) *text = trText(*text);
    }
    documents.push_back(document.take());
  }
  return documents;
}

}  // namespace attn::lesson
