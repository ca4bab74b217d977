// A computation as a Python program that gives the same numbers: with the standard library alone, NumPy or PyTorch.
#pragma once
#include <cstdint>
#include <string>

#include "core/trace.h"
#include "lesson/example.h"

namespace attn::lesson {

enum class Dialect : std::uint8_t { kPlain, kNumpy, kTorch };

// The data first, with the mask as an array named `allowed` (true = may be read), then a program that is the same for
// every example. What edits have put into computed arrays is part of the data. It prints weights, z, y and the residual
// sum as JSON.
std::string pythonCode(const Example& example, const core::Trace<double>& trace, Dialect dialect);

}  // namespace attn::lesson
