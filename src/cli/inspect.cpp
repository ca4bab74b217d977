// `attnscope-cli inspect`: the arrays of a file, each read through once.
#include <array>

#include "cli/arguments.h"
#include "cli/opened.h"
#include "core/number.h"
#include "io/array_data.h"
#include "io/json_writer.h"
#include "opened/role.h"

namespace attn::cli {
namespace {

constexpr std::size_t kStep = std::size_t(1) << 20;  // elements

struct Seen {
  std::string error;
  io::ScanSummary summary;
};

Seen scanned(const Opened& opened, std::size_t n) {
  const io::ArrayInfo& array = opened.file.arrays[n];
  if (!array.unreadable.empty()) return {array.unreadable, {}};
  const auto data = io::dataOf(*opened.source, opened.file, n, io::ArrayLimits().held);
  if (!data) return {data.error().message, {}};
  core::Result<io::Scan> scan = io::Scan::over(*data.value(), array);
  if (!scan) return {scan.error().message, {}};
  while (scan.value().step(kStep)) {}
  if (scan.value().failure()) return {scan.value().failure()->message, {}};
  return {"", scan.value().summary()};
}

void writeArray(io::JsonWriter& json, const io::ArrayInfo& array, const Seen& seen) {
  json.beginObject().name("name").text(array.name).name("dtype").text(io::typeName(array.type)).name("shape").beginList();
  for (const std::uint64_t length : array.shape) json.number(static_cast<double>(length));
  json.endList();
  if (!seen.error.empty()) {
    json.name("error").text(seen.error).endObject();
    return;
  }
  if (seen.summary.finite > 0) json.name("min").number(seen.summary.min).name("max").number(seen.summary.max);
  if (array.type != io::ElementType::kText) {
    json.name("nan").number(static_cast<double>(seen.summary.nan)).name("inf");
    json.number(static_cast<double>(seen.summary.plus_infinity + seen.summary.minus_infinity));
  }
  if (!array.note.empty()) json.name("note").text(array.note);
  json.endObject();
}

std::string line(const io::ArrayInfo& array, const opened::Guess& guess, const Seen& seen) {
  std::string text = array.name + "\t" + std::string(io::typeName(array.type)) + "\t" + io::shapeText(array.shape) + "\t";
  if (!seen.error.empty()) return text + seen.error + "\n";
  if (seen.summary.finite > 0) {
    text += core::fullText(seen.summary.min) + " … " + core::fullText(seen.summary.max);
  }
  const std::uint64_t infinite = seen.summary.plus_infinity + seen.summary.minus_infinity;
  if (seen.summary.nan) text += ", " + std::to_string(seen.summary.nan) + " NaN";
  if (infinite) text += ", " + std::to_string(infinite) + " infinite";
  text += "\t" + guess.words;
  return text + (array.note.empty() ? "" : "; " + array.note) + "\n";
}

}  // namespace

core::Result<Output> runInspect(const Arguments& arguments) {
  constexpr std::array<std::string_view, 1> kSwitches = {"--json"};
  const core::Result<Parsed> parsed = parseArguments("inspect", arguments, {}, {{}, kSwitches});
  if (!parsed) return parsed.error();
  const std::vector<std::string>& plain = parsed.value().plain;
  if (plain.size() != 1) {
    return core::Error{"The command inspect takes one file, found " + std::to_string(plain.size()) +
                       "; see attnscope-cli inspect --help."};
  }
  const core::Result<Opened> opened = openArrayFile(plain.front());
  if (!opened) return opened.error();
  const io::ArrayFile& file = opened.value().file;
  const std::vector<opened::Guess> guesses = opened::guessRoles(file.arrays);
  const bool as_json = parsed.value().options.count("--json") > 0;
  io::JsonWriter json;
  std::string text = plain.front() + ": " + file.format + "\n", first_error;
  bool some = file.arrays.empty();
  json.beginObject().name("file").text(plain.front()).name("arrays").beginList();
  for (const std::size_t n : opened::naturalOrder(file.arrays)) {
    const Seen seen = scanned(opened.value(), n);
    some = some || seen.error.empty();
    if (first_error.empty() && !seen.error.empty()) first_error = file.arrays[n].name + ": " + seen.error;
    writeArray(json, file.arrays[n], seen);
    text += line(file.arrays[n], guesses[n], seen);
  }
  if (!some) return core::Error{plain.front() + ": " + first_error};
  json.endList();
  if (!file.notes.empty()) {
    json.name("notes").beginList();
    for (const std::string& note : file.notes) json.text(note), text += note + "\n";
    json.endList();
  }
  json.endObject();
  return Output{as_json ? json.take() + "\n" : text};
}

}  // namespace attn::cli
