// Any bytes as a table or a print: refused in one sentence, or arrays of which every element can be read.
// Run it with scripts/fuzz text-arrays.
#include <cstdint>

#include "fuzz/found_arrays.h"
#include "io/text_arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const char* const names[] = {"fuzz.csv", "fuzz.tsv", ""};
  const char* const name = names[size > 0 ? data[0] % 3 : 0];  // the first byte is read as well
  attn::fuzz::requireFoundArrays(attn::io::readTextArrays, {reinterpret_cast<const char*>(data), size}, name);
  return 0;
}
