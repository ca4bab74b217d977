// Compares the places of all tensors with each other and with the file, before anybody looks at one.
#include "io/safetensors.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

#include "core/language.h"
#include "io/label.h"
#include "io/little_endian.h"
#include "io/safetensors_header.h"
#include "io/text.h"

namespace attn::io {
namespace {

constexpr std::uint64_t kLengthBytes = 8, kFormatHeaderBytes = 100'000'000;

struct Type {
  std::string_view name;
  unsigned bits;
  ElementType type = ElementType::kText;  // text where it cannot be read
};

// In the order of the format, which sorts by it when it writes.
constexpr Type kTypes[] = {
    {"BOOL", 8, ElementType::kBool}, {"F4", 4},          {"F6_E2M3", 6},
    {"F6_E3M2", 6},                  {"U8", 8, ElementType::kU8},    {"I8", 8, ElementType::kI8},
    {"F8_E5M2", 8},                  {"F8_E4M3", 8},     {"F8_E8M0", 8},
    {"F8_E4M3FNUZ", 8},              {"F8_E5M2FNUZ", 8}, {"I16", 16, ElementType::kI16},
    {"U16", 16, ElementType::kU16},  {"F16", 16, ElementType::kF16}, {"BF16", 16, ElementType::kBF16},
    {"I32", 32, ElementType::kI32},  {"U32", 32, ElementType::kU32}, {"F32", 32, ElementType::kF32},
    {"C64", 64},                     {"F64", 64, ElementType::kF64}, {"I64", 64, ElementType::kI64},
    {"U64", 64, ElementType::kU64},
};

const Type* typeNamed(std::string_view name) {
  const auto found = std::find_if(std::begin(kTypes), std::end(kTypes), [name](const Type& t) { return t.name == name; });
  return found == std::end(kTypes) ? nullptr : &*found;
}

std::size_t typeOrder(ElementType type) {
  const auto found = std::find_if(std::begin(kTypes), std::end(kTypes), [type](const Type& t) { return t.type == type; });
  return static_cast<std::size_t>(found - std::begin(kTypes));
}

std::string digits(std::uint64_t value) { return std::to_string(value); }

std::string bytesInFull(std::uint64_t bytes) { return tr("{0} {0|byte|bytes}", {bytes}); }

// The eight bytes at the beginning: the length of the header, which lies within the file.
core::Result<std::uint64_t> headerLength(const ByteSource& source, std::string_view file_name) {
  const std::uint64_t size = source.size();
  if (size < kLengthBytes + 2) {
    return core::Error{tr("{0} has only {1}, too few for a safetensors file; copy it again as a whole.",
                          {ticked(file_name), bytesInFull(size)})};
  }
  std::byte raw[kLengthBytes];
  if (core::Check failed = source.read(0, raw)) return *failed;
  const auto length = littleEndian<std::uint64_t>(raw, 0);
  if (length > kFormatHeaderBytes) {
    return core::Error{tr("{0} claims a header of {1}, more than the {2} of the format; it is damaged or no "
                          "safetensors file.", {ticked(file_name), bytesInFull(length), kFormatHeaderBytes})};
  }
  if (!within(kLengthBytes, length, size)) {
    return core::Error{tr("{0} claims a header of {1}, but only {2} follow; it is cut off: copy it again as a whole.",
                          {ticked(file_name), bytesInFull(length), bytesInFull(size - kLengthBytes)})};
  }
  if (length > kMostHeaderBytes) {
    return core::Error{tr("{0} has a header of {1}; at most {2} are read here: save fewer tensors in one file.",
                          {ticked(file_name), core::bytesText(length), core::bytesText(kMostHeaderBytes)})};
  }
  return length;
}

class Places {
 public:
  Places(const std::vector<SafetensorsEntry>& tensors, std::string_view file_name)
      : tensors_(tensors), file_name_(file_name) {}

  // Whether the tensors cover `data_bytes` bytes from 0 on, each as many as its type and shape ask for.
  core::Check check(std::uint64_t data_bytes) const {
    std::vector<const SafetensorsEntry*> sorted;
    for (const SafetensorsEntry& tensor : tensors_) sorted.push_back(&tensor);
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
      return std::pair(a->begin, a->end) < std::pair(b->begin, b->end);
    });
    const SafetensorsEntry* last = nullptr;
    for (const SafetensorsEntry* tensor : sorted) {
      if (core::Check wrong = checkPlace(*tensor, last)) return wrong;
      if (core::Check wrong = checkSize(*tensor)) return wrong;
      last = tensor;
    }
    return checkEnd(last, data_bytes);
  }

 private:
  core::Error damaged(const std::string& what) const {
    return core::Error{tr("In {0}, {1}; the file is damaged: save it again.", {ticked(file_name_), what})};
  }

  core::Check checkPlace(const SafetensorsEntry& tensor, const SafetensorsEntry* last) const {
    const std::uint64_t from = last ? last->end : 0;
    if (tensor.end < tensor.begin) {
      return damaged(tr("tensor {0} begins at byte {1} and ends before it, at byte {2}",
                        {ticked(tensor.name), tensor.begin, tensor.end}));
    }
    if (tensor.begin > from) {
      const std::string unused = bytesInFull(tensor.begin - from), name = ticked(tensor.name);
      return damaged(last ? tr("{0} between the end of {1} and {2} belong to no tensor", {unused, ticked(last->name), name})
                          : tr("{0} between the beginning of the data and {1} belong to no tensor", {unused, name}));
    }
    if (tensor.begin < from) {
      return damaged(tr("tensors {0} and {1} overlap: the one ends at byte {2}, the other begins at byte {3}",
                        {ticked(last->name), ticked(tensor.name), from, tensor.begin}));
    }
    return {};
  }

  // A type that the format does not know has no size to compare with.
  core::Check checkSize(const SafetensorsEntry& tensor) const {
    const Type* type = typeNamed(tensor.type);
    const std::optional<std::uint64_t> count = countOf(tensor.shape);
    if (!count) return damaged(tr("tensor {0} has a shape with more elements than can be counted", {ticked(tensor.name)}));
    if (!type) return {};
    if (*count > std::numeric_limits<std::uint64_t>::max() / type->bits) {
      return damaged(tr("tensor {0} of shape {1} has more bytes than can be counted",
                        {ticked(tensor.name), shapeText(tensor.shape)}));
    }
    const std::uint64_t bits = *count * type->bits, bytes = bits / 8;
    if (bits % 8 != 0) {
      return damaged(tr("tensor {0} of type {1} does not end with a whole byte", {ticked(tensor.name), tensor.type}));
    }
    if (bytes != tensor.end - tensor.begin) {
      return damaged(tr("tensor {0} of type {1} and shape {2} needs {3} but has {4}",
                        {ticked(tensor.name), tensor.type, shapeText(tensor.shape), bytesInFull(bytes),
                         tensor.end - tensor.begin}));
    }
    return {};
  }

  core::Check checkEnd(const SafetensorsEntry* last, std::uint64_t data_bytes) const {
    const std::uint64_t end = last ? last->end : 0;
    if (end > data_bytes) {
      return core::Error{tr("Tensor {0} of {1} ends at byte {2} of the data, but the file has only {3}; it is cut "
                            "off: copy it again as a whole.",
                            {ticked(last->name), ticked(file_name_), end, data_bytes})};
    }
    if (end < data_bytes) {
      const std::string file = ticked(file_name_), rest = bytesInFull(data_bytes - end);
      return core::Error{last ? tr("{0} goes on for {1} after the last tensor, where a safetensors file ends; save it again "
                                   "with the safetensors package.", {file, rest})
                              : tr("{0} goes on for {1} after the header, which lists no tensor, where a safetensors file "
                                   "ends; save it again with the safetensors package.", {file, rest})};
    }
    return {};
  }

  const std::vector<SafetensorsEntry>& tensors_;
  std::string_view file_name_;
};

ArrayInfo infoOf(const SafetensorsEntry& tensor, std::uint64_t data_begin) {
  ArrayInfo info;
  info.name = labelText(tensor.name, kLongestTensorName);
  info.shape = tensor.shape;
  info.strides = rowMajor(tensor.shape);
  info.begin = data_begin + tensor.begin;
  info.bytes = tensor.end - tensor.begin;
  const Type* type = typeNamed(tensor.type);
  if (type && type->type != ElementType::kText) {
    info.type = type->type;
    info.element_bytes = typeBytes(type->type);
  } else {
    info.unreadable = tr("{0} has elements of type {1}, which cannot be read here; save it as float32.",
                         {ticked(tensor.name), tensor.type});
  }
  return info;
}

// As serde_json writes texts.
void appendQuoted(std::string& json, std::string_view text) {
  constexpr std::string_view kEscaped = "\"\\\b\f\n\r\t", kLetters = "\"\\bfnrt", kDigits = "0123456789abcdef";
  json += '"';
  for (const char c : text) {
    if (const std::size_t at = kEscaped.find(c); at != kEscaped.npos) {
      json += '\\';
      json += kLetters[at];
    } else if (const auto code = static_cast<unsigned char>(c); code < 0x20) {
      json += "\\u00";
      json += kDigits[code >> 4];
      json += kDigits[code & 15];
    } else {
      json += c;
    }
  }
  json += '"';
}

}  // namespace

core::Result<ArrayFile> readSafetensors(const ByteSource& source, std::string_view file_name,
                                        const ArrayLimits& limits) {
  const core::Result<std::uint64_t> length = headerLength(source, file_name);
  if (!length) return length.error();
  core::Result<core::Buffer> text = core::Buffer::allocate(static_cast<std::size_t>(length.value()) + 1);
  if (!text) return text.error();
  const std::span<std::byte> into = text.value().bytes().first(static_cast<std::size_t>(length.value()));
  if (core::Check failed = source.read(kLengthBytes, into)) return *failed;
  core::Result<SafetensorsHeader> header = readSafetensorsHeader(text.take(), file_name, limits.arrays);
  if (!header) return header.error();

  const std::uint64_t data_begin = kLengthBytes + length.value();
  const Places places(header.value().tensors, file_name);
  if (core::Check wrong = places.check(source.size() - data_begin)) return *wrong;
  ArrayFile file;
  file.format = "safetensors";
  for (const SafetensorsEntry& tensor : header.value().tensors) file.arrays.push_back(infoOf(tensor, data_begin));
  for (const auto& entry : header.value().metadata) file.notes.push_back(entry.first + ": " + entry.second);
  return file;
}

std::vector<std::size_t> safetensorsOrder(std::span<const SafetensorsTensor> tensors) {
  std::vector<std::size_t> order(tensors.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [tensors](std::size_t a, std::size_t b) {
    const std::size_t left = typeOrder(tensors[a].type), right = typeOrder(tensors[b].type);
    return left != right ? left > right : tensors[a].name < tensors[b].name;
  });
  return order;
}

std::string safetensorsHeader(std::span<const SafetensorsTensor> tensors) {
  std::string json = "{";
  std::uint64_t offset = 0;
  for (const std::size_t index : safetensorsOrder(tensors)) {
    const SafetensorsTensor& tensor = tensors[index];
    assert(tensor.type != ElementType::kText && countOf(tensor.shape));
    if (json.size() > 1) json += ',';
    appendQuoted(json, tensor.name);
    json.append(":{\"dtype\":\"").append(kTypes[typeOrder(tensor.type)].name).append("\",\"shape\":[");
    for (std::size_t i = 0; i < tensor.shape.size(); ++i) json.append(i > 0 ? "," : "").append(digits(tensor.shape[i]));
    const std::uint64_t end = offset + *countOf(tensor.shape) * typeBytes(tensor.type);
    json.append("],\"data_offsets\":[").append(digits(offset)).append(",").append(digits(end)).append("]}");
    offset = end;
  }
  json += '}';
  json.append((kLengthBytes - json.size() % kLengthBytes) % kLengthBytes, ' ');
  std::string header;
  appendLittleEndian<std::uint64_t>(header, json.size());
  return header + json;
}

}  // namespace attn::io
