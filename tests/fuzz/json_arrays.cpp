// Any bytes as arrays in JSON: refused in one sentence, or arrays of which every element can be read.
// Run it with scripts/fuzz json-arrays.
#include <cstdint>

#include "fuzz/found_arrays.h"
#include "io/json_arrays.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  attn::fuzz::requireFoundArrays(attn::io::readJsonArrays, {reinterpret_cast<const char*>(data), size}, "fuzz.json");
  return 0;
}
