// Arrays with the names of an example document's fields, as that document.
#pragma once
#include <string>

#include "core/result.h"
#include "io/array_file.h"

namespace attn::opened {

// The document as JSON, its numbers with all their digits: q, k and v, or x with wq, wk and wv where all of these are
// there (T×d, or heads×T×d); of the other fields those that are there, `allowed` as the mask's. Without texts named
// `tokens` and `sources` the positions are numbered. Arrays with other names are left alone. Refuses a file that has
// neither, naming what it has, and arrays of more than `budget` bytes together.
core::Result<std::string> documentJson(const io::ByteSource& source, const io::ArrayFile& file, std::string_view file_name,
                                       std::uint64_t budget);

}  // namespace attn::opened
