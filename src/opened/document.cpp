// Fields written one after the other; what they must be is the document reader's business.
#include "opened/document.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <span>
#include <vector>

#include "core/language.h"
#include "io/array_data.h"
#include "io/json_writer.h"
#include "io/label.h"

namespace attn::opened {
namespace {

constexpr std::string_view kInputs[] = {"x", "wq", "wk", "wv"};
constexpr std::string_view kGiven[] = {"q", "k", "v"};
// Beside what is projected, and beside what is given.
constexpr std::string_view kProjected[] = {"x", "x_sources", "wq", "wk", "wv", "bq", "bk", "bv"};
constexpr std::string_view kOthers[] = {"wo", "bo", "scale", "temperature", "softcap", "sink", "alibi", "bias"};

class Writer {
 public:
  Writer(const io::ByteSource& source, const io::ArrayFile& file, std::uint64_t budget)
      : source_(source), file_(file), budget_(budget) {}

  const io::ArrayInfo* find(std::string_view name) const {
    for (const io::ArrayInfo& array : file_.arrays) {
      if (array.name == name && array.unreadable.empty()) return &array;
    }
    return nullptr;
  }
  bool hasAll(std::span<const std::string_view> names) const {
    return std::all_of(names.begin(), names.end(), [&](std::string_view name) { return find(name) != nullptr; });
  }

  // Nested lists of its numbers, or of true and false.
  core::Check put(std::string_view name, std::string_view field, bool flags) {
    const io::ArrayInfo* array = find(name);
    if (!array || array->type == io::ElementType::kText) return {};
    json.name(field);
    std::vector<std::uint64_t> indices(array->shape.size(), 0);
    core::Result<std::unique_ptr<io::ByteSource>> data = dataOf(*array);
    if (!data) return data.error();
    return nested(*data.value(), *array, indices, 0, flags);
  }

  core::Result<std::vector<std::string>> texts(std::string_view name) const {
    const io::ArrayInfo* array = find(name);
    if (!array || array->type != io::ElementType::kText) return std::vector<std::string>();
    const core::Result<std::unique_ptr<io::ByteSource>> data = dataOf(*array);
    if (!data) return data.error();
    return io::readTexts(*data.value(), *array, kMostPositions);
  }

  // 1/√d_k is what a document without a scale means, and there it rounds once less.
  bool isUsualScale(std::string_view width_of) const {
    const io::ArrayInfo *scale = find("scale"), *vectors = find(width_of);
    if (!scale || !vectors || !scale->shape.empty() || vectors->shape.empty()) return false;
    const auto data = dataOf(*scale);
    if (!data) return false;
    const auto number = io::readPlane(*data.value(), *scale, {0, 1, 1, 1, 1});
    return number && number.value()(0, 0) == 1 / std::sqrt(static_cast<double>(vectors->shape.back()));
  }

  void putTexts(std::string_view field, const std::vector<std::string>& texts) {
    json.name(field).beginList();
    for (const std::string& text : texts) json.text(text);
    json.endList();
  }

  io::JsonWriter json;

 private:
  static constexpr std::size_t kMostPositions = 1 << 20;

  core::Result<std::unique_ptr<io::ByteSource>> dataOf(const io::ArrayInfo& array) const {
    return io::dataOf(source_, file_, static_cast<std::size_t>(&array - file_.arrays.data()), budget_);
  }

  core::Check nested(const io::ByteSource& data, const io::ArrayInfo& array, std::vector<std::uint64_t>& indices,
                     std::size_t axis, bool flags) {
    const std::size_t rank = array.shape.size();
    if (axis + 1 < rank) {
      json.beginList();
      for (indices[axis] = 0; indices[axis] < array.shape[axis]; ++indices[axis]) {
        if (core::Check failed = nested(data, array, indices, axis + 1, flags)) return failed;
      }
      indices[axis] = 0;
      json.endList();
      return {};
    }
    const core::Result<io::Plane> plane = io::planeOf(array, io::kNoAxis, rank == 0 ? io::kNoAxis : rank - 1, indices);
    if (!plane) return plane.error();
    const core::Result<core::Matrix<double>> row = io::readPlane(data, array, plane.value());
    if (!row) return row.error();
    if (rank > 0) json.beginList();
    for (core::Index j = 0; j < row.value().cols(); ++j) {
      if (flags) json.flag(row.value()(0, j) != 0);
      else json.number(row.value()(0, j));
    }
    if (rank > 0) json.endList();
    return {};
  }

  const io::ByteSource& source_;
  const io::ArrayFile& file_;
  std::uint64_t budget_;
};

std::string namesOf(const io::ArrayFile& file) {
  constexpr std::size_t kMost = 10;
  std::vector<std::string> names;
  for (const io::ArrayInfo& array : file.arrays) names.push_back(io::ticked(array.name));
  return names.empty() ? tr("none") : io::listed(names, kMost);
}

std::vector<std::string> numbered(std::uint64_t count) {
  std::vector<std::string> tokens;
  for (std::uint64_t n = 0; n < count; ++n) tokens.push_back(std::to_string(n));
  return tokens;
}

std::uint64_t positionsOf(const io::ArrayInfo* array) {
  return !array || array->shape.size() < 2 ? 0 : array->shape[array->shape.size() - 2];
}

// What all arrays together would take as text, about 20 bytes a number.
core::Check tooLarge(const io::ArrayFile& file, std::string_view file_name, std::uint64_t budget) {
  double bytes = 0;
  for (const io::ArrayInfo& array : file.arrays) bytes += 20 * static_cast<double>(io::countOf(array.shape).value_or(0));
  if (bytes <= static_cast<double>(budget)) return {};
  return core::Error{tr("{0} is too large for an example, whose every number is kept: it would take {1} of the {2} allowed; take "
                        "fewer heads or positions.",
                        {io::ticked(file_name), core::bytesText(static_cast<unsigned long long>(std::min(bytes, 1e18))),
                         core::bytesText(budget)})};
}

}  // namespace

core::Result<std::string> documentJson(const io::ByteSource& source, const io::ArrayFile& file, std::string_view file_name,
                                       std::uint64_t budget) {
  if (core::Check large = tooLarge(file, file_name, budget)) return *large;
  Writer writer(source, file, budget);
  const bool projected = writer.hasAll(kInputs);
  if (!projected && !writer.hasAll(kGiven)) {
    return core::Error{tr("{0} is no example: it takes q, k and v, or x, wq, wk and wv; its arrays are {1}.",
                          {io::ticked(file_name), namesOf(file)})};
  }
  core::Result<std::vector<std::string>> tokens = writer.texts("tokens"), sources = writer.texts("sources");
  if (!tokens) return tokens.error();
  if (!sources) return sources.error();
  const std::uint64_t T = positionsOf(writer.find(projected ? "x" : "q"));
  const std::uint64_t S = projected && !writer.find("x_sources") ? T : positionsOf(writer.find(projected ? "x_sources" : "k"));
  if (tokens.value().empty()) tokens = numbered(T);
  if (sources.value().empty() && S != T) sources = numbered(S);
  writer.json.beginObject().name("attnscope").number(1);
  writer.putTexts("tokens", tokens.value());
  if (!sources.value().empty() && sources.value() != tokens.value()) writer.putTexts("sources", sources.value());
  const auto put = [&](std::span<const std::string_view> names) -> core::Check {
    for (const std::string_view name : names) {
      if (name == "scale" && writer.isUsualScale(projected ? "wq" : "q")) continue;
      if (core::Check failed = writer.put(name, name, false)) return failed;
    }
    return {};
  };
  if (core::Check failed = put(projected ? std::span<const std::string_view>(kProjected) : std::span<const std::string_view>(kGiven))) return *failed;
  if (core::Check failed = put(kOthers)) return *failed;
  if (writer.find("allowed")) {
    writer.json.name("mask").beginObject();
    if (core::Check failed = writer.put("allowed", "allowed", true)) return *failed;
    writer.json.endObject();
  }
  writer.json.endObject();
  return writer.json.take();
}

}  // namespace attn::opened
