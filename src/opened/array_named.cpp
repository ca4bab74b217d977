// See array_named.h.
#include "opened/array_named.h"

namespace attn::opened {

core::Result<std::size_t> arrayNamed(const io::ArrayFile& file, const std::string& name, const std::string& label) {
  constexpr std::size_t kNamed = 10;
  std::string names;
  for (std::size_t n = 0; n < file.arrays.size(); ++n) {
    if (file.arrays[n].name == name) return n;
    if (n < kNamed) names += (n ? ", " : "") + file.arrays[n].name;
  }
  if (file.arrays.size() > kNamed) names += " and " + std::to_string(file.arrays.size() - kNamed) + " more";
  return core::Error{label + " has no array " + name + "; its arrays are " + (names.empty() ? "none" : names) + "."};
}

}  // namespace attn::opened
