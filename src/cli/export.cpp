// `attnscope-cli export`: a computation, or one array of it, in a file of the format that somebody needs.
#include <algorithm>
#include <array>
#include <charconv>

#include "cli/arguments.h"
#include "cli/input.h"
#include "core/trace.h"
#include "disk/file.h"
#include "io/array_writer.h"
#include "lesson/edits.h"
#include "lesson/python_code.h"
#include "lesson/trace_arrays.h"
#include "lesson/trace_json.h"

namespace attn::cli {
namespace {

constexpr std::string_view kFormats[] = {"csv", "tsv", "json", "npy", "npz", "safetensors", "tex", "md", "py", "numpy", "torch"};

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

std::string list(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

core::Result<std::optional<core::Index>> headOf(const Parsed& parsed) {
  const auto option = parsed.options.find("--head");
  if (option == parsed.options.end()) return std::optional<core::Index>();
  core::Index head = 0;
  const std::string& text = option->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), head);
  if (error != std::errc() || end != text.data() + text.size()) {
    return core::Error{"--head is \"" + text + "\"; write a number, from 0."};
  }
  return std::optional<core::Index>(head);
}

core::Result<std::string> oneArray(const Source& source, const std::string& what, std::optional<core::Index> head,
                                   const std::string& format) {
  const core::Result<io::NamedArray> array = lesson::traceArray(source.example, source.trace, what, head);
  if (!array) return array.error();
  const lesson::Labels labels = lesson::labelsOf(source.example, array.value());
  const io::TableLabels table{labels.rows, labels.columns};
  if (format == "csv") return io::separatedOf(array.value(), table, ',');
  if (format == "tsv") return io::separatedOf(array.value(), table, '\t');
  if (format == "md") return io::markdownOf(array.value(), table);
  if (format == "tex") return io::latexOf(array.value(), table);
  if (format == "npy") return io::npyOf(array.value());
  if (format == "npz") return io::npzOf({&array.value(), 1});
  if (format == "safetensors") return io::safetensorsOf({&array.value(), 1});
  return io::jsonOf(array.value()) + "\n";
}

core::Result<std::string> whole(const Source& source, const std::string& format) {
  using lesson::Dialect;
  if (format == "py") return lesson::pythonCode(source.example, source.trace, Dialect::kPlain);
  if (format == "numpy") return lesson::pythonCode(source.example, source.trace, Dialect::kNumpy);
  if (format == "torch") return lesson::pythonCode(source.example, source.trace, Dialect::kTorch);
  if (format == "json") return lesson::traceJson(source.example, source.trace) + "\n";
  const std::vector<io::NamedArray> arrays = lesson::traceArrays(source.example, source.trace);
  if (format == "npz") return io::npzOf(arrays);
  if (format == "safetensors") return io::safetensorsOf(arrays);
  return core::Error{"The format " + format + " holds one array; name it with --what, for example --what weights."};
}

bool isCode(const std::string& format) { return format == "py" || format == "numpy" || format == "torch"; }

}  // namespace

core::Result<Output> runExport(const Arguments& arguments) {
  constexpr std::array<std::string_view, 4> kOptions = {"--what", "--head", "--format", "--out"};
  constexpr std::array<std::string_view, 1> kRepeated = {"--edit"};
  const core::Result<Parsed> parsed = parseArguments("export", arguments, kOptions, {kRepeated, {}});
  if (!parsed) return parsed.error();
  const std::vector<std::string>& plain = parsed.value().plain;
  if (plain.size() != 1) {
    return core::Error{"The command export takes one built-in id or file, found " + std::to_string(plain.size()) +
                       "; see attnscope-cli export --help."};
  }
  const auto option = [&](const char* name) {
    const auto found = parsed.value().options.find(name);
    return found == parsed.value().options.end() ? std::optional<std::string>() : found->second;
  };
  const auto format = option("--format"), out = option("--out"), what = option("--what");
  if (!format || std::find(std::begin(kFormats), std::end(kFormats), *format) == std::end(kFormats)) {
    return core::Error{"--format is " + (format ? "\"" + *format + "\"" : std::string("missing")) + "; write one of " +
                       list(kFormats) + "."};
  }
  if (!out || out->empty()) return core::Error{"--out is missing; name the file to write."};
  const auto head = headOf(parsed.value());
  if (!head) return head.error();
  if (isCode(*format) && what) {
    return core::Error{"Code reproduces the whole computation; leave --what out."};
  }
  if (head.value() && !what) return core::Error{"--head chooses a head of one array; name the array with --what."};
  const core::Result<Source> source = computed(plain.front(), parsed.value());
  if (!source) return source.error();
  const core::Result<std::string> text =
      what ? oneArray(source.value(), *what, head.value(), *format) : whole(source.value(), *format);
  if (!text) return text.error();
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.value().data());
  if (core::Check failed = disk::writeFile(*out, {bytes, text.value().size()})) return *failed;
  return Output{};
}

}  // namespace attn::cli
