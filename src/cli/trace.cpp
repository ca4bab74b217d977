// `attnscope-cli trace`: one example computed, as Trace JSON.
#include <array>

#include "cli/arguments.h"
#include "cli/input.h"
#include "core/trace.h"
#include "lesson/edits.h"
#include "lesson/trace_json.h"

namespace attn::cli {
namespace {

core::Check replaceMask(const Parsed& parsed, core::MaskSpec& mask) {
  const core::Result<std::optional<bool>> causal = causalOf(parsed);
  if (!causal) return causal.error();
  if (causal.value()) mask = core::plainMask(*causal.value());
  return {};
}

}  // namespace

core::Result<Output> runTrace(const Arguments& arguments) {
  constexpr std::array<std::string_view, 1> kOptions = {"--mask"};
  constexpr std::array<std::string_view, 1> kRepeated = {"--edit"};
  const core::Result<Parsed> parsed = parseArguments("trace", arguments, kOptions, {kRepeated, {}});
  if (!parsed) return parsed.error();
  const std::vector<std::string>& plain = parsed.value().plain;
  if (plain.size() != 1) {
    return core::Error{"The command trace takes one built-in id or file, found " + std::to_string(plain.size()) +
                       "; see attnscope-cli trace --help."};
  }
  core::Result<lesson::Example> example = readExample(plain.front());
  if (!example) return example.error();
  if (core::Check wrong = replaceMask(parsed.value(), example.value().problem.mask)) return *wrong;
  std::vector<std::string> edits = example.value().edits;
  for (const auto& [option, edit] : parsed.value().repeated) edits.push_back(edit);
  const core::Result<lesson::Example> edited = lesson::editExample(example.take(), edits);
  if (!edited) return edited.error();
  const core::Result<core::Trace<double>> trace = core::computeTrace(edited.value().problem);
  if (!trace) return core::Error{plain.front() + ": " + trace.error().message};
  return Output{lesson::traceJson(edited.value(), trace.value()) + "\n"};
}

}  // namespace attn::cli
