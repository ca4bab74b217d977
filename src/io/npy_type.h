// The types of NumPy arrays as their headers write them: "<f4", "|b1", "<U7". Knows nothing else of the header.
#pragma once
#include <string>
#include <string_view>

#include "io/array_file.h"

namespace attn::io {

// Sets the array's type, the size of its elements, byte order and note; or `unreadable`, which names the type. An empty
// text stands for a type of several fields.
void applyNpyType(std::string_view text, ArrayInfo& array);

// As NumPy writes a little-endian array of that type.
std::string npyTypeText(ElementType type, std::size_t characters);

}  // namespace attn::io
