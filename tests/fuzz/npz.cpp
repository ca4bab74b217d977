// Any bytes as a NumPy archive: refused in one sentence, or all its arrays read to their last element.
// Run it with scripts/fuzz npz.
#include "io/npz.h"

#include "fuzz/arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  attn::fuzz::requireArrays(data, size, "fuzz.npz", attn::io::readNpz);
  return 0;
}
