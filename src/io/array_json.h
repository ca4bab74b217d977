// Numbers and texts as lists of JSON, a matrix as a list of its rows. Knows no field.
#pragma once
#include <string>
#include <vector>

#include "core/tensor.h"
#include "io/json_writer.h"

namespace attn::io {

void writeList(JsonWriter& out, const core::Matrix<double>& rows);
void writeList(JsonWriter& out, const core::RowVector<double>& numbers);
void writeList(JsonWriter& out, const std::vector<std::string>& texts);

}  // namespace attn::io
