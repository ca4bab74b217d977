// Where a command's example comes from: a built-in by its id, otherwise a file.
#pragma once
#include <string>

#include "core/result.h"
#include "lesson/example.h"

namespace attn::cli {

core::Result<lesson::Example> readExample(const std::string& id_or_path);

}  // namespace attn::cli
