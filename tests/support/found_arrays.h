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

// The place of the array of that name; behind the last when there is none.
inline std::size_t indexOf(const io::ArrayFile& file, std::string_view name) {
  std::size_t i = 0;
  while (i < file.arrays.size() && file.arrays[i].name != name) ++i;
  CHECK_MESSAGE(i < file.arrays.size(), "there is no array " << std::string(name));
  return i;
}

// All numbers, the last axis fastest; none when they cannot be read.
inline std::vector<double> numbersOf(const io::ArrayFile& file, std::string_view name) {
  const std::size_t index = indexOf(file, name);
  if (index == file.arrays.size()) return {};
  const io::ArrayInfo& info = file.arrays[index];
  const auto data = io::dataOf(io::MemorySource({}), file, index, 0);
  CHECK(data.ok());
  if (!data.ok()) return {};
  const auto all = io::readPlane(*data.value(), info, {info.first, 1, io::countOf(info.shape).value_or(0), 0, 1});
  CHECK_MESSAGE(all.ok(), sentence(all));
  std::vector<double> numbers;
  for (core::Index i = 0; all.ok() && i < all.value().cols(); ++i) numbers.push_back(all.value()(0, i));
  return numbers;
}

inline std::vector<std::string> textsOf(const io::ArrayFile& file, std::string_view name) {
  const std::size_t index = indexOf(file, name);
  if (index == file.arrays.size()) return {};
  const auto data = io::dataOf(io::MemorySource({}), file, index, 0);
  CHECK(data.ok());
  if (!data.ok()) return {};
  auto texts = io::readTexts(*data.value(), file.arrays[index], 1000000);
  CHECK_MESSAGE(texts.ok(), sentence(texts));
  return texts.ok() ? texts.take() : std::vector<std::string>{};
}

inline std::vector<std::string> namesOf(const io::ArrayFile& file) {
  std::vector<std::string> names;
  for (const io::ArrayInfo& info : file.arrays) names.push_back(info.name);
  return names;
}

inline std::string shapesOf(const io::ArrayFile& file) {
  std::string text;
  for (const io::ArrayInfo& info : file.arrays) {
    text += (text.empty() ? "" : " ") + info.name + ":" + io::shapeText(info.shape);
  }
  return text;
}

inline std::string notesOf(const io::ArrayFile& file) {
  std::string text;
  for (const std::string& note : file.notes) text += note + "\n";
  return text;
}

}  // namespace attn::test
