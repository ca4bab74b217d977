// Benchmarks of maps of attention.
#pragma once

namespace attn::bench {

// Prints how fast one thread fills a pyramid of 131,072 positions of width 64, beside the peak of multiplying and adding
// that bounds it, and how long moments and tiles take. False, with a message, when there is no memory.
bool benchMap();

}  // namespace attn::bench
