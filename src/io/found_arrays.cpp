// What NestedLists has found, as an ArrayFile. See nested_lists.h.
#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>
#include <utility>

#include "core/language.h"
#include "io/label.h"
#include "io/nested_lists.h"

namespace attn::io {
namespace {

std::uint32_t lengthAt(const std::byte* at) {
  std::uint32_t length = 0;
  std::memcpy(&length, at, sizeof length);
  return length;
}

}  // namespace

bool NestedLists::emit(const Shape& shape, std::uint64_t numbers, std::size_t& texts, std::string name) {
  if (name.size() > kLongestName) {
    note(tr("An array is passed over, because its name begins with {0} and is longer than {1} bytes.",
            {ticked(name), kLongestName}));
    return true;
  }
  if (out_.arrays.size() == limits_.arrays) {
    return fail(tr("{0} holds more than {1} arrays; make lists of one shape, which are one array.",
                   {file_, limits_.arrays}));
  }
  ArrayInfo info;
  info.name = std::move(name);
  info.shape.assign(shape.lengths.begin(), shape.lengths.begin() + static_cast<std::ptrdiff_t>(shape.axes));
  std::reverse(info.shape.begin(), info.shape.end());
  info.strides = rowMajor(info.shape);
  info.where = ArrayInfo::Where::kHeld;
  if (shape.text) {
    info.type = ElementType::kText;
    if (core::Check none = hold(info, shape.count(), texts)) return fail(none->message);
  } else {
    info.type = ElementType::kF64;
    info.element_bytes = sizeof(double);
    info.first = numbers;
    info.bytes = shape.count() * sizeof(double);
  }
  out_.arrays.push_back(std::move(info));
  return true;
}

// Puts the next `count` texts from `texts` on into a Buffer, padded to the length of the longest.
core::Check NestedLists::hold(ArrayInfo& info, std::uint64_t count, std::size_t& texts) {
  std::uint64_t longest = 1;
  std::size_t end = texts;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint32_t length = lengthAt(texts_.bytes().data() + end);
    longest = std::max<std::uint64_t>(longest, length);
    end += sizeof length + length;
  }
  const std::size_t begin = std::exchange(texts, end);
  if (count > (limits_.held - std::min(held_bytes_, limits_.held)) / longest ||
      count > std::numeric_limits<std::size_t>::max() / longest) {
    info.unreadable = tr("The texts {0}, all padded to the longest, need more memory than the limit of {1}; shorten "
                         "the longest.", {ticked(info.name), core::bytesText(limits_.held)});
    return {};
  }
  core::Result<core::Buffer> padded = core::Buffer::allocate(static_cast<std::size_t>(count * longest));
  if (!padded) return padded.error();
  held_bytes_ += count * longest;
  std::byte* to = padded.value().bytes().data();
  for (std::size_t at = begin; at < end;) {
    const std::uint32_t length = lengthAt(texts_.bytes().data() + at);
    std::memcpy(to, texts_.bytes().data() + at + sizeof length, length);
    std::memset(to + length, 0, static_cast<std::size_t>(longest) - length);
    to += longest;
    at += sizeof length + length;
  }
  info.element_bytes = static_cast<std::size_t>(longest);
  info.begin = out_.held.size();
  info.bytes = count * longest;
  out_.held.push_back(padded.take());
  return {};
}

core::Result<ArrayFile> NestedLists::finish(std::string_view format, const std::string& root_name) {
  assert(used_ == 0);
  if (failure_) return *failure_;
  if (out_.arrays.empty()) return core::Error{nothingFound()};
  nameRoots(root_name);
  if (core::Check twice = uniqueNames()) return *twice;
  const bool any = std::any_of(out_.arrays.begin(), out_.arrays.end(),
                               [](const ArrayInfo& info) { return info.type != ElementType::kText; });
  if (any) {
    for (ArrayInfo& info : out_.arrays) {
      if (info.type != ElementType::kText) info.begin = out_.held.size();
    }
    if (core::Check none = numbers_.resize(static_cast<std::size_t>(number_count_ * sizeof(double)))) return *none;
    out_.held.push_back(std::move(numbers_));
  }
  if (passed_count_ > 0) {
    std::string names;
    for (const std::string& name : passed_) names += (names.empty() ? "" : ", ") + name;
    if (passed_count_ > passed_.size()) names = tr("{0} and {1} more", {names, passed_count_ - passed_.size()});
    out_.notes.push_back(tr("Passed over, because they are no lists: {0}.", {names}));
  }
  if (nulls_ > 0) out_.notes.push_back(tr("{0} times null is read as NaN.", {nulls_}));
  if (flags_ > 0) out_.notes.push_back(tr("true and false are read as 1 and 0."));
  if (notes_left_out_ > 0) out_.notes.push_back(tr("Passed over are {0} more.", {notes_left_out_}));
  out_.format = format;
  return std::move(out_);
}

std::string NestedLists::nothingFound() const {
  if (!out_.notes.empty()) {
    const std::string& note = out_.notes.front();
    return note.find(file_) != std::string::npos ? note : tr("{0} holds no array: {1}", {file_, note});
  }
  return attention_missing_ ? tr("{0} holds no list of numbers or texts; give lists such as [[0.25, 0.75], [1, 0]], and "
                                 "where attention is null, load the model with attn_implementation=\"eager\".", {file_})
                            : tr("{0} holds no list of numbers or texts; give lists such as [[0.25, 0.75], [1, 0]].",
                                 {file_});
}

void NestedLists::nameRoots(const std::string& root_name) {
  const auto count = std::count_if(out_.arrays.begin(), out_.arrays.end(),
                                   [](const ArrayInfo& info) { return info.name.empty(); });
  std::size_t number = 0;
  for (ArrayInfo& info : out_.arrays) {
    if (info.name.empty()) info.name = root_name + (count > 1 ? "." + std::to_string(number++) : "");
  }
}

core::Check NestedLists::uniqueNames() const {
  std::vector<std::string_view> names;
  for (const ArrayInfo& info : out_.arrays) names.push_back(info.name);
  std::sort(names.begin(), names.end());
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return {};
  return core::Error{tr("Two arrays of {0} are called {1}; keep one of them, or rename it.", {file_, ticked(*twice)})};
}

}  // namespace attn::io
