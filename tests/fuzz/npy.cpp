// Any bytes as a NumPy array: refused in one sentence, or read to its last element.
// Run it with scripts/fuzz npy.
#include "io/npy.h"

#include "fuzz/arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  attn::fuzz::requireArrays(data, size, "fuzz.npy", attn::io::readNpy);
  return 0;
}
