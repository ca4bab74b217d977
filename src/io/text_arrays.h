// Arrays out of text: tables (CSV, TSV, blanks) and prints with brackets. Knows no JSON.
#pragma once
#include <string_view>

#include "core/result.h"
#include "io/array_file.h"
#include "io/byte_source.h"

namespace attn::io {

// What readPrint and readTable read. The array is called after the file, or "pasted" where it has no name.
core::Result<ArrayFile> readTextArrays(const ByteSource& source, std::string_view file_name, const ArrayLimits& limits);

}  // namespace attn::io
