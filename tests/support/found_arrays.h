// What tests of readers of text look at: the arrays of a file as plain values.
#pragma once
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "io/array_data.h"
#include "io/array_file.h"
#include "io/byte_source.h"

namespace attn::test {

using Reader = core::Result<io::ArrayFile> (*)(const io::ByteSource&, std::string_view, const io::ArrayLimits&);

inline core::Result<io::ArrayFile> readWith(Reader reader, std::string_view text, std::string_view name,
                                            const io::ArrayLimits& limits = {}) {
  return reader(io::MemorySource(std::as_bytes(std::span(text.data(), text.size()))), name, limits);
}

inline bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

template <class T>
std::string sentence(const core::Result<T>& result) {
  return result ? std::string("read") : result.error().message;
}

inline std::size_t indexOf(const io::ArrayFile& file, std::string_view name) {
  for (std::size_t i = 0; i < file.arrays.size(); ++i) {
    if (file.arrays[i].name == name) return i;
  }
  FAIL("there is no array " << std::string(name));
  return 0;
}

// All numbers, the last axis fastest.
inline std::vector<double> numbersOf(const io::ArrayFile& file, std::string_view name) {
  const io::ArrayInfo& info = file.arrays[indexOf(file, name)];
  const auto data = io::dataOf(io::MemorySource({}), file, indexOf(file, name), 0);
  REQUIRE(data.ok());
  std::vector<double> numbers;
  const std::uint64_t count = io::countOf(info.shape).value();
  const auto all = io::readPlane(*data.value(), info, {info.first, 1, count, 0, 1});
  REQUIRE_MESSAGE(all.ok(), sentence(all));
  for (core::Index i = 0; i < all.value().cols(); ++i) numbers.push_back(all.value()(0, i));
  return numbers;
}

inline std::vector<std::string> textsOf(const io::ArrayFile& file, std::string_view name) {
  const io::ArrayInfo& info = file.arrays[indexOf(file, name)];
  const auto data = io::dataOf(io::MemorySource({}), file, indexOf(file, name), 0);
  REQUIRE(data.ok());
  auto texts = io::readTexts(*data.value(), info, 1000000);
  REQUIRE_MESSAGE(texts.ok(), sentence(texts));
  return texts.take();
}

inline std::vector<std::string> namesOf(const io::ArrayFile& file) {
  std::vector<std::string> names;
  for (const io::ArrayInfo& info : file.arrays) names.push_back(info.name);
  return names;
}

inline std::string shapesOf(const io::ArrayFile& file) {
  std::string text;
  for (const io::ArrayInfo& info : file.arrays) text += (text.empty() ? "" : " ") + info.name + ":" + io::shapeText(info.shape);
  return text;
}

inline std::string notesOf(const io::ArrayFile& file) {
  std::string text;
  for (const std::string& note : file.notes) text += note + "\n";
  return text;
}

}  // namespace attn::test
