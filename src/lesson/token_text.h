// Tokens and positions as the screen prints them: nothing in a token stays invisible. Knows no State.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/language.h"
#include "core/tensor.h"
#include "lesson/example.h"

namespace attn::lesson {

// A token with everything in it made visible, so that two tokens never look the same: newline ⏎, tab ⇥, no-break space
// ⍽, space ␣ where it would be lost, empty ∅; those signs themselves as "⏎(U+23CE)"; other invisible characters and
// halves of a split pair as U+0000; bytes that are no text as \xF0. With show_spaces, Ġ and ▁ read ␣.
std::string tokenText(std::string_view token, bool show_spaces);

// The position as first_index says, with the token: "2 “sat”"; "3" alone where the token is its own number.
std::string positionName(const Example& example, core::Index position, bool source, bool show_spaces);
// The same for sentences: "position 3" where the token is its own number, else "2 “sat”".
std::string positionText(const Example& example, core::Index position, bool source, bool show_spaces);

// "a", "a and b", "a, b and c". `last` puts the last one to the others.
std::string enumerated(const std::vector<std::string>& all, std::string_view last = trLater("{0} and {1}"));

}  // namespace attn::lesson
