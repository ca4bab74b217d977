// A task carried out: what is there before, what comes out, and what a prediction is worth. Knows no screen.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lesson/example.h"
#include "lesson/page.h"
#include "lesson/task.h"

namespace attn::lesson {

// An example at the beginning, after the task's edits, and after those of each control, each with its computation.
struct TaskRun {
  struct Stand {
    Example example;
    core::Trace<double> trace;
  };
  Stand before, after;
  std::vector<Stand> controls;
};

// The edits at the beginning: of the task, or the example's own.
std::vector<std::string> startOf(const Task& task, const Example& example);

// `document` is the example that holds the task. Refuses what cannot be computed.
core::Result<TaskRun::Stand> standOf(const Task& task, const Example& document, const std::vector<std::string>& edits);
// The example that the task is about, without any edit of the task: built in, or the document.
core::Result<Example> baseOf(const Task& task, const Example& document);
// How many numbers are to be typed; 0 for the other kinds. Computes nothing.
core::Index numbersAsked(const Task& task, const Example& document);
core::Result<TaskRun> runTask(const Task& task, const Example& document);

// What can be chosen, for the kinds that are chosen; empty for those that are typed. Says nothing of the answer.
std::vector<ParamOption> choicesOf(const Task& task, const Example& before);

// The row or cell of an array that the answer is about.
core::Matrix<double> partOf(const Answer& answer, const core::Trace<double>& trace);

// The answer: numbers for kNumber and kVector, the ids of the right choices for those that are chosen.
struct Computed {
  std::vector<double> numbers;
  std::vector<std::string> choices;  // several where they come to the same
  std::string text;
};
Computed answerOf(const Task& task, const TaskRun& run);

// "1/3 (0.3333)", "0.3451": as answers are written.
std::string answerNumber(double value);
std::string answerNumbers(const std::vector<double>& values);
// "0.005", "10⁻⁶".
std::string toleranceText(double tolerance);

struct Judged {
  Verdict::Judgement judgement = Verdict::Judgement::kNone;
  std::string words, prediction;
};
// Why a typed prediction cannot be judged, and what to write; "" when it can. `wanted` numbers are asked for.
std::string unreadable(const std::string& prediction, core::Index wanted);

// `prediction` as it was typed, or the id of a choice ("" or "none": nothing was predicted). What cannot be read is not
// judged.
Judged judge(const Task& task, const TaskRun& run, const Computed& computed, const std::string& prediction);

}  // namespace attn::lesson
