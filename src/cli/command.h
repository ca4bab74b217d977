// The commands of attnscope-cli: each is a row of a table, and the program around them knows none by name.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace attn::cli {

using Arguments = std::vector<std::string>;

// What a command has to say, and whether it is good news.
struct Output {
  std::string text;  // everything that goes to standard output
  int status = 0;    // 1 where the answer itself is a finding
};

struct Command {
  std::string_view name;
  std::string_view usage;    // "trace ID|FILE [--mask none|causal]"
  std::string_view summary;  // one line, for the list of commands
  std::string_view details;  // whole sentences, for --help of the command
  // The output, or one sentence.
  core::Result<Output> (*run)(const Arguments& arguments);
};

core::Result<Output> runList(const Arguments& arguments);
core::Result<Output> runTrace(const Arguments& arguments);
core::Result<Output> runScenes(const Arguments& arguments);
core::Result<Output> runScene(const Arguments& arguments);
core::Result<Output> runInspect(const Arguments& arguments);
core::Result<Output> runAudit(const Arguments& arguments);
core::Result<Output> runCompare(const Arguments& arguments);
core::Result<Output> runExport(const Arguments& arguments);
core::Result<Output> runModel(const Arguments& arguments);
core::Result<Output> runAttend(const Arguments& arguments);
core::Result<Output> runMap(const Arguments& arguments);

}  // namespace attn::cli
