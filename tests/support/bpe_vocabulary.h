// Vocabularies of the tokenizer as files, made of bytes and merges. Knows no test.
#pragma once
#include <string>
#include <utility>
#include <vector>

namespace attn::test {

using Merges = std::vector<std::pair<std::string, std::string>>;

// Bytes in GPT-2's alphabet: what does not print as one character becomes U+0100 and following, in order.
inline std::string inAlphabet(const std::string& bytes) {
  const auto two = [](unsigned code) {
    return std::string{static_cast<char>(0xC0u | code >> 6), static_cast<char>(0x80u | (code & 0x3Fu))};
  };
  std::string text;
  for (const char c : bytes) {
    const unsigned byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7F) text += c;
    else if (byte > 0xA0 && byte != 0xAD) text += two(byte);
    else text += two(byte <= 0x20 ? 0x100 + byte : byte <= 0xA0 ? 0x121 + byte - 0x7F : 0x143);
  }
  return text;
}

inline std::string mergesText(const Merges& merges) {
  std::string text = "#version: 0.2\n";
  for (const auto& merge : merges) text += inAlphabet(merge.first) + " " + inAlphabet(merge.second) + "\n";
  return text;
}

// Ids are bytes, then merges in their order, then `more`.
inline std::string vocabularyText(const Merges& merges, const std::vector<std::string>& more = {}) {
  std::vector<std::string> tokens;
  for (int byte = 0; byte < 256; ++byte) tokens.emplace_back(1, static_cast<char>(byte));
  for (const auto& merge : merges) tokens.push_back(merge.first + merge.second);
  tokens.insert(tokens.end(), more.begin(), more.end());
  std::string text;
  for (std::size_t id = 0; id < tokens.size(); ++id) {
    text += id == 0 ? "{\"" : ", \"";
    for (const char c : inAlphabet(tokens[id])) text += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    text += "\": " + std::to_string(id);
  }
  return text + "}";
}

}  // namespace attn::test
