// What makes a name fit for a sentence: short, one line, well-formed.
#include "io/label.h"

#include <algorithm>

#include "core/language.h"
#include "io/text.h"

namespace attn::io {

std::string ticked(std::string_view name) { return "`" + labelText(name, 80) + "`"; }

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t n = 0; n < std::min(names.size(), most); ++n) text += (n > 0 ? ", " : "") + names[n];
  return names.size() <= most ? text : tr("{0} and {1} more", {text, names.size() - most});
}

std::string withoutTicks(std::string_view sentence) {
  std::string text;
  while (true) {
    const std::size_t first = sentence.find('`'), second = first == sentence.npos ? first : sentence.find('`', first + 1);
    if (second == sentence.npos) return text.append(sentence);
    text.append(sentence.substr(0, first)).append(sentence.substr(first + 1, second - first - 1));
    sentence.remove_prefix(second + 1);
  }
}

}  // namespace attn::io
