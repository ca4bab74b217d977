// The commands of attnscope-cli: each is a row of a table, and the program around them knows none by name.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace attn::cli {

using Arguments = std::vector<std::string>;

struct Command {
  std::string_view name;
  std::string_view usage;    // "trace ID|FILE [--mask none|causal]"
  std::string_view summary;  // one line, for the list of commands
  std::string_view details;  // whole sentences, for --help of the command
  // Everything that goes to standard output, or one sentence.
  core::Result<std::string> (*run)(const Arguments& arguments);
};

core::Result<std::string> runList(const Arguments& arguments);
core::Result<std::string> runTrace(const Arguments& arguments);
core::Result<std::string> runScenes(const Arguments& arguments);
core::Result<std::string> runScene(const Arguments& arguments);

}  // namespace attn::cli
