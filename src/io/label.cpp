// What makes a name fit for a sentence: short, one line, well-formed.
#include "io/label.h"

#include "io/text.h"

namespace attn::io {

std::string ticked(std::string_view name) { return "`" + labelText(name, 80) + "`"; }

}  // namespace attn::io
