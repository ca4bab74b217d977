// `attnscope-cli export`: a computation, or one array of it, in a file of the format that somebody needs.
#include <array>

#include "app/export_file.h"
#include "cli/arguments.h"
#include "cli/input.h"
#include "core/trace.h"
#include "disk/file.h"
#include "lesson/edits.h"

namespace attn::cli {
namespace {

struct Source {
  lesson::Example example;
  core::Trace<double> trace;
};

core::Result<Source> computed(const std::string& name, const Parsed& parsed) {
  core::Result<lesson::Example> example = readExample(name);
  if (!example) return example.error();
  std::vector<std::string> edits = example.value().edits;
  for (const auto& [option, edit] : parsed.repeated) edits.push_back(edit);
  core::Result<lesson::Example> edited = lesson::editExample(example.take(), edits);
  if (!edited) return edited.error();
  core::Result<core::Trace<double>> trace = core::computeTrace(edited.value().problem);
  if (!trace) return core::Error{name + ": " + trace.error().message};
  return Source{edited.take(), trace.take()};
}

std::string formatList() {
  std::string text;
  for (const app::ExportFormat& each : app::exportFormats()) text += (text.empty() ? "" : ", ") + std::string(each.id);
  return text;
}

core::Result<std::optional<core::Index>> headOf(const Parsed& parsed) {
  const auto option = parsed.options.find("--head");
  if (option == parsed.options.end()) return std::optional<core::Index>();
  const std::optional<core::Index> head = numberOf(option->second, 0);
  if (!head) return core::Error{"--head is \"" + option->second + "\"; write a number, from 0."};
  return head;
}

// What the options ask for, all but the file.
core::Result<app::ExportChoice> choiceOf(const Parsed& parsed) {
  const auto option = [&](const char* name) {
    const auto found = parsed.options.find(name);
    return found == parsed.options.end() ? std::optional<std::string>() : found->second;
  };
  const auto format = option("--format"), theme = option("--theme");
  if (!format || !app::findFormat(*format)) {
    return core::Error{"--format is " + (format ? "\"" + *format + "\"" : std::string("missing")) + "; write one of " + formatList() + "."};
  }
  if (theme && *theme != "dark" && *theme != "light") return core::Error{"--theme is \"" + *theme + "\"; write dark or light."};
  if (theme && *format != "svg") return core::Error{"--theme is for pictures; leave it out, or write --format svg."};
  const auto head = headOf(parsed);
  if (!head) return head.error();
  const std::string what = option("--what").value_or("");
  if (head.value() && what.empty()) return core::Error{"--head chooses a head of one array; name the array with --what."};
  return app::ExportChoice{*format, what, head.value(), theme == "dark"};
}

}  // namespace

core::Result<Output> runExport(const Arguments& arguments) {
  constexpr std::array<std::string_view, 5> kOptions = {"--what", "--head", "--format", "--theme", "--out"};
  constexpr std::array<std::string_view, 1> kRepeated = {"--edit"};
  const core::Result<Parsed> parsed = parseArguments("export", arguments, kOptions, {kRepeated, {}});
  if (!parsed) return parsed.error();
  const std::vector<std::string>& plain = parsed.value().plain;
  if (plain.size() != 1) {
    return core::Error{"The command export takes one built-in id or file, found " + std::to_string(plain.size()) +
                       "; see attnscope-cli export --help."};
  }
  const core::Result<app::ExportChoice> choice = choiceOf(parsed.value());
  if (!choice) return choice.error();
  const auto out = parsed.value().options.find("--out");
  if (out == parsed.value().options.end() || out->second.empty()) return core::Error{"--out is missing; name the file to write."};
  const core::Result<Source> source = computed(plain.front(), parsed.value());
  if (!source) return source.error();
  const core::Result<std::string> text = app::exported(source.value().example, source.value().trace, choice.value(), {});
  if (!text) return text.error();
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.value().data());
  if (core::Check failed = disk::writeFile(out->second, {bytes, text.value().size()})) return *failed;
  return Output{};
}

}  // namespace attn::cli
