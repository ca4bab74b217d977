// Where a command's example comes from: a built-in by its id, otherwise a file.
#pragma once
#include <string>

#include "core/result.h"
#include "lesson/example.h"

namespace attn::cli {

// The whole file. Refuses a missing or unreadable one, a directory, and one larger than a document may be.
core::Result<std::string> readFile(const std::string& path);

core::Result<lesson::Example> readExample(const std::string& id_or_path);

}  // namespace attn::cli
