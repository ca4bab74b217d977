// Any bytes as a NumPy array: refused in one sentence, or read to its last element.
// Build with the preset `fuzz`; run, with tests/data/arrays as the first corpus:
// fuzz-npy -dict=tests/fuzz/arrays.dict -max_len=2000 -max_total_time=600 CORPUS
#include "io/npy.h"

#include "fuzz/arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  attn::fuzz::requireArrays(data, size, "fuzz.npy", attn::io::readNpy);
  return 0;
}
