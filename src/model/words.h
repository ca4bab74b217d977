// How the tokenizer of GPT-2 cuts a text into words before it looks for tokens in them. Knows no tokens.
#pragma once
#include <cstddef>
#include <string_view>

namespace attn::model {

// The length in bytes, at least 1, of the word at the start of a text that is not empty: what the pattern in model/bpe.h
// matches there.
std::size_t wordLength(std::string_view text);

}  // namespace attn::model
