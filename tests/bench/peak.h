// The most that a core can compute with one instruction set, for figures that are told as parts of it.
#pragma once

namespace attn::bench {

// One multiplication and one addition count as two; of single precision, as many sums side by side as keep all units busy.
// 0 where this is not known: another kernel's name (core/streaming/kernel.h), or a processor of another kind.
double peakFlopsPerSecond(const char* kernel);

// Of the calling thread, in seconds: a machine that others use too does not count against it.
double threadSeconds();

}  // namespace attn::bench
