// The index of a model that is spread over several safetensors files. Opens none of them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace attn::io {

// The names of the files that `json` (a model.safetensors.index.json) needs, each once, in order of their names, as they
// are written: labels to compare with, never paths to follow. Refuses JSON without a weight_map of texts.
core::Result<std::vector<std::string>> safetensorsFiles(std::string_view json, std::string_view file_name);

}  // namespace attn::io
