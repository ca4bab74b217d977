// The example document (format 1): parsing, checking and the built-in ones. Knows no screen and no State.
#pragma once
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/problem.h"
#include "core/result.h"
#include "core/stage.h"
#include "lesson/task.h"

namespace attn::lesson {

struct Example {
  std::string id;     // "three-positions", or what openers chose for a document
  std::string title;
  std::string about;  // built-ins: one line on what to look for; documents: ""
  int first_index = 0;  // how positions are numbered on the screen only
  std::vector<std::string> tokens;   // T destinations
  std::vector<std::string> sources;  // S; equals tokens in self-attention
  core::Problem<double> problem;
  std::map<core::Stage, std::string> texts;
  std::vector<std::string> edits;  // of the document: carried out only by editExample
  std::vector<Task> tasks;  // of the document
  std::string document;  // the JSON it came from, minified: what travels in links
};

// Refuses, in one sentence with line and column or field name: text that is not JSON, duplicate and unknown fields,
// a missing `attnscope` or `tokens`, wrong types, ragged rows ("row 6 has 11 numbers, row 0 has 12"), and everything
// that core::checkProblem refuses, edits that cannot be read or carried out, and tasks that task.h refuses.
core::Result<Example> parseExample(std::string_view json, std::string id);

// Whether a file is meant as a document, by its beginning or the whole of it: an object with a key "attnscope". All else
// that people open are arrays.
bool isDocument(std::string_view beginning);

struct BuiltIn {
  std::string_view id;
  std::string_view json;
  std::string_view about;  // in English
};
std::span<const BuiltIn> builtIns();

// The built-in example, or an error that lists the ids that exist.
core::Result<Example> builtInExample(std::string_view id);

}  // namespace attn::lesson
