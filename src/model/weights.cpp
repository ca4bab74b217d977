// Rows of arrays as float16 and floats. See weights.h.
#include "model/weights.h"

#include <algorithm>

#include "core/buffer.h"
#include "core/language.h"
#include "core/number.h"
#include "io/label.h"

namespace attn::model {
namespace {

using core::Index;
using Shape = std::vector<std::uint64_t>;

constexpr std::uint64_t kArrayBudget = std::uint64_t(1) << 30;
constexpr Index kSliceNumbers = Index(1) << 18;  // at a time: 2 MB as doubles

std::uint64_t size(Index n) { return static_cast<std::uint64_t>(n); }

}  // namespace

Weights::Weights(const io::ByteSource& source, const io::ArrayFile& file, std::string_view prefix)
    : source_(source), file_(file) {
  for (const io::ArrayInfo& array : file.arrays)
    if (array.name.starts_with(prefix)) prefix_ = prefix;
}

void Weights::fail(std::string message) {
  if (!failure_) failure_ = core::Error{std::move(message)};
}

// Some names never have the prefix: in GPT-2, that of lm_head.weight.
const io::ArrayInfo* Weights::find(std::string_view name) const {
  for (const io::ArrayInfo& array : file_.arrays)
    if (array.name == name || array.name == std::string(prefix_).append(name)) return &array;
  return nullptr;
}

const io::ArrayInfo* Weights::need(const std::string& name) {
  const io::ArrayInfo* array = find(name);
  if (!array) {
    fail(tr("The model has no array {0}; save the model again as GPT-2 is saved.", {io::ticked(std::string(prefix_) + name)}));
  } else if (!array->unreadable.empty()) {
    fail(array->unreadable);
  }
  return failure_ ? nullptr : array;
}

std::pair<Index, Index> Weights::sidesOf(const std::string& name) {
  const io::ArrayInfo* array = need(name);
  if (!array) return {0, 0};
  if (array->shape.size() != 2 || array->shape[0] == 0 || array->shape[1] == 0) {
    fail(tr("{0} has shape {1} and should be a matrix; save the model again as GPT-2 is saved.",
            {io::ticked(name), io::shapeText(array->shape)}));
    return {0, 0};
  }
  return {static_cast<Index>(array->shape[0]), static_cast<Index>(array->shape[1])};
}

std::unique_ptr<io::ByteSource> Weights::dataOf(const std::string& name, const Shape& shape) {
  const io::ArrayInfo* array = need(name);
  if (!array) return nullptr;
  if (array->shape != shape) {
    fail(tr("{0} has shape {1}, but the other arrays ask for {2}; save the model again as GPT-2 is saved.",
            {io::ticked(array->name), io::shapeText(array->shape), io::shapeText(shape)}));
    return nullptr;
  }
  auto data = io::dataOf(source_, file_, static_cast<std::size_t>(array - file_.arrays.data()), kArrayBudget);
  if (!data) return fail(data.error().message), nullptr;
  return data.take();
}

core::Matrix<float> Weights::numbersOf(const io::ByteSource& data, const io::ArrayInfo& array, const io::Plane& plane) {
  const auto numbers = io::readPlane(data, array, plane);
  if (!numbers) return fail(numbers.error().message), core::Matrix<float>();
  // Eigen ends the program where there is no memory, so ask first.
  if (auto probe = core::Buffer::allocate(static_cast<std::size_t>(numbers.value().size()) * sizeof(float)); !probe)
    return fail(probe.error().message), core::Matrix<float>();
  return numbers.value().cast<float>();
}

core::HalfMatrix Weights::matrix(const std::string& name, Index rows, Index columns) {
  const std::unique_ptr<io::ByteSource> data = dataOf(name, {size(rows), size(columns)});
  if (!data) return {};
  const io::ArrayInfo& array = *find(name);
  if (array.type != io::ElementType::kF16) rounded_ = array.type;
  auto room = core::HalfMatrix::allocate(rows, columns);
  if (!room) return fail(room.error().message), core::HalfMatrix();
  core::HalfMatrix matrix = room.take();
  const Index slice = std::max<Index>(1, kSliceNumbers / columns);
  for (Index first = 0; first < rows; first += slice) {
    const Index count = std::min(slice, rows - first);
    const io::Plane plane{array.first + size(first) * array.strides[0], size(count), size(columns), array.strides[0],
                          array.strides[1]};
    const core::Matrix<float> numbers = numbersOf(*data, array, plane);
    if (failure_) return {};
    const std::optional<float> unfit = matrix.setRows(first, numbers);
    if (!unfit) continue;
    fail(tr("{0} holds {1}, but matrices are kept as float16, whose numbers go to 65504; save the model again without such "
            "numbers.", {io::ticked(array.name), core::fullText(*unfit)}));
    return {};
  }
  return matrix;
}

core::RowVector<float> Weights::row(const std::string& name, Index columns) {
  const std::unique_ptr<io::ByteSource> data = dataOf(name, {size(columns)});
  if (!data) return {};
  const io::ArrayInfo& array = *find(name);
  const core::Matrix<float> numbers = numbersOf(*data, array, {array.first, 1, size(columns), 0, array.strides[0]});
  if (!numbers.allFinite())
    fail(tr("{0} holds numbers that are not finite; save the model again without them.", {io::ticked(array.name)}));
  if (failure_) return {};
  return numbers;
}

}  // namespace attn::model
