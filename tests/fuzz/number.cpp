// Any bytes as a number that a person writes: nothing, or a finite number that reads back from all its printed forms.
// Run it with scripts/fuzz number.
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/number.h"
#include "fuzz/require.h"

namespace {

using namespace attn;
using fuzz::require;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::optional<double> value = core::parseNumber(text);
  if (!value) return 0;
  require(std::isfinite(*value));
  require(core::parseNumber(core::fullText(*value)) == *value);
  require(core::parseNumber(core::machineText(*value)) == *value);
  const std::optional<std::string> exact = core::exactText(*value);
  if (!exact) return 0;
  const std::optional<double> again = core::parseNumber(*exact);
  require(again.has_value());
  require(std::abs(*again - *value) <= 2e-13 * std::abs(*value));
  return 0;
}
