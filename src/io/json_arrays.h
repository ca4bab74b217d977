// Arrays out of JSON: lists of numbers inside each other, and objects of such lists. Knows no attention.
#pragma once
#include <string_view>

#include "core/result.h"
#include "io/array_file.h"
#include "io/byte_source.h"

namespace attn::io {

// A list of numbers, or of lists of numbers that all have one shape, is an array of float64; of texts, an array of
// texts. Members of objects give names with dots: "attention.all.attn"; an object in a list is called after its member
// `name`, or its place. A list alone is called after the file. Lists of different shapes side by side become arrays of
// their own ("3.0"), but numbers in rows that are not equally long are no array. NaN, Infinity and −Infinity are numbers,
// null among numbers is NaN, true and false are 1 and 0.
// What is no array is passed over with a note. Refuses, naming the file, with line and column: what is not JSON, what
// holds no array, names that stand twice, more than the limits, and an example document of this program.
core::Result<ArrayFile> readJsonArrays(const ByteSource& source, std::string_view file_name, const ArrayLimits& limits);

}  // namespace attn::io
