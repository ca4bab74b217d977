// Shapes, and the data of one array wherever it is. Knows no file format.
#include "io/array_file.h"

#include <cassert>

#include "core/language.h"
#include "io/deflate.h"
#include "io/label.h"

namespace attn::io {
namespace {

// Expanded data without the header before it.
class ExpandedSource final : public ByteSource {
 public:
  ExpandedSource(core::Buffer buffer, std::size_t skip) : buffer_(std::move(buffer)), skip_(skip) {}
  std::uint64_t size() const override { return buffer_.size() - skip_; }
  core::Check read(std::uint64_t offset, std::span<std::byte> into) const override {
    assert(within(offset, into.size(), size()));
    return MemorySource(buffer_.bytes().subspan(skip_)).read(offset, into);
  }

 private:
  core::Buffer buffer_;
  std::size_t skip_;
};

core::Result<std::unique_ptr<ByteSource>> expandedData(const ByteSource& source, const ArrayInfo& array,
                                                       std::uint64_t budget) {
  const auto refusal = [&](const std::string& sentence) { return core::Error{ticked(array.name) + ": " + sentence}; };
  if (!within(array.begin, array.bytes, source.size())) {
    return refusal(tr("Its compressed data reaches beyond the end of the file; copy the file again as a whole."));
  }
  const PartSource packed(source, array.begin, array.bytes);
  core::Result<core::Buffer> content = inflateAll(packed, array.expanded, array.checksum, budget);
  if (!content) return refusal(content.error().message);
  if (array.skip > content.value().size()) {
    return refusal(tr("Its data ends within its header; copy the file again as a whole."));
  }
  return std::unique_ptr<ByteSource>(
      std::make_unique<ExpandedSource>(content.take(), static_cast<std::size_t>(array.skip)));
}

}  // namespace

std::optional<std::uint64_t> countOf(const std::vector<std::uint64_t>& shape) {
  constexpr std::uint64_t kMost = INT64_MAX;
  if (shape.size() > kMostAxes) return std::nullopt;
  std::uint64_t count = 1;
  for (const std::uint64_t length : shape)
    if (length == 0) return 0;
  for (const std::uint64_t length : shape) {
    if (length > kMost / count) return std::nullopt;
    count *= length;
  }
  return count;
}

// Of an empty array strides may wrap: no element is ever looked for.
std::vector<std::uint64_t> rowMajor(const std::vector<std::uint64_t>& shape) {
  std::vector<std::uint64_t> strides(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

std::vector<std::uint64_t> columnMajor(const std::vector<std::uint64_t>& shape) {
  std::vector<std::uint64_t> strides(shape.size(), 1);
  for (std::size_t axis = 1; axis < shape.size(); ++axis) strides[axis] = strides[axis - 1] * shape[axis - 1];
  return strides;
}

std::string shapeText(const std::vector<std::uint64_t>& shape) {
  if (shape.empty()) return tr("one number");
  std::string text;
  for (const std::uint64_t length : shape) {
    if (!text.empty()) text += "×";
    text += std::to_string(length);
  }
  return text;
}

core::Result<std::unique_ptr<ByteSource>> dataOf(const ByteSource& source, const ArrayFile& file, std::size_t index,
                                                 std::uint64_t budget) {
  assert(index < file.arrays.size());
  const ArrayInfo& array = file.arrays[index];
  assert(array.unreadable.empty());
  switch (array.where) {
    case ArrayInfo::Where::kDeflated: return expandedData(source, array, budget);
    case ArrayInfo::Where::kHeld:
      assert(array.begin < file.held.size());
      return std::unique_ptr<ByteSource>(
          std::make_unique<MemorySource>(file.held[static_cast<std::size_t>(array.begin)].bytes()));
    case ArrayInfo::Where::kFile: break;
  }
  if (!within(array.begin, array.bytes, source.size())) {
    return core::Error{tr("{0}: Its data reaches beyond the end of the file; copy the file again as a whole.",
                          {ticked(array.name)})};
  }
  return std::unique_ptr<ByteSource>(std::make_unique<PartSource>(source, array.begin, array.bytes));
}

}  // namespace attn::io
