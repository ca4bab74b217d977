// Benchmarks of maps of attention.
#pragma once

namespace attn::bench {

// Prints, of one thread and 131,072 positions of width 64, how near the pyramid and tiles come to the pairs that
// multiplying and adding in vectors of four allow, and how long moments take. False, with a message, without the memory.
bool benchMap();

}  // namespace attn::bench
