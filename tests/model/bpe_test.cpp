// The tokenizer: merges in their order, what it gives back, and files that are no such vocabulary.
#include "model/bpe.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/words.h"
#include "support/bpe_vocabulary.h"
#include "support/problems.h"
#include "support/sanitized.h"

namespace {

using namespace attn;
using model::Bpe;
using model::BpeToken;
using test::Merges;

Bpe tokenizerOf(const Merges& merges, const std::vector<std::string>& more = {}) {
  auto read = Bpe::read(test::vocabularyText(merges, more), test::mergesText(merges));
  REQUIRE_MESSAGE(read.ok(), (read ? "" : read.error().message));
  return read.take();
}

std::vector<BpeToken> encoded(const Bpe& bpe, const std::string& text) {
  auto tokens = bpe.encode(text);
  REQUIRE(tokens.ok());
  return tokens.take();
}

std::vector<std::string> piecesOf(const Bpe& bpe, const std::string& text) {
  std::vector<std::string> pieces;
  for (const BpeToken& token : encoded(bpe, text)) pieces.push_back(bpe.tokens()[static_cast<std::size_t>(token.id)]);
  return pieces;
}

using Pieces = std::vector<std::string>;

// Sennrich et al. 2016, listing 1, as it stands: the first pair of the list, everywhere, until there is none.
Pieces slowPieces(const Merges& merges, const std::string& word) {
  Pieces pieces;
  for (const char c : word) pieces.emplace_back(1, c);
  for (;;) {
    std::size_t best = merges.size();
    for (std::size_t i = 0; i + 1 < pieces.size(); ++i) {
      const auto found = std::find(merges.begin(), merges.end(), std::pair(pieces[i], pieces[i + 1]));
      best = std::min(best, static_cast<std::size_t>(found - merges.begin()));
    }
    if (best == merges.size()) return pieces;
    Pieces merged;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const bool pair = i + 1 < pieces.size() && pieces[i] == merges[best].first && pieces[i + 1] == merges[best].second;
      merged.push_back(pair ? pieces[i] + pieces[i + 1] : pieces[i]);
      if (pair) ++i;
    }
    pieces = merged;
  }
}

// Any two tokens, in any order: also merges of what only a later line makes, which no training gives.
Merges randomMerges(test::Random& random) {
  Merges merges;
  std::vector<std::string> tokens = {"a", "b", " "};
  while (merges.size() < 20) {
    const auto any = [&] { return tokens[static_cast<std::size_t>(random.below(static_cast<core::Index>(tokens.size())))]; };
    const std::pair<std::string, std::string> merge(any(), any());
    if (std::find(tokens.begin(), tokens.end(), merge.first + merge.second) != tokens.end()) continue;
    tokens.push_back(merge.first + merge.second);
    merges.insert(merges.begin() + random.below(static_cast<core::Index>(merges.size()) + 1), merge);
  }
  return merges;
}

std::string refusalOf(const std::string& vocabulary, const std::string& merges) {
  const auto read = Bpe::read(vocabulary, merges);
  return read ? "read" : read.error().message;
}

const Merges kFew = {{"a", "b"}, {"ab", "c"}, {" ", "ab"}, {"\xC3", "\xA9"}};

}  // namespace

TEST_CASE("Neighbours are merged in the order of the merges, not of the text") {
  const Bpe bpe = tokenizerOf({{"e", "r"}, {"w", "er"}, {"l", "o"}, {"lo", "w"}, {"n", "e"}, {" ", "lo"}});
  CHECK(piecesOf(bpe, "lower") == Pieces{"lo", "wer"});
  CHECK(piecesOf(bpe, "low") == Pieces{"low"});
  CHECK(piecesOf(bpe, "newer") == Pieces{"ne", "wer"});
  CHECK(piecesOf(bpe, "newer low") == Pieces{"ne", "wer", " ", "low"});
  CHECK(piecesOf(bpe, "x") == Pieces{"x"});
  CHECK(piecesOf(bpe, "") == Pieces{});
}

TEST_CASE("A pair is merged everywhere in the word, from left to right, before what comes of it") {
  CHECK(piecesOf(tokenizerOf({{"a", "a"}}), "aaaaa") == Pieces{"aa", "aa", "a"});
  // The first line could act as soon as one abc is made, but both are made first.
  CHECK(piecesOf(tokenizerOf({{"abc", "ab"}, {"a", "b"}, {"ab", "c"}}), "abcabc") == Pieces{"abc", "abc"});
}

TEST_CASE("Random merges give of random words what the definition gives, word by word") {
  test::Random random(1);
  for (int round = 0; round < 40; ++round) {
    const Merges merges = randomMerges(random);
    const Bpe bpe = tokenizerOf(merges);
    std::string text;
    for (int i = 0; i < 60; ++i) text += "aaabbbab "[random.below(9)];
    CAPTURE(text);
    Pieces wanted;
    for (std::string rest = text; !rest.empty();) {
      const std::size_t length = model::wordLength(rest);
      for (const std::string& piece : slowPieces(merges, rest.substr(0, length))) wanted.push_back(piece);
      rest.erase(0, length);
    }
    CHECK(piecesOf(bpe, text) == wanted);
  }
}

TEST_CASE("Tokens say which bytes of the text they are, and together give it back, whatever the bytes are") {
  const Bpe bpe = tokenizerOf(kFew);
  CHECK(encoded(bpe, "é abc") == std::vector<BpeToken>{{259, 0, 2}, {' ', 2, 3}, {257, 3, 6}});
  test::Random random(2);
  for (int round = 0; round < 200; ++round) {
    std::string text;
    for (core::Index n = random.below(40); n > 0; --n)
      text += random.below(2) == 0 ? "ab c\xC3\xA9'"[random.below(7)] : static_cast<char>(random.below(256));
    std::vector<core::Index> ids;
    std::size_t end = 0;
    for (const BpeToken& token : encoded(bpe, text)) {
      CHECK(token.begin == end);
      end = token.end;
      CHECK(text.substr(token.begin, token.end - token.begin) == bpe.tokens()[static_cast<std::size_t>(token.id)]);
      ids.push_back(token.id);
    }
    CHECK(end == text.size());
    CHECK(bpe.decode(ids) == text);
  }
}

TEST_CASE("The mark of the end of a text is text where it stands in one, and has its id all the same") {
  const Bpe bpe = tokenizerOf(kFew, {"<|endoftext|>"});
  CHECK(bpe.size() == 261);
  CHECK(encoded(bpe, "<|endoftext|>").size() == 13);
  const core::Index last = 260;
  CHECK(bpe.decode({&last, 1}) == "<|endoftext|>");
}

TEST_CASE("A word of a million letters takes no longer than a million letters should" *
          doctest::skip(attn::test::kSanitized)) {
  Merges merges;
  for (std::string half = "a"; half.size() < 16; half += half) merges.push_back({half, half});
  const Bpe bpe = tokenizerOf(merges);
  const std::vector<BpeToken> tokens = encoded(bpe, std::string(1000000, 'a'));
  CHECK(tokens.size() == 62500);
  CHECK(tokens.back() == BpeToken{259, 999984, 1000000});
  const auto refused = bpe.encode(std::string(Bpe::kMostTextBytes + 1, 'a'));
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message == "The text has 1048577 bytes, and at most 1048576 are cut into tokens; give a shorter one.");
}

TEST_CASE("Lines of merges may end as on Windows, and the first need not name a version") {
  const std::string vocabulary = test::vocabularyText(kFew);
  for (const char* merges : {"a b\r\nab c\r\n", "#version: 0.2\na b\n\nab c", "a b\nab c\n\n"}) {
    const auto read = Bpe::read(vocabulary, merges);
    REQUIRE_MESSAGE(read.ok(), (read ? "" : read.error().message));
    CHECK(piecesOf(read.value(), "abcab") == Pieces{"abc", "ab"});
  }
}

TEST_CASE("A vocabulary that is none is refused with what is wrong and where") {
  const std::string good = test::vocabularyText(kFew), advice = "; take the two files that belong to the model.";
  const auto changed = [&good](const std::string& from, const std::string& to) {
    std::string text = good;
    REQUIRE(text.find(from) != std::string::npos);
    return text.replace(text.find(from), from.size(), to);
  };
  REQUIRE(refusalOf(good, "") == "read");
  CHECK(refusalOf("{", "").find("vocab.json cannot be read: ") == 0);
  CHECK(refusalOf(changed("\"b\"", "\"a\""), "").find("vocab.json cannot be read: ") == 0);
  CHECK(refusalOf("[1]", "") == "vocab.json is no object of tokens and their ids" + advice);
  CHECK(refusalOf("{}", "") == "vocab.json is no object of tokens and their ids" + advice);
  for (const char* id : {"260", "-1", "2.5", "1e300", "\"3\"", "null"}) {
    CAPTURE(id);
    const std::string refusal = refusalOf(changed("\"abc\": 257", std::string("\"abc\": ") + id), "");
    CHECK(refusal.find("vocab.json gives `abc` ") == 0);
    CHECK(refusal.find(" as its id, but has 260 tokens, whose ids are 0 to 259; ") != std::string::npos);
  }
  CHECK(refusalOf(changed("\"abc\": 257", "\"abc\": 256"), "") ==
        "vocab.json gives two tokens the id 256, the second of which is `abc`" + advice);
  for (const char* name : {"a c", "", "ńx", "漢"}) {
    CAPTURE(name);
    CHECK(refusalOf(changed("\"abc\"", std::string("\"") + name + "\""), "") ==
          std::string("vocab.json has the token `") + name + "`, which is not written in GPT-2's alphabet" + advice);
  }
  CHECK(refusalOf(changed("\"b\"", "\"bb\""), "") ==
        "vocab.json has no token for the byte 98, and all 256 are needed" + advice);
  CHECK(refusalOf(std::string(Bpe::kMostFileBytes + 1, ' '), "") ==
        "vocab.json has 16 MB, and at most 16 MB are read" + advice);
}

TEST_CASE("Merges that do not fit the vocabulary are refused with their line") {
  const std::string good = test::vocabularyText(kFew), advice = "; take the two files that belong to the model.";
  for (const char* line : {"a", "a ", " a", "a b c", "a  b", "a ń"}) {
    CAPTURE(line);
    CHECK(refusalOf(good, std::string("#version: 0.2\n") + line) ==
          std::string("Line 2 of merges.txt, `") + line +
              "`, is not two tokens in GPT-2's alphabet with a space between them" + advice);
  }
  for (const char* line : {"b c", "ab d", "abcd a"}) {
    CAPTURE(line);
    CHECK(refusalOf(good, std::string("a b\n") + line) ==
          std::string("Line 2 of merges.txt, `") + line +
              "`, makes a token of two others, and not all three are in vocab.json" + advice);
  }
  CHECK(refusalOf(good, "a b\nab c\na b\n") == "Lines 1 and 3 of merges.txt are the same merge" + advice);
  CHECK(refusalOf(good, "a b\n#version: 0.2").find("Line 2 of merges.txt, `#version: 0.2`, ") == 0);
  CHECK(refusalOf(good, std::string(Bpe::kMostFileBytes + 1, '\n')) ==
        "merges.txt has 16 MB, and at most 16 MB are read" + advice);
}
