// Queries, keys and values in the order in which a kernel reads them. Knows no masks.
#pragma once
#include <cstdint>

#include "core/streaming/kernel.h"
#include "core/streaming/streaming.h"

namespace attn::core::streaming {

// How many numbers the keys and the values of one head take.
Index packedKeys(const Inputs& inputs, const Kernel& kernel);
Index packedValues(const Inputs& inputs, const Kernel& kernel);

// Of key/value head `head`; what fills up panels and vectors is 0. Returns whether all values are finite.
void packKeys(const Inputs& inputs, const Kernel& kernel, Index head, float* out);
bool packValues(const Inputs& inputs, const Kernel& kernel, Index head, float* out);

// `rows` query rows from `row` on, times `factor`, and zeros up to whole groups.
void packQueries(const Inputs& inputs, const Kernel& kernel, Index head, Index row, Index rows, float factor, float* out);

}  // namespace attn::core::streaming
