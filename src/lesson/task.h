// A task: what to predict about an example, and how the answer is computed. The answer itself is nowhere stored. Knows
// no screen and nobody's prediction.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/stage.h"
#include "core/trace.h"
#include "io/json.h"

namespace attn::lesson {

struct Example;

enum class AnswerKind : std::uint8_t {
  kNumber,     // a cell, or its change
  kVector,     // a row, or its change
  kDirection,  // whether a cell rises, falls or stays the same
  kSame,       // whether an array, or a row of it, stays the same bit for bit
  kLargest,    // the column with the largest number of a row
  kEffect,     // which list of edits moves a row most: the task's own or that of a control
  kImplement,  // the whole array, computed by the person's own program
};

// Where the answer stands in what is computed. Rows and columns count from 0.
struct Answer {
  AnswerKind kind = AnswerKind::kNumber;
  core::Array of = core::Array::kWeights;
  core::Index head = 0;
  std::optional<core::Index> row, column;  // no row: the whole array
  bool change = false;                     // after − before
  std::vector<std::vector<std::string>> controls;  // kEffect: the other lists of edits
  bool operator==(const Answer&) const = default;
};

struct Task {
  std::string name;                   // of ours: the title in English, whatever the language; else ""
  std::string title, instruction, question;
  std::string hint, why;              // why: said with the answer
  std::string example;                // a built-in id; "": the document that holds the task
  std::optional<std::vector<std::string>> start;  // edits in the place of the example's own
  std::vector<std::string> edits;     // what the reveal carries out on top
  std::vector<core::Array> show;      // what is laid out beside the question
  Answer answer;
  double tolerance = 0.005;           // of each number
  bool operator==(const Task&) const = default;
};

inline constexpr std::size_t kMostTasks = 100;

// The `tasks` of a document whose other fields have been read into `example`. Refuses, naming the field with its place:
// unknown and missing fields, wrong types, edits that cannot be carried out, an answer outside its array, and a task
// that would show its answer before it is asked for.
core::Check readTasks(const io::Json& document, const Example& example, std::vector<Task>& tasks);

// Documents whose tasks are ours, in the language that is set, in the order in which they are offered. They are built in,
// and a test reads them.
std::vector<Example> taskDocuments();

// "number", "vector", …: as documents write it.
std::string_view answerKindName(AnswerKind kind);

// T×S and so on, of the array as that head has it; nothing where this computation has none, or no such head.
struct Shape {
  core::Index rows = 0, columns = 0;
  bool operator==(const Shape&) const = default;
};
std::optional<Shape> shapeOf(const core::Problem<double>& problem, core::Array array, core::Index head);

}  // namespace attn::lesson
