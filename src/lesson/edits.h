// Edit lists on examples: carried out, and written into documents. Knows no State and no history.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/edit.h"
#include "core/result.h"
#include "lesson/example.h"

namespace attn::lesson {

// The example with `edits` carried out on it in order instead of its own list: tokens, sources, problem and edits are
// those of the outcome, the document stays. Refuses a list of which one edit cannot be read or carried out, in one
// sentence that quotes it.
core::Result<Example> editExample(Example example, const std::vector<std::string>& edits);

// The document of an example with this list in the place of its own.
std::string documentWith(const Example& example, const std::vector<std::string>& edits);

// An edit list as one line, for links: ";" between edits, "\;" and "\\" for these characters within one.
std::string joinEdits(const std::vector<std::string>& edits);
std::vector<std::string> splitEdits(std::string_view line);

}  // namespace attn::lesson
