// Arrays out of prints with brackets, as NumPy, PyTorch and Python write them. Knows no tables.
#pragma once
#include <string_view>

#include "core/result.h"
#include "io/array_file.h"

namespace attn::io {

// Whether the text begins with a bracket that opens numbers, behind at most a name: "tensor([[", "w = np.array([".
bool looksPrinted(std::string_view text);

// Square brackets are axes; so are round ones that no name calls. Several prints are arrays with names such as
// "pasted.0". Refuses, with line and column: abbreviated prints, brackets that do not match, words among the numbers,
// and what NestedLists refuses.
core::Result<ArrayFile> readPrint(std::string_view text, std::string_view file_name, const ArrayLimits& limits);

}  // namespace attn::io
