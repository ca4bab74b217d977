// Looks a file up in the table that scripts/ship.cmake writes. See shipped.h.
#include "disk/shipped.h"

#include <algorithm>
#include <iterator>

#include "disk/shipped_files.h"

namespace attn::disk {

std::optional<std::string_view> shippedFile(const std::string& path) {
  const auto* found = std::find_if(std::begin(kShipped), std::end(kShipped), [&](const Shipped& file) { return file.path == path; });
  if (found == std::end(kShipped)) return std::nullopt;
  return std::string_view(found->begin, static_cast<std::size_t>(found->end - found->begin));
}

}  // namespace attn::disk
