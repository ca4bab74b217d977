// The stored answers of PyTorch and the formula for what was asked. Computes no attention itself.
#include "core/module_reference.h"

#include <cstdint>

namespace attn::core {
namespace {

#include "core/module_reference.inc"

// Evenly spread in [−1/2, 1/2): the upper 24 bits of splitmix64 at (stream, n), exact in single precision.
float valueAt(std::uint64_t stream, std::uint64_t n) {
  std::uint64_t z = ((stream << 32) + n + 1) * 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return static_cast<float>(static_cast<double>((z ^ (z >> 31)) >> 40) * 0x1p-24 - 0.5);
}

Matrix<float> formula(std::uint64_t stream, float scale, Index rows, Index columns, Index first = 0) {
  Matrix<float> m(rows, columns);
  for (Index n = 0; n < m.size(); ++n) m.data()[n] = scale * valueAt(stream, static_cast<std::uint64_t>(first + n));
  return m;
}

Matrix<float> stored(const float* from, Index rows, Index columns) {
  return Eigen::Map<const Matrix<float>>(from, rows, columns);
}

}  // namespace

MultiHeadModule<float> referenceModule() {
  constexpr Index D = kReferenceWidth;
  return {kReferenceHeads, true, formula(1, 0.25f, D, 3 * D), formula(2, 0.25f, 1, 3 * D), formula(3, 0.25f, D, D),
          formula(4, 0.25f, 1, D)};
}

std::vector<Matrix<float>> referenceInput() {
  constexpr Index kSize = kReferenceTokens * kReferenceWidth;
  std::vector<Matrix<float>> batch;
  for (Index b = 0; b < kReferenceBatch; ++b)
    batch.push_back(formula(5, 4, kReferenceTokens, kReferenceWidth, b * kSize));
  return batch;
}

const char* referenceVersion() { return kVersion; }

std::vector<Matrix<float>> referenceOutput() {
  constexpr Index kSize = kReferenceTokens * kReferenceWidth;
  std::vector<Matrix<float>> batch;
  for (Index b = 0; b < kReferenceBatch; ++b)
    batch.push_back(stored(kOutput + b * kSize, kReferenceTokens, kReferenceWidth));
  return batch;
}

std::vector<std::vector<Matrix<float>>> referenceWeights() {
  constexpr Index kSize = kReferenceTokens * kReferenceTokens;
  std::vector<std::vector<Matrix<float>>> batch;
  for (Index b = 0; b < kReferenceBatch; ++b) {
    batch.emplace_back();
    for (Index h = 0; h < kReferenceHeads; ++h)
      batch.back().push_back(stored(kWeights + (b * kReferenceHeads + h) * kSize, kReferenceTokens, kReferenceTokens));
  }
  return batch;
}

}  // namespace attn::core
