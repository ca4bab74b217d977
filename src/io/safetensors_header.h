// The header of a safetensors file: JSON that says of each tensor its type, shape and place. Looks at no data and does
// not judge whether the places make sense.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/buffer.h"
#include "core/result.h"

namespace attn::io {

inline constexpr std::uint64_t kMostHeaderBytes = 16'000'000;  // the format would allow 100 million
inline constexpr std::size_t kLongestTensorName = 1000;        // bytes
inline constexpr std::size_t kMostMetadata = 10000;            // entries

struct SafetensorsEntry {
  std::string name;
  std::string type;                  // as it is written: "F32"
  std::vector<std::uint64_t> shape;  // at most kMostAxes
  std::uint64_t begin = 0, end = 0;  // from the end of the header on
};

struct SafetensorsHeader {
  std::vector<SafetensorsEntry> tensors;  // in the order of the header; no name stands twice
  std::vector<std::pair<std::string, std::string>> metadata;  // short enough to show, at most 20 of them
};

// `text` holds the header and one more byte, and is written over. Refuses, naming the file: what is no JSON of this form,
// a name that stands twice, and more than `most_tensors`.
core::Result<SafetensorsHeader> readSafetensorsHeader(core::Buffer text, std::string_view file_name,
                                                      std::size_t most_tensors);

}  // namespace attn::io
