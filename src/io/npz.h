// NumPy archives: a ZIP file whose members are .npy arrays. Knows nothing inside either of them.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "io/array_file.h"
#include "io/zip.h"

namespace attn::io {

// Reads the directory and the headers. Arrays are named as their members without ".npy", and stand in the order of the
// directory. A damaged array is `unreadable`; what is no array is passed over with a note.
core::Result<ArrayFile> readNpz(const ByteSource& source, std::string_view file_name, const ArrayLimits& limits = {});

// Whether a stored array of an archive and its header agree with their checksum, for which all of them is read. Deflated
// ones are checked as they are expanded.
core::Check checkContent(const ByteSource& source, const ArrayInfo& array);

// An array to write, its elements row by row, little-endian; texts are of `characters` UTF-32 characters each.
struct NpzArray {
  std::string_view name = {};  // without ".npy"
  ElementType type = ElementType::kF32;
  std::vector<std::uint64_t> shape = {};
  std::span<const std::byte> data = {};
  std::size_t characters = 0;
};

// The archive without compression, as numpy.load reads it. Refuses only what the sink refuses.
core::Check writeNpz(std::span<const NpzArray> arrays, const ZipWriter::Sink& sink);

}  // namespace attn::io
