// An array file as the commands see it: opened, with what its arrays are taken for.
#pragma once
#include <memory>
#include <string>

#include "cli/arguments.h"
#include "core/result.h"
#include "io/array_file.h"
#include "opened/model.h"

namespace attn::cli {

struct Opened {
  std::unique_ptr<io::ByteSource> source;
  io::ArrayFile file;
};

// Refuses what cannot be opened, and a file whose arrays can none of them be read.
core::Result<Opened> openArrayFile(const std::string& path);

}  // namespace attn::cli
