// Arrays as files and as text to paste. Knows nothing of what they mean; tokens are escaped as each format asks.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "io/named_array.h"

namespace attn::io {

// Numbers as float64, flags as bool, texts as UTF-32: what NumPy reads back bit for bit.
core::Result<std::string> npyOf(const NamedArray& array);
core::Result<std::string> npzOf(std::span<const NamedArray> arrays);

// Numbers as F64, flags as BOOL; texts, which the format does not have, are left out.
std::string safetensorsOf(std::span<const NamedArray> arrays);

// Nested lists; numbers with all their digits, non-finite ones as the texts "-inf", "inf", "nan".
std::string jsonOf(const NamedArray& array);

// What stands beside rows and above columns; empty lists: nothing.
struct TableLabels {
  std::span<const std::string> rows, columns;
};

// One table of at most two axes; refuses more. Cells that a spreadsheet would take for a formula get an apostrophe before
// them, and white space in labels is shown as ␣, ⏎ and ⇥ in Markdown and LaTeX.
core::Result<std::string> separatedOf(const NamedArray& array, const TableLabels& labels, char separator);
core::Result<std::string> markdownOf(const NamedArray& array, const TableLabels& labels);
core::Result<std::string> latexOf(const NamedArray& array, const TableLabels& labels);

}  // namespace attn::io
