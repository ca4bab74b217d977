// Numbers and texts out of an array and its data: one plane, all texts, or a walk over everything. Knows no file format
// and no attention. Data is read in windows of at most 1 MB, in the order in which it is stored.
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/tensor.h"
#include "io/array_file.h"
#include "io/byte_source.h"
#include "io/data_window.h"

namespace attn::io {

// Elements first + row·row_stride + column·column_stride of an array's data.
struct Plane {
  std::uint64_t first = 0;
  std::uint64_t rows = 0, columns = 0;
  std::uint64_t row_stride = 0, column_stride = 0;
};

inline constexpr std::size_t kNoAxis = std::numeric_limits<std::size_t>::max();

// The plane that two axes of the array span, all others fixed at `indices`, which has one number for each axis (those
// of the two axes are not looked at). With kNoAxis for an axis the plane has one row, or one column. Refuses an axis
// that the array has not, one that is given twice, too few indices, and an index beyond the end.
core::Result<Plane> planeOf(const ArrayInfo& info, std::size_t row_axis, std::size_t column_axis,
                            const std::vector<std::uint64_t>& indices);

// The numbers of a plane, as doubles. `data` is what dataOf gives. Refuses texts, a plane that goes beyond the data,
// what cannot be read, and a matrix for which there is no memory (tried with a Buffer of that size before Eigen takes
// it).
core::Result<core::Matrix<double>> readPlane(const ByteSource& data, const ArrayInfo& info, const Plane& plane);

inline constexpr std::uint64_t kMostTextBytes = std::uint64_t(16) << 20;

// All texts of an array of texts, the last index fastest, without the zeros that pad them. Halves of characters and
// numbers beyond U+10FFFF become U+FFFD; bytes that are no UTF-8 stay as they are. Refuses more than `limit` texts, and
// texts that have more than kMostTextBytes together.
core::Result<std::vector<std::string>> readTexts(const ByteSource& data, const ArrayInfo& info, std::size_t limit);

// What all elements of an array have in common.
struct ScanSummary {
  std::uint64_t count = 0;  // elements seen so far, those below among them; texts are only counted
  std::uint64_t nan = 0, plus_infinity = 0, minus_infinity = 0, zeros = 0;
  std::uint64_t finite = 0;
  double min = 0, max = 0;  // of the finite; only when there is one
  // FNV-1a, 64 bits, of the elements' bytes in the order of storage. Not the CRC of archives: it has to tell arrays
  // apart, not to find damage, and 32 bits make chance twins among a few thousand arrays.
  std::uint64_t checksum = 14695981039346656037u;
};

// Goes over all elements in the order of storage, whatever the order of the axes, a part at a time. An element that a
// stride of 0 repeats counts as often as it stands in the array; what lies in gaps is not seen.
class Scan {
 public:
  // `data` must live longer. Refuses an array that goes beyond its data.
  static core::Result<Scan> over(const ByteSource& data, const ArrayInfo& info);

  // Goes on by at most `elements` (at least 1). False when nothing is left, or when `failure` says what went wrong.
  bool step(std::size_t elements);

  const ScanSummary& summary() const { return summary_; }
  const core::Check& failure() const { return failure_; }
  std::uint64_t total() const { return total_; }

 private:
  Scan(const ByteSource& data, const ArrayInfo& info);
  bool one(std::uint64_t element, std::uint64_t run);  // the first of a run
  void count(double value);

  DataWindow window_;
  ElementType type_;
  std::size_t element_bytes_;
  bool big_endian_;
  ElementWalk walk_;
  std::uint64_t total_ = 0, dense_end_ = 0;
  ScanSummary summary_;
  core::Check failure_;
};

}  // namespace attn::io
