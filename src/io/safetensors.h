// safetensors files: their tensors' places, checked against the file, and the header that stands before tensors. Knows
// nothing of what the tensors are.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "io/array_file.h"

namespace attn::io {

// Reads the header alone. The tensors must cover the file exactly, as the format demands: no holes, no overlaps, nothing
// behind the last. Types that cannot be read here are listed as `unreadable`. Texts of __metadata__ become notes.
core::Result<ArrayFile> readSafetensors(const ByteSource& source, std::string_view file_name,
                                        const ArrayLimits& limits = {});

// A tensor to write; its elements stand row by row, little-endian.
struct SafetensorsTensor {
  std::string name;  // UTF-8; no two the same, none "__metadata__"
  ElementType type = ElementType::kF32;  // not text
  std::vector<std::uint64_t> shape;
};

// What stands before the data of these tensors, which follow without gaps in the order of safetensorsOrder; the same
// bytes that the safetensors package writes.
std::string safetensorsHeader(std::span<const SafetensorsTensor> tensors);

// Indices into `tensors`: the widest types first, then by name.
std::vector<std::size_t> safetensorsOrder(std::span<const SafetensorsTensor> tensors);

}  // namespace attn::io
