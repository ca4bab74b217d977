// The class of a character, as the tokenizer of GPT-2 tells them apart. Knows no text.
#pragma once

namespace attn::model {

enum class CharacterClass { kOther, kLetter, kNumber, kSpace };

// Letters are \p{L}, numbers \p{N} of Unicode 14.0: a letter that was added later is kOther. Space is White_Space, which
// is what \s is in Python's regex and in Rust; in JavaScript U+0085 is no \s and U+FEFF is one.
CharacterClass classOf(char32_t character);

}  // namespace attn::model
