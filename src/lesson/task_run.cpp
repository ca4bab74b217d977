// Carrying out tasks and judging predictions. See task_run.h.
#include "lesson/task_run.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "core/language.h"
#include "core/number.h"
#include "io/pasted.h"
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

// 1/3, or 33% of 1.
std::optional<double> typedNumber(std::string_view text) {
  const std::string inside = trimmed(text);
  if (inside.empty() || inside.back() != '%') return core::parseNumber(inside);
  const auto percent = core::parseNumber(trimmed(std::string_view(inside).substr(0, inside.size() - 1)));
  return percent ? std::optional(*percent / 100) : std::nullopt;
}

// Numbers between commas or semicolons, or where there are none between blanks, in brackets or not; nothing where a part
// is no number.
std::optional<std::vector<double>> typedNumbers(std::string_view text) {
  std::vector<double> numbers;
  std::string inside = trimmed(text);
  if (const auto single = typedNumber(inside)) return std::vector<double>{*single};
  const bool blanks = inside.find_first_of(",;") == std::string::npos;
  inside.erase(std::unique(inside.begin(), inside.end(), [](char a, char b) { return a == ' ' && b == ' '; }), inside.end());
  for (std::size_t start = 0;;) {
    const std::size_t end = std::min(inside.find_first_of(blanks ? " \t\n" : ",;", start), inside.size());
    const auto number = typedNumber(inside.substr(start, end - start));
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    if (end == inside.size()) return numbers;
    start = end + 1;
  }
}

// The sizes of the effects of kEffect: of the task's own edits, then of each control.
std::vector<double> effects(const Task& task, const TaskRun& run) {
  const Matrix before = partOf(task.answer, run.before.trace);
  std::vector<double> sizes{(partOf(task.answer, run.after.trace) - before).norm()};
  for (const auto& control : run.controls) sizes.push_back((partOf(task.answer, control.trace) - before).norm());
  return sizes;
}

Computed chosen(std::vector<std::string> ids, std::string text) { return {{}, std::move(ids), std::move(text)}; }

Computed directionOf(const Task& task, const TaskRun& run) {
  const double before = partOf(task.answer, run.before.trace)(0, 0), after = partOf(task.answer, run.after.trace)(0, 0);
  const std::string from = answerNumber(before), to = answerNumber(after);
  if (after > before) return chosen({"rises"}, tr("it rises, from {0} to {1}.", {from, to}));
  if (after < before) return chosen({"falls"}, tr("it falls, from {0} to {1}.", {from, to}));
  return chosen({"stays"}, tr("it stays the same, from {0} to {1}.", {from, to}));
}

Computed sameness(const Task& task, const TaskRun& run) {
  const Matrix before = partOf(task.answer, run.before.trace), after = partOf(task.answer, run.after.trace);
  if (sameBits(before, after)) return chosen({"same"}, tr("the same, bit for bit."));
  if (before.rows() != after.rows() || before.cols() != after.cols()) return chosen({"other"}, tr("not the same."));
  const std::string largest = answerNumber((after - before).cwiseAbs().maxCoeff());
  return chosen({"other"}, tr("not the same; the largest change is {0}.", {largest}));
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
  return chosen(std::move(ids), tr("{0}, with {1}.", {text, answerNumber(largest)}));
}

Computed effectOf(const Task& task, const TaskRun& run) {
  const std::vector<double> sizes = effects(task, run);
  const double most = *std::max_element(sizes.begin(), sizes.end());
  const auto options = choicesOf(task, run.before.example);
  std::vector<std::string> ids, list;
  std::string names;
  for (std::size_t n = 0; n < sizes.size(); ++n) {
    const std::string& label = options[n].label;
    const std::string size = answerNumber(sizes[n]);
    list.push_back(n == 0 ? tr("{0} moves it by {1}", {label, size}) : tr("{0} by {1}", {label, size}));
    if (most - sizes[n] > kTie * std::max(1.0, most)) continue;
    ids.push_back(options[n].id);
    names = names.empty() ? label : tr("{0} and {1}", {names, label});
  }
  const bool alike = ids.size() > 1;
  if (alike) ids = {"alike"};
  return chosen(std::move(ids),
                tr("{0}; {1}, each time the length of the straight line from before to after: the root of the sum of the squares.",
                   {alike ? tr("{0}, alike", {names}) : names, enumerated(list)}));
}

}  // namespace

std::vector<std::string> startOf(const Task& task, const Example& example) { return task.start.value_or(example.edits); }

core::Result<Example> baseOf(const Task& task, const Example& document) {
  if (task.example.empty()) return document;
  return builtInExample(task.example);
}

namespace {

core::Result<Example> exampleOf(const Task& task, const Example& document, const std::vector<std::string>& edits) {
  auto base = baseOf(task, document);
  if (!base) return base;
  std::vector<std::string> all = startOf(task, base.value());
  all.insert(all.end(), edits.begin(), edits.end());
  return editExample(base.take(), all);
}

}  // namespace

core::Index numbersAsked(const Task& task, const Example& document) {
  if (task.answer.kind == AnswerKind::kNumber) return 1;
  if (task.answer.kind != AnswerKind::kVector) return 0;
  const auto after = exampleOf(task, document, task.edits);
  const auto shape = after ? shapeOf(after.value().problem, task.answer.of, task.answer.head) : std::nullopt;
  return shape ? shape->columns : 0;
}

core::Result<TaskRun::Stand> standOf(const Task& task, const Example& document, const std::vector<std::string>& edits) {
  auto edited = exampleOf(task, document, edits);
  if (!edited) return edited.error();
  auto trace = core::computeTrace(edited.value().problem);
  if (!trace) return trace.error();
  return TaskRun::Stand{edited.take(), trace.take()};
}

core::Result<TaskRun> runTask(const Task& task, const Example& document) {
  auto before = standOf(task, document, {}), after = standOf(task, document, task.edits);
  if (!before) return before.error();
  if (!after) return after.error();
  TaskRun run{before.take(), after.take(), {}};
  for (const auto& edits : task.answer.controls) {
    auto control = standOf(task, document, edits);
    if (!control) return control.error();
    run.controls.push_back(control.take());
  }
  return run;
}

std::vector<ParamOption> choicesOf(const Task& task, const Example& before) {
  std::vector<ParamOption> options;
  switch (task.answer.kind) {
    case AnswerKind::kDirection:
      return {{"rises", tr("it rises")}, {"falls", tr("it falls")}, {"stays", tr("it stays the same")}};
    case AnswerKind::kSame: return {{"same", tr("stays the same, bit for bit")}, {"other", tr("becomes another")}};
    case AnswerKind::kEffect: {
      const std::size_t count = task.answer.controls.size();
      options.push_back({"edits", tr("the intervention")});
      if (count == 1) options.push_back({"control", tr("the control")});
      for (std::size_t n = 1; count > 1 && n <= count; ++n)
        options.push_back({"control" + std::to_string(n), tr("control {0}", {n})});
      options.push_back({"alike", count == 1 ? tr("both alike") : tr("several alike")});
      return options;
    }
    case AnswerKind::kLargest: {
      const auto shape = shapeOf(before.problem, task.answer.of, task.answer.head);
      const bool sources = shape && shape->columns == before.problem.S && shape->rows == before.problem.T;
      for (Index j = 0; shape && j < shape->columns; ++j)
        options.push_back({std::to_string(j), sources ? positionText(before, j, true, false)
                                                      : tr("component {0}", {j + before.first_index})});
      options.push_back({"several", tr("several share it")});
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

std::string toleranceText(double tolerance) {
  static constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  for (int power = 5; power <= 9; ++power)
    if (tolerance == core::parseNumber("1e-" + std::to_string(power))) return std::string("10⁻") + kDigits[power];
  return core::fullText(tolerance);
}

std::string unreadable(const std::string& prediction, Index wanted) {
  if (wanted == 0 || prediction.empty()) return "";
  const auto numbers = typedNumbers(prediction);
  if (numbers && static_cast<Index>(numbers->size()) == wanted) return "";
  const std::string comma =
      io::hasDecimalCommas(prediction)
          ? " " + tr("A comma parts numbers here: if yours is a decimal comma, write a point, as in 0.25.")
          : "";
  if (!numbers)
    return tr("What you wrote is no number that can be read; write for instance 1/4, 0.25, 25% or sqrt(2), with commas or "
              "blanks between several.") + comma;
  return tr("You wrote {0} {0|number|numbers}, and the answer has {1}.", {numbers->size(), wanted}) + comma;
}

Judged judge(const Task& task, const TaskRun& run, const Computed& computed, const std::string& prediction) {
  Judged judged;
  if (prediction.empty() || prediction == "none") {
    judged.words = tr("No prediction: you looked first.");
    return judged;
  }
  judged.judgement = Judgement::kWrong;
  const auto options = choicesOf(task, run.after.example);
  if (!options.empty()) {
    const auto taken = std::find_if(options.begin(), options.end(), [&](const auto& o) { return o.id == prediction; });
    judged.prediction = taken == options.end() ? prediction : taken->label;
    const bool right = std::find(computed.choices.begin(), computed.choices.end(), prediction) != computed.choices.end();
    if (right) judged.judgement = Judgement::kRight;
    judged.words = right ? tr("Right.") : tr("Not what comes out.");
    return judged;
  }
  judged.prediction = prediction;
  if (judged.words = unreadable(prediction, static_cast<Index>(computed.numbers.size())); !judged.words.empty()) {
    judged.judgement = Judgement::kNone;
    return judged;
  }
  const auto numbers = typedNumbers(prediction);
  double off = 0;
  for (std::size_t i = 0; i < numbers->size(); ++i) off = std::max(off, std::abs((*numbers)[i] - computed.numbers[i]));
  // Half a unit in the last place of a sum does not make 0.005 off by more than 0.005.
  const bool right = off <= task.tolerance * (1 + 1e-9) + 1e-15;
  if (right) judged.judgement = Judgement::kRight;
  const std::string within = toleranceText(task.tolerance);
  judged.words = right ? tr("Right, within {0}.", {within})
                       : tr("Not within {0}: off by up to {1}.", {within, core::fixedText(off, 4)});
  return judged;
}

}  // namespace attn::lesson
