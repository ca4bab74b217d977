// See trained_model.h.
#include "support/trained_model.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "io/array_data.h"
#include "support/array_files.h"

namespace attn::test {

model::DecoderFile trainedModel() {
  const std::string bytes = arrayFile("../../../web/data/model.safetensors");
  const io::MemorySource source(bytesOf(bytes));
  const core::Result<io::ArrayFile> file = io::openArrays(source, "model.safetensors");
  REQUIRE_MESSAGE(file.ok(), (file ? "" : file.error().message));
  core::Result<model::DecoderFile> read = model::readDecoder(source, file.value());
  REQUIRE_MESSAGE(read.ok(), (read ? "" : read.error().message));
  return read.take();
}

Reference::Reference(const std::string& name) : bytes_(arrayFile(name)), source_(bytesOf(bytes_)) {
  core::Result<io::ArrayFile> file = io::openArrays(source_, name);
  REQUIRE(file.ok());
  file_ = file.take();
}

core::Matrix<double> Reference::matrix(const std::string& name, std::vector<std::uint64_t> indices) const {
  const auto found = std::find_if(file_.arrays.begin(), file_.arrays.end(),
                                  [&name](const io::ArrayInfo& array) { return array.name == name; });
  REQUIRE_MESSAGE(found != file_.arrays.end(), name);
  const std::size_t axes = found->shape.size();
  indices.resize(axes, 0);
  const auto plane = io::planeOf(*found, axes == 1 ? io::kNoAxis : axes - 2, axes - 1, indices);
  REQUIRE(plane.ok());
  const auto data = io::dataOf(source_, file_, static_cast<std::size_t>(found - file_.arrays.begin()), 1 << 20);
  REQUIRE(data.ok());
  auto numbers = io::readPlane(*data.value(), *found, plane.value());
  REQUIRE(numbers.ok());
  return numbers.take();
}

std::vector<core::Index> Reference::tokens(const std::string& name) const {
  std::vector<core::Index> tokens;
  const core::Matrix<double> numbers = matrix(name);
  for (core::Index t = 0; t < numbers.cols(); ++t) tokens.push_back(static_cast<core::Index>(numbers(0, t)));
  return tokens;
}

double difference(const core::Matrix<float>& a, const core::Matrix<double>& b) {
  REQUIRE(a.rows() == b.rows());
  REQUIRE(a.cols() == b.cols());
  return (a.cast<double>() - b).cwiseAbs().maxCoeff();
}

}  // namespace attn::test
