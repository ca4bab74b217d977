// Every operation is checked against the stack and the bytes left, and makes at most one value.
#include "io/pickle_reader.h"

#include <cassert>
#include <cstdio>

#include "core/language.h"
#include "io/label.h"

namespace attn::io {
namespace {

constexpr std::size_t kMostMarks = 10000;

// The operations that Python writes from protocol 2 on, by the names of its pickle module.
enum Operation : unsigned {
  kMark = '(', kStop = '.', kPop = '0', kPopMark = '1', kNone = 'N', kInt4 = 'J', kInt1 = 'K', kInt2 = 'M',
  kFloat8 = 'G', kUnicode4 = 'X', kString4 = 'T', kString1 = 'U', kBytes4 = 'B', kBytes1 = 'C', kGlobal = 'c',
  kReduce = 'R', kBuild = 'b', kPersistent = 'Q', kAppend = 'a', kAppends = 'e', kList = 'l', kEmptyList = ']',
  kTuple = 't', kEmptyTuple = ')', kDict = 'd', kEmptyDict = '}', kSetItem = 's', kSetItems = 'u', kGet1 = 'h',
  kGet4 = 'j', kPut1 = 'q', kPut4 = 'r', kProtocol = 0x80, kNewObject = 0x81, kTuple1 = 0x85, kTuple2 = 0x86,
  kTuple3 = 0x87, kTrue = 0x88, kFalse = 0x89, kLong1 = 0x8A, kLong4 = 0x8B, kUnicode1 = 0x8C, kUnicode8 = 0x8D,
  kBytes8 = 0x8E, kEmptySet = 0x8F, kAddItems = 0x90, kFrozenSet = 0x91, kNewObjectEx = 0x92, kStackGlobal = 0x93,
  kMemoize = 0x94, kFrame = 0x95, kByteArray8 = 0x96,
};

}  // namespace

PickleReader::PickleReader(core::Buffer bytes, std::string_view file_name, Allowed allowed, const PickleLimits& limits)
    : file_name_(file_name), allowed_(allowed), limits_(limits) {
  assert(bytes.size() < Pickle::kNoValue && limits.values < Pickle::kNoValue && limits.cells < Pickle::kNoValue);
  pickle_.bytes_ = std::move(bytes);
}

core::Result<Pickle> PickleReader::read() {
  const std::span<const std::byte> bytes = std::as_const(pickle_.bytes_).bytes();
  if (bytes.size() < 2 || std::to_integer<unsigned>(bytes[0]) != kProtocol || std::to_integer<unsigned>(bytes[1]) < 2 ||
      std::to_integer<unsigned>(bytes[1]) > 5) {
    return core::Error{tr("The list of what {0} holds is no pickle of protocol 2 to 5; save the file again with "
                          "torch.save.", {ticked(file_name_)})};
  }
  at_ = 2;
  for (;;) {
    if (at_ == bytes.size()) {
      fail(tr("ends too early"));
      return *failure_;
    }
    const auto operation = std::to_integer<unsigned>(bytes[at_++]);
    if (operation == kStop) break;
    if (!step(operation)) return *failure_;
  }
  if (core::Check failed = finish()) return *failed;
  return std::move(pickle_);
}

core::Check PickleReader::finish() {
  if (stack_.size() != 1 || marks_.size() != 0) {
    fail(tr("ends with {0} values instead of one", {stack_.size()}));
  } else if (at_ != pickle_.bytes_.size()) {
    fail(tr("goes on after its end"));
  } else {
    pickle_.root_ = stack_.back();
  }
  return failure_;
}

bool PickleReader::fail(const std::string& what) {
  failure_ = core::Error{tr("The list of what {0} holds {1} at byte {2}; the file is damaged: save it again with "
                            "torch.save.", {ticked(file_name_), what, at_})};
  return false;
}

bool PickleReader::out(core::Check failed) {
  failure_ = std::move(failed);
  return !failure_;
}

bool PickleReader::step(unsigned operation) {
  std::uint64_t value = 0;
  switch (operation) {
    case kNone:
      return push({});
    case kTrue:
    case kFalse:
      return pushInteger(operation == kTrue, Kind::kBool);
    case kInt1:
      return take(1, value) && pushInteger(static_cast<std::int64_t>(value));
    case kInt2:
      return take(2, value) && pushInteger(static_cast<std::int64_t>(value));
    case kInt4:
      return take(4, value) && pushInteger(static_cast<std::int32_t>(static_cast<std::uint32_t>(value)));
    case kLong1:
      return take(1, value) && pushLong(value);
    case kLong4:
      return take(4, value) && pushLong(value);
    case kFloat8:
      return pushFloat();
    case kFrame:
      if (!take(8, value)) return false;
      return value <= pickle_.bytes_.size() - at_ || fail(tr("has a frame that is longer than the rest"));
    case kMark:
      if (marks_.size() == kMostMarks) return fail(tr("has too many lists inside each other"));
      return out(marks_.push(static_cast<std::uint32_t>(stack_.size())));
    case kPop: {
      Id id;
      return pop(id);
    }
    case kPopMark: {
      std::size_t from;
      if (!popMark(from)) return false;
      stack_.shrink(from);
      return true;
    }
    default:
      return stepText(operation);
  }
}

bool PickleReader::stepText(unsigned operation) {
  switch (operation) {
    case kUnicode1:
    case kString1:
      return pushSlice(Kind::kText, 1);
    case kUnicode4:
    case kString4:
      return pushSlice(Kind::kText, 4);
    case kUnicode8:
      return pushSlice(Kind::kText, 8);
    case kBytes1:
      return pushSlice(Kind::kBytes, 1);
    case kBytes4:
      return pushSlice(Kind::kBytes, 4);
    case kBytes8:
    case kByteArray8:
      return pushSlice(Kind::kBytes, 8);
    default:
      return stepContainer(operation);
  }
}

bool PickleReader::stepContainer(unsigned operation) {
  std::size_t from = 0;
  switch (operation) {
    case kEmptyList:
      return gather(Kind::kList, stack_.size());
    case kEmptyTuple:
      return gather(Kind::kTuple, stack_.size());
    case kEmptyDict:
      return gather(Kind::kDict, stack_.size());
    case kEmptySet:
      return gather(Kind::kSet, stack_.size());
    case kList:
      return popMark(from) && gather(Kind::kList, from);
    case kTuple:
      return popMark(from) && gather(Kind::kTuple, from);
    case kDict:
      return popMark(from) && gather(Kind::kDict, from);
    case kFrozenSet:
      return popMark(from) && gather(Kind::kSet, from);
    case kTuple1:
    case kTuple2:
    case kTuple3: {
      const std::size_t count = operation - kTuple1 + 1;
      return has(count) && gather(Kind::kTuple, stack_.size() - count);
    }
    case kAppend:
      return has(2) && append(stack_.size() - 1);
    case kAppends:
      return popMark(from) && append(from);
    case kSetItem:
      return has(3) && setItems(stack_.size() - 2);
    case kSetItems:
      return popMark(from) && setItems(from);
    case kAddItems:
      return popMark(from) && addItems(from);
    default:
      return stepObject(operation);
  }
}

bool PickleReader::stepObject(unsigned operation) {
  Id key, named;
  switch (operation) {
    case kGlobal:
      return nameFromLines();
    case kStackGlobal:
      return nameFromStack();
    case kReduce:
    case kNewObject:
      return reduce();
    case kNewObjectEx:  // the named arguments behind the others say nothing about tensors
      return pop(named) && reduce();
    case kBuild:
      return build();
    case kPersistent: {
      if (!pop(key)) return false;
      Value value;
      value.kind = Kind::kStored;
      value.c = key;
      return push(value);
    }
    default:
      return stepMemory(operation);
  }
}

bool PickleReader::stepMemory(unsigned operation) {
  std::uint64_t index = 0;
  switch (operation) {
    case kMemoize:
      return remember(memory_.size());
    case kPut1:
      return take(1, index) && remember(index);
    case kPut4:
      return take(4, index) && remember(index);
    case kGet1:
      return take(1, index) && recall(index);
    case kGet4:
      return take(4, index) && recall(index);
    default: {
      char code[8];
      std::snprintf(code, sizeof code, "0x%02X", operation);
      return fail(tr("asks for operation {0}, which torch.save does not write,", {code}));
    }
  }
}

bool PickleReader::take(std::size_t bytes, std::uint64_t& value) {
  const std::span<const std::byte> all = std::as_const(pickle_.bytes_).bytes();
  if (bytes > all.size() - at_) return fail(tr("ends too early"));
  value = 0;
  for (std::size_t i = bytes; i-- > 0;) value = value << 8 | std::to_integer<std::uint64_t>(all[at_ + i]);
  at_ += bytes;
  return true;
}

// `length` bytes from here on.
bool PickleReader::span(std::uint64_t length, std::uint32_t& begin) {
  if (length > pickle_.bytes_.size() - at_) return fail(tr("ends too early"));
  begin = static_cast<std::uint32_t>(at_);
  at_ += static_cast<std::size_t>(length);
  return true;
}

bool PickleReader::takeLine(std::uint32_t& begin, std::uint32_t& length) {
  const std::string_view rest = pickle_.slice(static_cast<std::uint32_t>(at_),
                                              static_cast<std::uint32_t>(pickle_.bytes_.size() - at_));
  const std::size_t end = rest.find('\n');
  if (end == rest.npos) return fail(tr("ends too early"));
  begin = static_cast<std::uint32_t>(at_);
  length = static_cast<std::uint32_t>(end);
  at_ += end + 1;
  return true;
}

bool PickleReader::pushSlice(Kind kind, std::size_t length_bytes) {
  Value value;
  value.kind = kind;
  std::uint64_t length = 0;
  if (!take(length_bytes, length) || !span(length, value.a)) return false;
  value.b = static_cast<std::uint32_t>(length);
  return push(value);
}

// Two's complement of as many bytes as it needs.
bool PickleReader::pushLong(std::uint64_t length) {
  if (length > 8) {
    Value value;
    value.kind = Kind::kLarge;
    std::uint32_t begin;
    return span(length, begin) && push(value);
  }
  std::uint64_t bits = 0;
  if (!take(static_cast<std::size_t>(length), bits)) return false;
  const unsigned unused = 64 - 8 * static_cast<unsigned>(length);
  if (unused == 64) return pushInteger(0);
  return pushInteger(static_cast<std::int64_t>(bits << unused) >> unused);
}

bool PickleReader::pushFloat() {
  std::uint64_t bits = 0;
  if (!take(8, bits)) return false;
  std::uint64_t turned = 0;
  for (int i = 0; i < 8; ++i) turned = turned << 8 | (bits >> (8 * i) & 0xFF);
  return pushInteger(static_cast<std::int64_t>(turned), Kind::kFloat);
}

}  // namespace attn::io
