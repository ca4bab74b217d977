// Any bytes as a safetensors file and as its index: refused in one sentence, or every tensor can be read to its end.
// Run it with scripts/fuzz safetensors.
#include <cstdint>
#include <string_view>

#include "fuzz/arrays.h"
#include "fuzz/require.h"
#include "io/safetensors.h"
#include "io/safetensors_index.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attn;
  fuzz::requireArrays(data, size, "x.safetensors", io::readSafetensors);
  const auto files = io::safetensorsFiles({reinterpret_cast<const char*>(data), size}, "x.json");
  if (files) {
    fuzz::require(!files.value().empty());
  } else {
    fuzz::requireSentence(files.error());
  }
  return 0;
}
