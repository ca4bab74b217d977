// Arrays looked up by the names that people write. Knows no roles.
#pragma once
#include <string>

#include "core/result.h"
#include "io/array_file.h"

namespace attn::opened {

// The index of the array of that name. Refuses a name that is not there, naming the file as `label` and what it has.
core::Result<std::size_t> arrayNamed(const io::ArrayFile& file, const std::string& name, const std::string& label);

}  // namespace attn::opened
