// A table of where classes begin, searched by halves. See unicode_class.h.
#include "model/unicode_class.h"

#include <algorithm>
#include <iterator>

#include "model/unicode_table.h"

namespace attn::model {

CharacterClass classOf(char32_t character) {
  // The last run that begins at the character or before it; no class is greater than 3.
  const auto* after = std::upper_bound(std::begin(kClassRuns), std::end(kClassRuns), std::uint32_t(character) << 2 | 3u);
  return after == std::begin(kClassRuns) ? CharacterClass::kOther : static_cast<CharacterClass>(after[-1] & 3u);
}

}  // namespace attn::model
