// What the readers of text promise of any bytes: one sentence, or arrays of which every element can be read.
#pragma once
#include <string_view>

#include "fuzz/require.h"
#include "io/array_data.h"
#include "io/array_file.h"

namespace attn::fuzz {

inline void requireAllRead(const io::ByteSource& data, const io::ArrayInfo& info) {
  core::Result<io::Scan> scan = io::Scan::over(data, info);
  require(scan.ok());
  while (scan.value().step(1000)) {
  }
  require(!scan.value().failure() && scan.value().summary().count == io::countOf(info.shape));
  const std::size_t axes = info.shape.size();
  if (info.type == io::ElementType::kText) {
    require(io::readTexts(data, info, 1 << 20).ok());
  } else if (io::countOf(info.shape) > 0) {
    const auto plane = io::planeOf(info, axes > 1 ? axes - 2 : io::kNoAxis, axes > 0 ? axes - 1 : io::kNoAxis,
                                   std::vector<std::uint64_t>(axes, 0));
    require(plane.ok() && io::readPlane(data, info, plane.value()).ok());
  }
}

template <class Reader>
void requireFoundArrays(Reader reader, std::string_view bytes, std::string_view name) {
  const io::MemorySource source(std::as_bytes(std::span(bytes.data(), bytes.size())));
  io::ArrayLimits limits;
  limits.held = 1 << 20;
  limits.arrays = 50;
  const core::Result<io::ArrayFile> file = reader(source, name, limits);
  if (!file) {
    requireSentence(file.error());
    require(file.error().message.back() == '.');
    return;
  }
  require(!file.value().arrays.empty() && file.value().arrays.size() <= limits.arrays);
  for (std::size_t i = 0; i < file.value().arrays.size(); ++i) {
    const io::ArrayInfo& info = file.value().arrays[i];
    require(!info.name.empty() && info.shape.size() == info.strides.size() && io::countOf(info.shape).has_value());
    if (!info.unreadable.empty()) continue;
    const auto data = io::dataOf(source, file.value(), i, limits.held);
    require(data.ok());
    requireAllRead(*data.value(), info);
  }
}

}  // namespace attn::fuzz
