// Any bytes as pasted numbers: refused in one sentence, or rows of which none is empty.
// Run it with scripts/fuzz pasted.
#include <cstdint>
#include <string_view>

#include "fuzz/require.h"
#include "io/pasted.h"

namespace {

using namespace attn;
using fuzz::require;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto pasted = io::readPasted({reinterpret_cast<const char*>(data), size});
  if (!pasted) {
    require(!pasted.error().message.empty() && pasted.error().message.back() == '.');
    return 0;
  }
  require(!pasted.value().rows.empty());
  for (const auto& row : pasted.value().rows) require(!row.empty());
  const auto count = static_cast<core::Index>(pasted.value().count());
  if (pasted.value().rows.size() == 1) require(io::shaped(pasted.value(), 1, count).ok());
  return 0;
}
