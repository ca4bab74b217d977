// A module, its input and what PyTorch's nn.MultiheadAttention makes of them in single precision, to compare with.
// Written by tests/data/make_module_reference.py. Computes no attention itself.
#pragma once
#include <vector>

#include "core/multi_head_module.h"

namespace attn::core {

inline constexpr Index kReferenceBatch = 2, kReferenceTokens = 12, kReferenceWidth = 64, kReferenceHeads = 4;

// Weights and inputs follow from a formula and are exact in single precision; only the answers are stored.
MultiHeadModule<float> referenceModule();
std::vector<Matrix<float>> referenceInput();  // 2 of 12×64

// The version of PyTorch that answered.
const char* referenceVersion();
std::vector<Matrix<float>> referenceOutput();                // 2 of 12×64
std::vector<std::vector<Matrix<float>>> referenceWeights();  // 2 of 4 of 12×12

}  // namespace attn::core
