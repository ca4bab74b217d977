// See array_named.h.
#include "opened/array_named.h"

#include <vector>

#include "core/language.h"
#include "io/label.h"

namespace attn::opened {

core::Result<std::size_t> arrayNamed(const io::ArrayFile& file, const std::string& name, const std::string& label) {
  constexpr std::size_t kNamed = 10;
  std::vector<std::string> names;
  for (std::size_t n = 0; n < file.arrays.size(); ++n) {
    if (file.arrays[n].name == name) return n;
    names.push_back(file.arrays[n].name);
  }
  return core::Error{tr("{0} has no array {1}; its arrays are {2}.",
                        {label, name, names.empty() ? tr("none") : io::listed(names, kNamed)})};
}

}  // namespace attn::opened
