// Benchmarks of maps of attention.
#pragma once

namespace attn::bench {

// Prints, of one thread and 131,072 positions of width 64, how near the pyramid comes to the pairs that the machine's widest
// vectors allow, and how long moments and a view take. False, with a message, without the memory.
bool benchMap();

}  // namespace attn::bench
