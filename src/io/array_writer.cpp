// Elements put into the bytes of each format. See array_writer.h.
#include "io/array_writer.h"

#include <algorithm>
#include <cstring>

#include "io/json_writer.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/safetensors.h"
#include "io/text.h"

namespace attn::io {
namespace {

// An array's elements as NumPy stores them, little-endian whatever the machine.
struct Packed {
  ElementType type = ElementType::kF64;
  std::size_t characters = 0;
  std::string bytes;
};

void putNumber(std::string& bytes, std::uint64_t value, int count) {
  for (int n = 0; n < count; ++n) bytes += static_cast<char>(value >> 8 * n & 0xFF);
}

std::u32string charactersOf(std::string_view text) {
  std::u32string characters;
  while (!text.empty()) {
    const int length = characterLength(text);
    characters += length > 0 ? characterAt(text, length) : char32_t(0xFFFD);
    text.remove_prefix(static_cast<std::size_t>(length > 0 ? length : 1));
  }
  return characters;
}

Packed packedTexts(const std::vector<std::string>& texts) {
  Packed packed{ElementType::kText, 1, ""};
  std::vector<std::u32string> all;
  for (const std::string& text : texts) {
    all.push_back(charactersOf(text));
    packed.characters = std::max(packed.characters, all.back().size());
  }
  for (const std::u32string& text : all) {
    for (std::size_t n = 0; n < packed.characters; ++n) putNumber(packed.bytes, n < text.size() ? text[n] : 0, 4);
  }
  return packed;
}

Packed packed(const NamedArray& array) {
  if (const auto* texts = array.texts()) return packedTexts(*texts);
  Packed packed;
  if (const auto* flags = array.flags()) {
    packed.type = ElementType::kBool;
    for (const bool flag : *flags) packed.bytes += flag ? '\1' : '\0';
    return packed;
  }
  for (const double value : *array.numbers()) {
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    putNumber(packed.bytes, bits, 8);
  }
  return packed;
}

std::span<const std::byte> bytesOf(std::string_view text) {
  return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

template <class Use>
void nested(JsonWriter& json, const std::vector<std::uint64_t>& shape, std::size_t axis, std::size_t& next, Use use) {
  if (axis == shape.size()) return use(next++);
  json.beginList();
  for (std::uint64_t n = 0; n < shape[axis]; ++n) nested(json, shape, axis + 1, next, use);
  json.endList();
}

}  // namespace

core::Result<std::string> npyOf(const NamedArray& array) {
  const Packed data = packed(array);
  return npyHeader(data.type, array.shape, data.characters) + data.bytes;
}

core::Result<std::string> npzOf(std::span<const NamedArray> arrays) {
  std::vector<Packed> data;
  for (const NamedArray& array : arrays) data.push_back(packed(array));
  std::vector<NpzArray> members;
  for (std::size_t n = 0; n < arrays.size(); ++n) {
    members.push_back({arrays[n].name, data[n].type, arrays[n].shape, bytesOf(data[n].bytes), data[n].characters});
  }
  std::string archive;
  const core::Check failed = writeNpz(members, [&](std::span<const std::byte> bytes) -> core::Check {
    archive.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    return {};
  });
  if (failed) return *failed;
  return archive;
}

std::string safetensorsOf(std::span<const NamedArray> arrays) {
  std::vector<SafetensorsTensor> tensors;
  std::vector<Packed> data;
  for (const NamedArray& array : arrays) {
    if (array.texts()) continue;
    data.push_back(packed(array));
    tensors.push_back({array.name, data.back().type, array.shape});
  }
  std::string file = safetensorsHeader(tensors);
  for (const std::size_t n : safetensorsOrder(tensors)) file += data[n].bytes;
  return file;
}

std::string jsonOf(const NamedArray& array) {
  JsonWriter json;
  std::size_t next = 0;
  nested(json, array.shape, 0, next, [&](std::size_t n) {
    if (const auto* texts = array.texts()) json.text((*texts)[n]);
    else if (const auto* flags = array.flags()) json.flag((*flags)[n]);
    else json.number((*array.numbers())[n]);
  });
  return json.take();
}

}  // namespace attn::io
