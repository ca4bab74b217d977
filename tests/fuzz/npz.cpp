// Any bytes as a NumPy archive: refused in one sentence, or all its arrays read to their last element.
// Build with the preset `fuzz`; run, with tests/data/arrays as the first corpus:
// fuzz-npz -dict=tests/fuzz/arrays.dict -max_len=5000 -max_total_time=600 CORPUS
#include "io/npz.h"

#include "fuzz/arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  attn::fuzz::requireArrays(data, size, "fuzz.npz", attn::io::readNpz);
  return 0;
}
