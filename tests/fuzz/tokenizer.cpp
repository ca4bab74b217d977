// Any bytes as the files of a tokenizer: refused in one sentence, or a tokenizer, which gives every text back.
// Run it with scripts/fuzz tokenizer. The first byte says what follows: files and a text with a zero between each two, or
// merges of a vocabulary that fits, with a byte for each part, and a text behind a zero.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/require.h"
#include "model/bpe.h"
#include "support/bpe_vocabulary.h"

namespace {

using namespace attn;
using fuzz::require;
using fuzz::requireSentence;

std::string_view takePart(std::string_view& rest) {
  const std::string_view part = rest.substr(0, rest.find('\0'));
  rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  return part;
}

void requireTokens(const model::Bpe& bpe, std::string_view text) {
  const auto tokens = bpe.encode(text);
  require(tokens.ok());
  std::vector<core::Index> ids;
  std::size_t end = 0;
  for (const model::BpeToken& token : tokens.value()) {
    require(token.begin == end && token.end > token.begin && token.id >= 0 && token.id < bpe.size());
    end = token.end;
    ids.push_back(token.id);
  }
  require(end == text.size());
  require(bpe.decode(ids) == text);
}

// Each pair of bytes joins two of the tokens so far: bytes by themselves, later ones as they come.
test::Merges mergesOf(std::string_view bytes) {
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  test::Merges merges;
  const auto token = [&tokens](char byte) {
    const std::size_t index = static_cast<unsigned char>(byte);
    return tokens[index < 128 || tokens.size() == 256 ? index : 256 + (index - 128) % (tokens.size() - 256)];
  };
  for (std::size_t i = 0; i + 1 < bytes.size() && i < 128; i += 2) {
    const std::string left = token(bytes[i]), right = token(bytes[i + 1]);
    if (left.size() + right.size() > 64) continue;
    if (std::find(tokens.begin(), tokens.end(), left + right) != tokens.end()) continue;
    tokens.push_back(left + right);
    merges.push_back({left, right});
  }
  return merges;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  if (rest.empty()) return 0;
  const bool files = rest[0] % 2 == 0;
  rest.remove_prefix(1);
  if (files) {
    const std::string_view vocabulary = takePart(rest), merges = takePart(rest);
    const auto bpe = model::Bpe::read(vocabulary, merges);
    if (!bpe) return requireSentence(bpe.error()), 0;
    requireTokens(bpe.value(), rest);
  } else {
    const test::Merges merges = mergesOf(takePart(rest));
    const auto bpe = model::Bpe::read(test::vocabularyText(merges), test::mergesText(merges));
    require(bpe.ok());
    requireTokens(bpe.value(), rest);
  }
  return 0;
}
