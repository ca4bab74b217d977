// `attnscope-cli list`: the built-in examples.
#include "cli/arguments.h"
#include "lesson/example.h"

namespace attn::cli {

core::Result<Output> runList(const Arguments& arguments) {
  const core::Result<Parsed> parsed = parseArguments("list", arguments, {});
  if (!parsed) return parsed.error();
  if (!parsed.value().plain.empty()) {
    return core::Error{"The command list takes nothing after it, found " + parsed.value().plain.front() +
                       "; leave it out."};
  }
  std::string lines;
  for (const lesson::BuiltIn& built_in : lesson::builtIns()) {
    const core::Result<lesson::Example> example = lesson::builtInExample(built_in.id);
    if (!example) return example.error();
    lines += std::string(built_in.id) + "\t" + example.value().title + "\n";
  }
  return Output{lines};
}

}  // namespace attn::cli
