// Carrying out tasks and judging predictions. See task_run.h.
#include "lesson/task_run.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/number.h"
#include "lesson/edits.h"
#include "lesson/token_text.h"

namespace attn::lesson {
namespace {

using core::Index;
using Matrix = core::Matrix<double>;
using Judgement = Verdict::Judgement;

constexpr double kTie = 1e-12;  // effects that differ by less are alike

Matrix matrixOf(const core::Trace<double>& trace, Index head, core::Array array) {
  const core::ArrayView view = core::arrayOf(trace, head, array);
  if (!view) return {};
  return Eigen::Map<const Matrix>(view.data, view.rows, view.columns);
}

std::vector<double> listOf(const Matrix& matrix) { return {matrix.data(), matrix.data() + matrix.size()}; }

bool sameBits(const Matrix& a, const Matrix& b) {
  return a.rows() == b.rows() && a.cols() == b.cols() && (a.array() == b.array()).all();
}

std::string trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\n[");
  if (first == std::string_view::npos) return "";
  return std::string(text.substr(first, text.find_last_not_of(" \t\n]") - first + 1));
}

// Numbers between commas or semicolons, or where there are none between blanks, in brackets or not; nothing where a part
// is no number.
std::optional<std::vector<double>> typedNumbers(std::string_view text) {
  std::vector<double> numbers;
  std::string inside = trimmed(text);
  if (const auto single = core::parseNumber(inside)) return std::vector<double>{*single};
  const bool blanks = inside.find_first_of(",;") == std::string::npos;
  inside.erase(std::unique(inside.begin(), inside.end(), [](char a, char b) { return a == ' ' && b == ' '; }), inside.end());
  for (std::size_t start = 0;;) {
    const std::size_t end = std::min(inside.find_first_of(blanks ? " \t\n" : ",;", start), inside.size());
    const auto number = core::parseNumber(inside.substr(start, end - start));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    if (end == inside.size()) return numbers;
    start = end + 1;
  }
}

// The sizes of the two effects of kEffect.
std::pair<double, double> effects(const Task& task, const TaskRun& run) {
  const Matrix before = partOf(task.answer, run.before.trace);
  return {(partOf(task.answer, run.after.trace) - before).norm(),
          (partOf(task.answer, run.control->trace) - before).norm()};
}

Computed chosen(std::vector<std::string> ids, std::string text) { return {{}, std::move(ids), std::move(text)}; }

Computed directionOf(const Task& task, const TaskRun& run) {
  const double before = partOf(task.answer, run.before.trace)(0, 0), after = partOf(task.answer, run.after.trace)(0, 0);
  const std::string id = after > before ? "rises" : after < before ? "falls" : "stays";
  const std::string words = id == "stays" ? "it stays the same" : "it " + id;
  return chosen({id}, words + ", from " + answerNumber(before) + " to " + answerNumber(after) + ".");
}

Computed sameness(const Task& task, const TaskRun& run) {
  const Matrix before = partOf(task.answer, run.before.trace), after = partOf(task.answer, run.after.trace);
  if (sameBits(before, after)) return chosen({"same"}, "the same, bit for bit.");
  std::string words = "not the same";
  if (before.rows() == after.rows() && before.cols() == after.cols())
    words += "; the largest change is " + answerNumber((after - before).cwiseAbs().maxCoeff());
  return chosen({"other"}, words + ".");
}

Computed largestOf(const Task& task, const TaskRun& run) {
  const Matrix row = partOf(task.answer, run.after.trace);
  const double largest = row.maxCoeff();
  std::vector<std::string> ids, names;
  const auto options = choicesOf(task, run.after.example);
  for (Index j = 0; j < row.cols(); ++j) {
    if (row(0, j) < largest - kTie) continue;
    ids.push_back(std::to_string(j));
    names.push_back(options[static_cast<std::size_t>(j)].label);
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  if (ids.size() > 1) ids.push_back("several");
  return chosen(std::move(ids), text + ", with " + answerNumber(largest) + ".");
}

Computed effectOf(const Task& task, const TaskRun& run) {
  const auto [own, control] = effects(task, run);
  const bool alike = std::abs(own - control) <= kTie * std::max(1.0, std::max(own, control));
  const std::string id = alike ? "alike" : own > control ? "edits" : "control";
  const std::string which = alike ? "both alike" : own > control ? "the intervention" : "the control";
  return chosen(
      {id}, which + "; it moves by " + answerNumber(own) + ", and in the control by " + answerNumber(control) + ".");
}

}  // namespace

std::vector<std::string> startOf(const Task& task, const Example& example) { return task.start.value_or(example.edits); }

core::Result<TaskRun::Stand> standOf(const Task& task, const Example& document, const std::vector<std::string>& edits) {
  Example base = document;
  if (!task.example.empty()) {
    auto built_in = builtInExample(task.example);
    if (!built_in) return built_in.error();
    base = built_in.take();
  }
  std::vector<std::string> all = startOf(task, base);
  all.insert(all.end(), edits.begin(), edits.end());
  auto edited = editExample(std::move(base), all);
  if (!edited) return edited.error();
  auto trace = core::computeTrace(edited.value().problem);
  if (!trace) return trace.error();
  return TaskRun::Stand{edited.take(), trace.take()};
}

core::Result<TaskRun> runTask(const Task& task, const Example& document) {
  auto before = standOf(task, document, {}), after = standOf(task, document, task.edits);
  if (!before) return before.error();
  if (!after) return after.error();
  TaskRun run{before.take(), after.take(), std::nullopt};
  if (task.answer.kind != AnswerKind::kEffect) return run;
  auto control = standOf(task, document, task.answer.control);
  if (!control) return control.error();
  run.control = control.take();
  return run;
}

std::vector<ParamOption> choicesOf(const Task& task, const Example& before) {
  std::vector<ParamOption> options;
  switch (task.answer.kind) {
    case AnswerKind::kDirection: return {{"rises", "it rises"}, {"falls", "it falls"}, {"stays", "it stays the same"}};
    case AnswerKind::kSame: return {{"same", "stays the same, bit for bit"}, {"other", "becomes another"}};
    case AnswerKind::kEffect: return {{"edits", "the intervention"}, {"control", "the control"}, {"alike", "both alike"}};
    case AnswerKind::kLargest: {
      const auto shape = shapeOf(before.problem, task.answer.of, task.answer.head);
      const bool sources = shape && shape->columns == before.problem.S && shape->rows == before.problem.T;
      for (Index j = 0; shape && j < shape->columns; ++j)
        options.push_back(
            {std::to_string(j), sources ? positionText(before, j, true, false) : "column " + std::to_string(j)});
      options.push_back({"several", "several share it"});
      return options;
    }
    case AnswerKind::kNumber: case AnswerKind::kVector: case AnswerKind::kImplement: break;
  }
  return options;
}

Matrix partOf(const Answer& answer, const core::Trace<double>& trace) {
  const Matrix whole = matrixOf(trace, answer.head, answer.of);
  if (!answer.row) return whole;
  assert(*answer.row < whole.rows());
  const Matrix row = whole.row(*answer.row);
  return answer.column ? Matrix(row.col(*answer.column)) : row;
}

Computed answerOf(const Task& task, const TaskRun& run) {
  switch (task.answer.kind) {
    case AnswerKind::kDirection: return directionOf(task, run);
    case AnswerKind::kSame: return sameness(task, run);
    case AnswerKind::kLargest: return largestOf(task, run);
    case AnswerKind::kEffect: return effectOf(task, run);
    case AnswerKind::kNumber: case AnswerKind::kVector: case AnswerKind::kImplement: break;
  }
  Matrix part = partOf(task.answer, run.after.trace);
  if (task.answer.change) part -= partOf(task.answer, run.before.trace);
  Computed computed;
  computed.numbers = listOf(part);
  computed.text = answerNumbers(computed.numbers) + ".";
  return computed;
}

std::string answerNumber(double value) {
  if (!std::isfinite(value)) return core::fixedText(value, 4);
  const std::string decimal = core::fixedIsExact(value, 4) ? core::fullText(value) : core::fixedText(value, 4);
  const auto exact = core::exactText(value);
  if (!exact || *exact == decimal || value == std::round(value)) return exact.value_or(decimal);
  return *exact + " (" + decimal + ")";
}

std::string answerNumbers(const std::vector<double>& values) {
  if (values.size() == 1) return answerNumber(values.front());
  std::string exact, decimal;
  bool all = true;
  for (const double each : values) {
    const auto text = core::exactText(each);
    all = all && text.has_value();
    exact += (exact.empty() ? "" : ", ") + text.value_or("");
    decimal += (decimal.empty() ? "" : ", ") + core::fixedText(each, 4);
  }
  return all ? "[" + exact + "]" : "[" + decimal + "]";
}

std::string unreadable(const Task& task, const std::string& prediction) {
  const bool typed = task.answer.kind == AnswerKind::kNumber || task.answer.kind == AnswerKind::kVector;
  if (!typed || prediction.empty() || typedNumbers(prediction)) return "";
  return "What you wrote is no number that can be read; write for instance 1/4, 0.25 or sqrt(2), with commas between "
         "several.";
}

Judged judge(const Task& task, const TaskRun& run, const Computed& computed, const std::string& prediction) {
  Judged judged;
  if (prediction.empty() || prediction == "none") {
    judged.words = "No prediction: you looked first.";
    return judged;
  }
  judged.judgement = Judgement::kWrong;
  const auto options = choicesOf(task, run.after.example);
  if (!options.empty()) {
    const auto taken = std::find_if(options.begin(), options.end(), [&](const auto& o) { return o.id == prediction; });
    judged.prediction = taken == options.end() ? prediction : taken->label;
    const bool right = std::find(computed.choices.begin(), computed.choices.end(), prediction) != computed.choices.end();
    if (right) judged.judgement = Judgement::kRight;
    judged.words = right ? "Right." : "Not what comes out.";
    return judged;
  }
  judged.prediction = prediction;
  judged.words = unreadable(task, prediction);
  if (!judged.words.empty()) return judged;
  const auto numbers = typedNumbers(prediction);
  if (numbers->size() != computed.numbers.size()) {
    judged.words = "You wrote " + std::to_string(numbers->size()) + " number" + (numbers->size() == 1 ? "" : "s") +
                   ", and the answer has " + std::to_string(computed.numbers.size()) + ".";
    return judged;
  }
  double off = 0;
  for (std::size_t i = 0; i < numbers->size(); ++i) off = std::max(off, std::abs((*numbers)[i] - computed.numbers[i]));
  // Half a unit in the last place of a sum does not make 0.005 off by more than 0.005.
  const bool right = off <= task.tolerance * (1 + 1e-9) + 1e-15;
  if (right) judged.judgement = Judgement::kRight;
  const std::string within = core::fullText(task.tolerance);
  judged.words = right ? "Right, within " + within + "."
                       : "Not within " + within + ": off by up to " + core::fixedText(off, 4) + ".";
  return judged;
}

}  // namespace attn::lesson
