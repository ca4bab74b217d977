// Lists read, and compared with how many positions there are. See tokens.h.
#include "survey/tokens.h"

#include <algorithm>
#include <initializer_list>

#include "core/language.h"
#include "io/array_data.h"
#include "io/json.h"
#include "io/label.h"
#include "io/print_arrays.h"

namespace attn::survey {
namespace {

using opened::Axis;
using opened::Model;
using opened::Place;
using opened::Role;
using Texts = std::vector<std::string>;

constexpr std::size_t kMostTexts = std::size_t(1) << 20;

Texts linesOf(const std::string& text) {
  Texts lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    if (!lines.back().empty() && lines.back().back() == '\r') lines.back().pop_back();
    begin = end + 1;
  }
  return lines;
}

core::Result<Texts> listOf(const std::string& text) {
  if (const core::Result<io::Json> json = io::parseJson(text)) {
    Texts list;
    const auto* items = json.value().as<io::Json::Items>();
    for (std::size_t n = 0; items && n < items->size(); ++n)
      if (const auto* item = (*items)[n].as<std::string>()) list.push_back(*item);
    if (!list.empty() && list.size() == json.value().size()) return list;
    return core::Error{tr("The pasted list holds more than texts; write [\"a\", \"b\"], or one token on each line.")};
  }
  const core::Result<io::ArrayFile> file = io::readPrint(text, tr("the pasted list"), {});
  if (!file) return file.error();
  if (file.value().arrays.size() != 1 || file.value().arrays[0].type != io::ElementType::kText) {
    return core::Error{tr("The pasted list is not one list of texts; write ['a', 'b'], or one token on each line.")};
  }
  const io::MemorySource nothing({});
  const auto data = io::dataOf(nothing, file.value(), 0, io::ArrayLimits().held);
  return data ? io::readTexts(*data.value(), file.value().arrays[0], kMostTexts) : data.error();
}

// How many positions an axis has, and which array says so.
struct Counted {
  std::uint64_t count = 0;
  std::string axis, array;  // "query", "`attn`"
};

// The array of that role for a sequence: one for each, or one row of one for all; of others the first that is as long as
// there are positions.
core::Result<Texts> ofFiles(const FileSet& set, const Model& model, Role role, const Place& place, const Counted& queries,
                            const Counted& keys) {
  std::vector<std::size_t> arrays;
  for (const std::size_t n : opened::naturalOrder(set.file.arrays))
    if (model.guesses()[n].role == role && set.file.arrays[n].unreadable.empty()) arrays.push_back(n);
  if (arrays.empty()) return Texts();
  const auto fits = [&](std::size_t n) {
    const auto& shape = set.file.arrays[n].shape;
    return !shape.empty() && (shape.back() == queries.count || shape.back() == keys.count);
  };
  if (arrays.size() == model.batches()) std::rotate(arrays.begin(), arrays.begin() + static_cast<std::ptrdiff_t>(place.batch), arrays.end());
  const auto found = std::find_if(arrays.begin(), arrays.end(), fits);
  const std::size_t array = found == arrays.end() ? arrays.front() : *found;
  const io::ArrayInfo& info = set.file.arrays[array];
  const auto data = io::dataOf(*set.source, set.file, array, io::ArrayLimits().held);
  if (!data) return data.error();
  core::Result<Texts> all = io::readTexts(*data.value(), info, kMostTexts);
  if (!all || info.shape.size() < 2 || info.shape.back() == 0) return all;
  const std::size_t length = static_cast<std::size_t>(info.shape.back()), rows = all.value().size() / length;
  const std::size_t row = std::min(static_cast<std::size_t>(place.batch), rows - 1);
  const auto begin = all.value().begin() + static_cast<std::ptrdiff_t>(row * length);
  return Texts(begin, begin + static_cast<std::ptrdiff_t>(length));
}

Counted counted(const Model& model, const Place& place, Axis axis, std::initializer_list<Role> roles) {
  for (const Role role : roles) {
    const auto array = model.arrayOf(role, place.layer);
    const std::uint64_t count = array ? model.lengthOf(role, place.layer, axis) : 0;
    if (count > 0) return {count, axisWord(axis), io::ticked(model.file().arrays[*array].name)};
  }
  return {};
}

std::string mismatch(std::size_t given, const Counted& counted) {
  return tr("{0} {0|token was|tokens were} given, and the {1} axis of {2} has {3} {3|position|positions}; the positions are "
            "numbered.", {given, counted.axis, counted.array, counted.count});
}

// Tokens of a sequence that reads itself name both; where it only goes on, its last ones are the destinations.
void place(Texts given, const Counted& queries, const Counted& keys, bool steps, Tokens& out) {
  if (given.empty()) return;
  const std::uint64_t T = queries.count, S = keys.count;
  if (given.size() == T) {
    if (S == T && out.sources.empty()) out.sources = given;
    out.tokens = std::move(given);
  } else if (given.size() == S && out.sources.empty()) {
    if (steps) out.tokens = Texts(given.end() - static_cast<std::ptrdiff_t>(T), given.end());
    else out.note = tr("{0} {0|token was|tokens were} given, one for each source; the {1} {1|destination is|destinations are} "
                       "numbered.", {S, T});
    out.sources = std::move(given);
  } else {
    out.note = mismatch(given.size(), queries);
  }
}

}  // namespace

Tokens tokensFor(const FileSet& set, const Model& model, const Place& at, const std::string& pasted) {
  Tokens out;
  const std::size_t begin = pasted.find_first_not_of(" \t\r\n");
  const bool list = begin != std::string::npos && (pasted[begin] == '[' || pasted[begin] == '(');
  const Counted queries = counted(model, at, Axis::kQuery, {Role::kWeights, Role::kScores, Role::kQ, Role::kZ, Role::kY});
  const Counted keys = counted(model, at, Axis::kKey, {Role::kWeights, Role::kScores, Role::kK, Role::kV});
  core::Result<Texts> given = begin == std::string::npos ? ofFiles(set, model, Role::kTokens, at, queries, keys)
                              : list                     ? listOf(pasted)
                                                         : linesOf(pasted);
  core::Result<Texts> sources = ofFiles(set, model, Role::kSources, at, queries, keys);
  if (!given || !sources) {
    out.note = (given ? sources : given).error().message;
    return out;
  }
  if (queries.count == 0) return out;
  if (!sources.value().empty()) {
    if (sources.value().size() == keys.count) out.sources = sources.take();
    else if (keys.count > 0) out.note = mismatch(sources.value().size(), keys);
  }
  const bool steps = model.arraysOf(Role::kWeights, at.layer).size() > 1 || model.arraysOf(Role::kScores, at.layer).size() > 1;
  place(given.take(), queries, keys, steps && queries.count <= keys.count, out);
  return out;
}

}  // namespace attn::survey
