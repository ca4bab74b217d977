// The model of this repository, and arrays that PyTorch has made with its weights, by name.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "io/array_file.h"
#include "model/decoder_file.h"

namespace attn::test {

model::DecoderFile trainedModel();

// A file in tests/data/arrays; whatever cannot be read fails the test.
class Reference {
 public:
  explicit Reference(const std::string& name);

  // The last two axes, at these indices of those before; one axis is a row.
  core::Matrix<double> matrix(const std::string& name, std::vector<std::uint64_t> indices = {}) const;
  std::vector<core::Index> tokens(const std::string& name) const;

 private:
  std::string bytes_;
  io::MemorySource source_;
  io::ArrayFile file_;
};

// Largest |a − b|; other shapes fail the test.
double difference(const core::Matrix<float>& a, const core::Matrix<double>& b);

}  // namespace attn::test
