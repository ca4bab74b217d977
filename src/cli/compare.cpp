// `attnscope-cli compare`: how the arrays of two files differ.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "cli/arguments.h"
#include "cli/opened.h"
#include "core/number.h"
#include "io/array_data.h"
#include "io/json_writer.h"

namespace attn::cli {
namespace {

struct Largest {
  double difference = 0;
  std::vector<std::uint64_t> at;  // empty: nothing differs
};

struct Difference {
  std::string a, b;
  std::vector<std::uint64_t> shape, other_shape;
  std::string error;
  Largest largest;
  double sum = 0;
  std::uint64_t count = 0, differing = 0;
  std::vector<Largest> parts;  // of each leading index: layers, heads, …; empty for planes
};

// NaN beside NaN is no difference; beside a number it is the largest there is.
double differenceOf(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double difference = std::abs(a - b);
  return std::isnan(difference) ? std::numeric_limits<double>::infinity() : difference;
}

void take(Largest& largest, double difference, const std::vector<std::uint64_t>& at) {
  if (difference > 0 && (largest.at.empty() || difference > largest.difference)) largest = {difference, at};
}

bool next(std::vector<std::uint64_t>& indices, const std::vector<std::uint64_t>& shape, std::size_t axes) {
  for (std::size_t axis = axes; axis-- > 0;) {
    if (++indices[axis] < shape[axis]) return true;
    indices[axis] = 0;
  }
  return false;
}

core::Check comparePlanes(const io::ByteSource& a_data, const io::ArrayInfo& a, const io::ByteSource& b_data,
                          const io::ArrayInfo& b, Difference& difference) {
  const std::size_t rank = a.shape.size();
  const std::size_t row = rank >= 2 ? rank - 2 : io::kNoAxis, column = rank >= 1 ? rank - 1 : io::kNoAxis;
  const std::size_t leading = rank >= 2 ? rank - 2 : 0;
  std::vector<std::uint64_t> indices(rank, 0);
  const auto count = io::countOf(a.shape);
  if (!count || *count == 0) return {};
  do {
    const core::Result<io::Plane> a_plane = io::planeOf(a, row, column, indices), b_plane = io::planeOf(b, row, column, indices);
    if (!a_plane) return a_plane.error();
    if (!b_plane) return b_plane.error();
    const auto x = io::readPlane(a_data, a, a_plane.value()), y = io::readPlane(b_data, b, b_plane.value());
    if (!x) return x.error();
    if (!y) return y.error();
    Largest part;
    for (core::Index i = 0; i < x.value().rows(); ++i) {
      for (core::Index j = 0; j < x.value().cols(); ++j) {
        const double here = differenceOf(x.value()(i, j), y.value()(i, j));
        ++difference.count;
        if (here == 0) continue;
        ++difference.differing;
        difference.sum += here;
        std::vector<std::uint64_t> at = indices;
        if (rank >= 2) at[row] = static_cast<std::uint64_t>(i);
        if (rank >= 1) at[column] = static_cast<std::uint64_t>(j);
        take(part, here, at);
      }
    }
    take(difference.largest, part.difference, part.at);
    if (leading > 0) difference.parts.push_back(part);
  } while (next(indices, a.shape, leading));
  return {};
}

Difference compareArrays(const Opened& a, std::size_t m, const Opened& b, std::size_t n) {
  const io::ArrayInfo &x = a.file.arrays[m], &y = b.file.arrays[n];
  Difference difference{x.name, y.name, x.shape, y.shape, "", {}, 0, 0, 0, {}};
  if (x.shape != y.shape) return difference;
  for (const io::ArrayInfo* array : {&x, &y}) {
    if (!array->unreadable.empty()) difference.error = array->unreadable;
  }
  if (!difference.error.empty()) return difference;
  const auto a_data = io::dataOf(*a.source, a.file, m, io::ArrayLimits().held);
  const auto b_data = io::dataOf(*b.source, b.file, n, io::ArrayLimits().held);
  if (!a_data || !b_data) {
    difference.error = (!a_data ? a_data : b_data).error().message;
    return difference;
  }
  if (x.type == io::ElementType::kText || y.type == io::ElementType::kText) {
    difference.error = "These are texts; only numbers are compared.";
    return difference;
  }
  if (const core::Check failed = comparePlanes(*a_data.value(), x, *b_data.value(), y, difference)) {
    difference.error = failed->message;
  }
  return difference;
}

void writeShape(io::JsonWriter& json, const char* name, const std::vector<std::uint64_t>& list) {
  json.name(name).beginList();
  for (const std::uint64_t length : list) json.number(static_cast<double>(length));
  json.endList();
}

void writeLargest(io::JsonWriter& json, const Largest& largest) {
  json.name("max_abs_diff").number(largest.difference);
  if (!largest.at.empty()) writeShape(json, "at", largest.at);
}

void writeDifference(io::JsonWriter& json, const Difference& d) {
  json.beginObject().name("a").text(d.a).name("b").text(d.b);
  writeShape(json, "shape", d.shape);
  if (d.shape != d.other_shape) writeShape(json, "other_shape", d.other_shape);
  if (!d.error.empty()) json.name("error").text(d.error);
  if (d.error.empty() && d.shape == d.other_shape) {
    writeLargest(json, d.largest);
    json.name("mean_abs_diff").number(d.count ? d.sum / static_cast<double>(d.count) : 0);
    json.name("differing").number(static_cast<double>(d.differing));
    if (!d.parts.empty()) {
      json.name("heads").beginList();
      for (const Largest& part : d.parts) writeLargest(json.beginObject(), part), json.endObject();
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
  if (d.differing == 0) return text + "the same\n";
  text += std::to_string(d.differing) + " of " + std::to_string(d.count) + " differ, at most by " +
          core::fullText(d.largest.difference) + " at " + placeText(d.largest.at) + ", on average by " +
          core::fullText(d.sum / static_cast<double>(d.count)) + "\n";
  for (std::size_t n = 0; n < d.parts.size() && d.parts.size() > 1; ++n) {
    if (d.parts[n].at.empty()) continue;
    text += "  head " + std::to_string(n) + "\tat most by " + core::fullText(d.parts[n].difference) + " at " +
            placeText(d.parts[n].at) + "\n";
  }
  return text;
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
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (const auto& [option, text] : parsed.value().repeated) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos) return core::Error{"--map is \"" + text + "\"; write --map name=name."};
    const auto m = arrayNamed(a.value().file, text.substr(0, equals), plain[0]);
    const auto n = arrayNamed(b.value().file, text.substr(equals + 1), plain[1]);
    if (!m) return m.error();
    if (!n) return n.error();
    pairs.emplace_back(m.value(), n.value());
  }
  const bool mapped = !pairs.empty();
  std::vector<std::string> only_a, only_b;
  for (std::size_t m = 0; m < a.value().file.arrays.size() && !mapped; ++m) {
    const std::string& name = a.value().file.arrays[m].name;
    const auto n = arrayNamed(b.value().file, name, plain[1]);
    if (n) pairs.emplace_back(m, n.value());
    else only_a.push_back(name);
  }
  for (std::size_t n = 0; n < b.value().file.arrays.size() && !mapped; ++n) {
    const std::string& name = b.value().file.arrays[n].name;
    if (!arrayNamed(a.value().file, name, plain[0])) only_b.push_back(name);
  }
  // One array in each: what they are called does not matter.
  if (pairs.empty() && only_a.size() == 1 && only_b.size() == 1) pairs.emplace_back(0, 0), only_a.clear(), only_b.clear();
  if (pairs.empty()) {
    return core::Error{"No array of " + plain[0] + " has the name of one in " + plain[1] + "; pair them with --map name=name."};
  }
  io::JsonWriter json;
  std::string text;
  json.beginObject().name("a").text(plain[0]).name("b").text(plain[1]).name("arrays").beginList();
  for (const auto& pair : pairs) {
    const Difference difference = compareArrays(a.value(), pair.first, b.value(), pair.second);
    writeDifference(json, difference);
    text += lineOf(difference);
  }
  json.endList();
  const auto writeNames = [&](const char* name, const std::vector<std::string>& names, const std::string& path) {
    json.name(name).beginList();
    for (const std::string& each : names) json.text(each), text += each + "\tonly in " + path + "\n";
    json.endList();
  };
  writeNames("only_a", only_a, plain[0]);
  writeNames("only_b", only_b, plain[1]);
  json.endObject();
  return Output{parsed.value().options.count("--json") > 0 ? json.take() + "\n" : text};
}

}  // namespace attn::cli
