// `attnscope-cli compare`: how the arrays of two files differ.
#include <array>

#include "cli/arguments.h"
#include "cli/opened.h"
#include "core/number.h"
#include "io/json_writer.h"
#include "opened/array_named.h"
#include "opened/difference.h"

namespace attn::cli {
namespace {

using opened::Difference;
using opened::Tally;

void writeShape(io::JsonWriter& json, const char* name, const std::vector<std::uint64_t>& list) {
  json.name(name).beginList();
  for (const std::uint64_t length : list) json.number(static_cast<double>(length));
  json.endList();
}

void writeLargest(io::JsonWriter& json, const Tally& tally) {
  json.name("max_abs_diff").number(tally.largest);
  if (!tally.at.empty()) writeShape(json, "at", tally.at);
}

void writeDifference(io::JsonWriter& json, const Difference& d) {
  json.beginObject().name("a").text(d.a).name("b").text(d.b);
  writeShape(json, "shape", d.shape);
  if (d.shape != d.other_shape) writeShape(json, "other_shape", d.other_shape);
  if (!d.error.empty()) json.name("error").text(d.error);
  if (d.comparable()) {
    writeLargest(json, d.all);
    json.name("mean_abs_diff").number(d.all.mean());
    json.name("differing").number(static_cast<double>(d.all.differing));
    if (!d.parts.empty()) {
      json.name("heads").beginList();
      for (const Tally& part : d.parts) writeLargest(json.beginObject(), part), json.endObject();
      json.endList();
    }
  }
  json.endObject();
}

std::string placeText(const std::vector<std::uint64_t>& at) {
  std::string text;
  for (const std::uint64_t index : at) text += "[" + std::to_string(index) + "]";
  return text;
}

std::string lineOf(const Difference& d) {
  std::string text = d.a + (d.a == d.b ? "" : " and " + d.b) + "\t" + io::shapeText(d.shape) + "\t";
  if (d.shape != d.other_shape) return text + "the other one is " + io::shapeText(d.other_shape) + "\n";
  if (!d.error.empty()) return text + d.error + "\n";
  if (d.all.differing == 0) return text + "the same\n";
  text += std::to_string(d.all.differing) + " of " + std::to_string(d.all.count) + " differ, at most by " +
          core::fullText(d.all.largest) + " at " + placeText(d.all.at) + ", on average by " + core::fullText(d.all.mean()) + "\n";
  for (std::size_t n = 0; n < d.parts.size() && d.parts.size() > 1; ++n) {
    if (d.parts[n].at.empty()) continue;
    text += "  head " + std::to_string(n) + "\tat most by " + core::fullText(d.parts[n].largest) + " at " +
            placeText(d.parts[n].at) + "\n";
  }
  return text;
}

// The pairs of --map alone, or those of equal names.
core::Result<opened::Pairing> pairingOf(const Parsed& parsed, const Opened& a, const Opened& b) {
  const std::string &a_path = parsed.plain[0], &b_path = parsed.plain[1];
  opened::Pairing pairing;
  for (const auto& [option, text] : parsed.repeated) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) return core::Error{"--map is \"" + text + "\"; write --map name=name."};
    const auto m = opened::arrayNamed(a.file, text.substr(0, equals), a_path);
    const auto n = opened::arrayNamed(b.file, text.substr(equals + 1), b_path);
    if (!m) return m.error();
    if (!n) return n.error();
    pairing.pairs.emplace_back(m.value(), n.value());
  }
  if (pairing.pairs.empty()) pairing = opened::pairsByName(a.file, b.file);
  if (!pairing.pairs.empty()) return pairing;
  return core::Error{"No array of " + a_path + " has the name of one in " + b_path + "; pair them with --map name=name."};
}

}  // namespace

core::Result<Output> runCompare(const Arguments& arguments) {
  constexpr std::array<std::string_view, 1> kSwitches = {"--json"};
  constexpr std::array<std::string_view, 1> kRepeated = {"--map"};
  const core::Result<Parsed> parsed = parseArguments("compare", arguments, {}, {kRepeated, kSwitches});
  if (!parsed) return parsed.error();
  const std::vector<std::string>& plain = parsed.value().plain;
  if (plain.size() != 2) {
    return core::Error{"The command compare takes two files, found " + std::to_string(plain.size()) +
                       "; see attnscope-cli compare --help."};
  }
  const core::Result<Opened> a = openArrayFile(plain[0]), b = openArrayFile(plain[1]);
  if (!a) return a.error();
  if (!b) return b.error();
  const core::Result<opened::Pairing> pairing = pairingOf(parsed.value(), a.value(), b.value());
  if (!pairing) return pairing.error();
  io::JsonWriter json;
  std::string text;
  json.beginObject().name("a").text(plain[0]).name("b").text(plain[1]).name("arrays").beginList();
  const opened::Side a_side{*a.value().source, a.value().file}, b_side{*b.value().source, b.value().file};
  for (const auto& pair : pairing.value().pairs) {
    const Difference difference = opened::differenceOf(a_side, pair.first, b_side, pair.second);
    writeDifference(json, difference);
    text += lineOf(difference);
  }
  json.endList();
  const auto writeNames = [&](const char* name, const std::vector<std::size_t>& arrays, const io::ArrayFile& file,
                              const std::string& path) {
    json.name(name).beginList();
    for (const std::size_t n : arrays) json.text(file.arrays[n].name), text += file.arrays[n].name + "\tonly in " + path + "\n";
    json.endList();
  };
  writeNames("only_a", pairing.value().only_a, a_side.file, plain[0]);
  writeNames("only_b", pairing.value().only_b, b_side.file, plain[1]);
  json.endObject();
  return Output{parsed.value().options.count("--json") > 0 ? json.take() + "\n" : text};
}

}  // namespace attn::cli
