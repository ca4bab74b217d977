// Files that torch.save writes, from PyTorch 1.6 on: a ZIP archive of storages and a pickle that says which tensors lie
// in them. Runs nothing of the pickle.
#pragma once
#include <string_view>

#include "core/result.h"
#include "io/array_file.h"

namespace attn::io {

// Tensors in dictionaries, lists, tuples and outputs of models become arrays, named by the way to them:
// "attentions.0", "layer.0.weight"; a tensor alone has the name of the file without folder and ending. Lists of texts
// become arrays of texts, held as UTF-8. Everything else is passed over with a note. Refuses, naming the file: what asks
// for names that tensors do not need, damage, and files of older versions.
core::Result<ArrayFile> readTorchFile(const ByteSource& source, std::string_view file_name,
                                      const ArrayLimits& limits = {});

}  // namespace attn::io
