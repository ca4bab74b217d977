// What a table in text is like, before its numbers are read. Takes no memory that grows with the text.
#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace attn::io {

struct TableShape {
  char delimiter = ',';                 // see TextCells
  bool header = false, labels = false;  // names in the first line, in the first column
  std::size_t lines = 0, cells = 0;     // lines of numbers; cells of such a line, numbers or not
  std::size_t trailing = 0;             // 1 where every line ends with a delimiter
  std::size_t corner = 0;               // 1 where the first line has a cell above the names of rows
  std::vector<std::size_t> gaps;        // how many blank lines there are between lines, growing

  std::size_t columns() const { return cells - trailing - labels; }  // at least 1
};

// Refuses, with the line: lines that are not equally long, abbreviated tables, and what has no numbers. Whether every
// cell is a number shows when it is read.
core::Result<TableShape> tableShape(std::string_view text, std::string_view file_name);

}  // namespace attn::io
