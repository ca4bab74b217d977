// The tokenizer of GPT-2: byte pair encoding of the bytes of a text (Radford et al. 2019, section 2.2; the merging itself:
// Sennrich et al. 2016). Knows no model.
//
// A text is cut into words by the pattern
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
// whose classes of characters are those of model/unicode_class.h; a byte that is no UTF-8 is a character of its own, of
// the third kind. Within a word every byte begins as a token; the pair of neighbours that stands first among the merges
// becomes one, everywhere in the word from left to right, and so on until no neighbours can be merged.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/tensor.h"

namespace attn::model {

// Bytes begin … end − 1 of the text.
struct BpeToken {
  core::Index id = 0;
  std::size_t begin = 0, end = 0;
  bool operator==(const BpeToken&) const = default;
};

class Bpe {
 public:
  static constexpr std::size_t kMostFileBytes = std::size_t(16) << 20;  // of each of the two files
  static constexpr std::size_t kMostTokens = std::size_t(1) << 18;
  static constexpr std::size_t kMostTextBytes = std::size_t(1) << 20;

  // `vocabulary` is the text of a vocab.json, {"token": id, …}, whose tokens are written in GPT-2's alphabet, a character
  // for each byte; `merges` that of a merges.txt, two such tokens and a space between them in each line, the first to be
  // merged first; a first line that begins with "#version" is passed over. Refuses, in one sentence that names the file:
  // more bytes, tokens or merges than above, ids that are not 0, 1, … n − 1 in some order, a byte that is no token, a token in
  // another alphabet, a merge whose parts or whole are no tokens, and one that stands there twice.
  static core::Result<Bpe> read(std::string_view vocabulary, std::string_view merges);

  core::Index size() const { return static_cast<core::Index>(tokens_.size()); }

  // The bytes of each token, by id; often no whole characters.
  const std::vector<std::string>& tokens() const { return tokens_; }

  // The tokens of a text, one behind the other without gaps. "<|endoftext|>" in it is text like any other, as in GPT-2's
  // own encoder. Takes n·log n steps for n bytes, however long a word is. Refuses more than kMostTextBytes.
  core::Result<std::vector<BpeToken>> encode(std::string_view text) const;

  // What encode was given. Every id is one of 0 … size() − 1.
  std::string decode(std::span<const core::Index> ids) const;

 private:
  using Id = std::uint32_t;
  struct Merge {
    Id left = 0, right = 0, whole = 0;
    std::uint32_t rank = 0;  // the number of its line: a lower one is merged first
  };
  class Word;  // one word while its neighbours are merged

  core::Check readTokens(std::string_view vocabulary);
  core::Check readMerges(std::string_view merges);
  core::Check sortMerges();
  const Merge* mergeOf(Id left, Id right) const;

  std::vector<std::string> tokens_;
  Id of_byte_[256] = {};
  std::vector<Merge> merges_;              // by left, then by right
  std::vector<std::uint32_t> first_merge_;  // of each left token, and one more: where its merges begin
};

}  // namespace attn::model
