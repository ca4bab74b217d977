// The texts of our own JSON files (scenes, catalogue, tasks) in the language that is set.
#pragma once
#include "io/json.h"

namespace attn::lesson {

// Puts trText() in the place of every text that is said to people; scripts/texts.mjs knows the same names. Not for what a
// person has written.
void translate(io::Json& json);

}  // namespace attn::lesson
