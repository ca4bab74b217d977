// The weights of a model by their names, out of the arrays of a file, with the shapes that the model asks for. Knows no
// model and no format of files.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/half_matrix.h"
#include "core/result.h"
#include "core/tensor.h"
#include "io/array_data.h"
#include "io/array_file.h"
#include "io/byte_source.h"

namespace attn::model {

// What went wrong first is kept in failure(), and all that is read after it is empty.
class Weights {
 public:
  // `prefix` may stand before every name, in all of the file or in none of it.
  Weights(const io::ByteSource& source, const io::ArrayFile& file, std::string_view prefix);

  const core::Check& failure() const { return failure_; }
  void fail(std::string message);

  bool has(std::string_view name) const { return find(name) != nullptr; }

  // Of a matrix whose sides are not known yet; (0, 0) where there is none.
  std::pair<core::Index, core::Index> sidesOf(const std::string& name);

  // Read a few MB at a time and rounded to float16; a number that float16 has not is refused. A number of a row need
  // only be finite.
  core::HalfMatrix matrix(const std::string& name, core::Index rows, core::Index columns);
  core::RowVector<float> row(const std::string& name, core::Index columns);

  // A type that matrices had in the file and that float16 cannot hold exactly; nothing when all were float16.
  std::optional<io::ElementType> rounded() const { return rounded_; }

 private:
  const io::ArrayInfo* find(std::string_view name) const;
  const io::ArrayInfo* need(const std::string& name);
  // Null when the array is not there, cannot be read or has another shape.
  std::unique_ptr<io::ByteSource> dataOf(const std::string& name, const std::vector<std::uint64_t>& shape);
  // Empty when they cannot be read.
  core::Matrix<float> numbersOf(const io::ByteSource& data, const io::ArrayInfo& array, const io::Plane& plane);

  const io::ByteSource& source_;
  const io::ArrayFile& file_;
  std::string_view prefix_;
  std::optional<io::ElementType> rounded_;
  core::Check failure_;
};

}  // namespace attn::model
