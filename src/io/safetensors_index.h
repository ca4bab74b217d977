// The index of a model that is spread over several safetensors files. Opens none of these.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "io/byte_source.h"

namespace attn::io {

// The names of the files that `json` (a model.safetensors.index.json) needs, each once, in order of their names, as they
// are written: labels to compare with, never paths to follow. Refuses JSON without a weight_map of texts.
core::Result<std::vector<std::string>> safetensorsFiles(std::string_view json, std::string_view file_name);

// By its name, in small or capital letters: "model.safetensors.index.json".
bool isSafetensorsIndex(std::string_view file_name);

// The same out of a file of at most 16 MiB.
core::Result<std::vector<std::string>> readSafetensorsIndex(const ByteSource& source, std::string_view file_name);

}  // namespace attn::io
