// The arrays of one file, whatever its format: their names, types, shapes, and where their elements are. Opening reads
// directories and headers only; elements are read when somebody asks for them. Knows no attention.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/buffer.h"
#include "core/result.h"
#include "io/byte_source.h"
#include "io/element_type.h"

namespace attn::io {

inline constexpr std::size_t kMostAxes = 32;

// One array. Element (i0, i1, …) is number first + Σ i·stride of those in its data.
struct ArrayInfo {
  enum class Where {
    kFile,      // `bytes` bytes of the file from `begin` on
    kDeflated,  // the same, compressed; expanded they are `expanded` bytes, of which the first `skip` are a header
    kHeld,      // ArrayFile::held[begin], because the format is text
  };

  std::string name;
  ElementType type = ElementType::kF32;
  std::size_t element_bytes = 4;  // of text: of one text, padded with zeros
  bool big_endian = false;
  bool wide_text = false;  // text as UTF-32, as NumPy's U; otherwise UTF-8 or any bytes, as its S
  std::vector<std::uint64_t> shape;    // () is one element
  std::vector<std::uint64_t> strides;  // in elements, as many as axes
  std::uint64_t first = 0;

  Where where = Where::kFile;
  std::uint64_t begin = 0, bytes = 0;
  std::uint64_t expanded = 0, skip = 0;
  std::uint32_t checksum = 0;  // CRC-32 of all expanded bytes, as the archive gives it

  std::string unreadable;  // one sentence that says why it cannot be read, or empty
  std::string note;        // what a reader should know: "stored as <V2, read as bfloat16", or empty
};

struct ArrayFile {
  std::string format;  // "NumPy array", "NumPy archive", "safetensors", "PyTorch file", "JSON", "text"
  std::vector<ArrayInfo> arrays;  // as the file has them
  std::vector<core::Buffer> held;  // of text formats: doubles row by row, or texts as UTF-8, padded with zeros
  std::vector<std::string> notes;  // about the file: what was passed over
};

// The product of a shape; nothing when it has more than 2⁶³ − 1 elements or more than kMostAxes axes.
std::optional<std::uint64_t> countOf(const std::vector<std::uint64_t>& shape);
// Strides of elements that stand row by row (last axis fastest), or column by column (first axis fastest).
std::vector<std::uint64_t> rowMajor(const std::vector<std::uint64_t>& shape);
std::vector<std::uint64_t> columnMajor(const std::vector<std::uint64_t>& shape);
// "12×1024×1024", "5", "one number" for ().
std::string shapeText(const std::vector<std::uint64_t>& shape);

// What an opened file may hold in memory; the file itself is not held.
struct ArrayLimits {
  std::uint64_t held = std::uint64_t(512) << 20;  // bytes
  std::size_t arrays = 10000;
};

// Tells the format by the first bytes, then by the ending of the name. Refuses, in one sentence that names the file, what
// is none of these formats or damaged. An array that cannot be read does not hinder the others: it says so itself. A
// file without arrays is empty, with a note that says what to do.
core::Result<ArrayFile> openArrays(const ByteSource& source, std::string_view file_name, const ArrayLimits& limits = {});

// The bytes of one array's data, expanded where they are compressed (then they are held, and refused above `budget`
// bytes). `source` and `file` must live longer. Only for an array that is not `unreadable`.
core::Result<std::unique_ptr<ByteSource>> dataOf(const ByteSource& source, const ArrayFile& file, std::size_t index,
                                                 std::uint64_t budget);

}  // namespace attn::io
