// What one element of an opened array is, and its value as a number. Knows no file format.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace attn::io {

enum class ElementType { kBool, kI8, kI16, kI32, kI64, kU8, kU16, kU32, kU64, kF16, kBF16, kF32, kF64, kText };

// "bool", "int8", …, "uint64", "float16", "bfloat16", "float32", "float64", "text".
std::string_view typeName(ElementType type);

// Bytes of one element; 0 for text, whose arrays say it themselves.
std::size_t typeBytes(ElementType type);

bool isFloating(ElementType type);

// The element that stands at `at`, with its bytes in that order, as the nearest double: exact but for integers of eight
// bytes beyond 2⁵³. A bool is 1 when its byte is not 0. Not for text.
double valueAt(const std::byte* at, ElementType type, bool big_endian);

// The same of `count` elements, one behind another.
void valuesAt(const std::byte* at, std::size_t count, ElementType type, bool big_endian, double* values);

// The exact text of a number of that type: the shortest decimal that reads back as the same bits, integers in full.
std::string valueText(const std::byte* at, ElementType type, bool big_endian);

}  // namespace attn::io
