// Arrays out of tables in text: CSV, TSV, columns between blanks. Knows no brackets.
#pragma once
#include <string_view>

#include "core/result.h"
#include "io/array_file.h"

namespace attn::io {

// The numbers as one array, called after the file; names in the first line as the texts "columns", names in the first
// column as "rows". `ending` is of the file's name. Blank lines between equally many lines make a third axis, longer
// gaps between those a fourth. An empty cell is NaN, with a note. Refuses, with the line: lines that are not equally
// long, cells that are no numbers, abbreviated tables, and decimal commas together with points.
core::Result<ArrayFile> readTable(std::string_view text, std::string_view file_name, const ArrayLimits& limits);

}  // namespace attn::io
