// The tokenizer out of vocab.json and merges.txt, two files that anybody may have written. See bpe.h.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <tuple>
#include <utility>

#include "core/buffer.h"
#include "core/language.h"
#include "core/number.h"
#include "io/json.h"
#include "io/label.h"
#include "io/text.h"
#include "model/bpe.h"

namespace attn::model {
namespace {

// GPT-2's alphabet: bytes that print as one character are that character, the others are U+0100 and following, in order.
constexpr bool printsItself(unsigned byte) {
  return (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte != 0xAD);
}

class Alphabet {
 public:
  Alphabet() {
    std::fill(std::begin(byte_of_), std::end(byte_of_), -1);
    std::size_t next = 0x100;
    for (unsigned byte = 0; byte < 256; ++byte)
      byte_of_[printsItself(byte) ? byte : next++] = static_cast<int>(byte);
  }

  // Nothing for a text with another character in it.
  std::optional<std::string> bytesOf(std::string_view text) const {
    std::string bytes;
    while (!text.empty()) {
      const int length = io::characterLength(text);
      const char32_t code = length > 0 ? io::characterAt(text, length) : kSize;
      if (code >= kSize || byte_of_[code] < 0) return std::nullopt;
      bytes += static_cast<char>(byte_of_[code]);
      text.remove_prefix(static_cast<std::size_t>(length));
    }
    return bytes;
  }

 private:
  static constexpr std::size_t kSize = 0x100 + 68;
  int byte_of_[kSize];
};

core::Error wrong(std::string message) {
  return core::Error{tr("{0}; take the two files that belong to the model.", {std::move(message)})};
}

core::Check checkSize(const char* name, std::string_view bytes) {
  if (bytes.size() <= Bpe::kMostFileBytes) return std::nullopt;
  return wrong(tr("{0} has {1}, and at most {2} are read",
                  {name, core::bytesText(bytes.size()), core::bytesText(Bpe::kMostFileBytes)}));
}

// Ids of tokens in the order of their bytes.
class TokenIndex {
 public:
  explicit TokenIndex(const std::vector<std::string>& tokens) : tokens_(tokens) {
    for (std::uint32_t id = 0; id < tokens.size(); ++id) ids_.push_back(id);
    std::sort(ids_.begin(), ids_.end(), [&tokens](std::uint32_t a, std::uint32_t b) { return tokens[a] < tokens[b]; });
  }

  std::optional<std::uint32_t> find(const std::string& bytes) const {
    const auto found = std::lower_bound(ids_.begin(), ids_.end(), bytes,
                                        [this](std::uint32_t id, const std::string& text) { return tokens_[id] < text; });
    if (found == ids_.end() || tokens_[*found] != bytes) return std::nullopt;
    return *found;
  }

 private:
  const std::vector<std::string>& tokens_;
  std::vector<std::uint32_t> ids_;
};

// The next line of `rest`, without what ends it.
std::string_view takeLine(std::string_view& rest) {
  const std::size_t end = std::min(rest.find('\n'), rest.size());
  std::string_view line = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// The id that a member of vocab.json gives, of `count` tokens.
core::Result<std::size_t> idOf(const io::JsonMember& member, std::size_t count) {
  const double* id = member.value.as<double>();
  if (id && *id >= 0 && *id < static_cast<double>(count) && *id == std::floor(*id)) return static_cast<std::size_t>(*id);
  return wrong(tr("vocab.json gives {0} {1} as its id, but has {2} {2|token|tokens}, whose ids are 0 to {3}",
                  {io::ticked(member.name), id ? core::fullText(*id) : member.value.kindText(), count, count - 1}));
}

}  // namespace

core::Result<Bpe> Bpe::read(std::string_view vocabulary, std::string_view merges) {
  Bpe bpe;
  if (core::Check bad = bpe.readTokens(vocabulary)) return *bad;
  if (core::Check bad = bpe.readMerges(merges)) return *bad;
  return bpe;
}

core::Check Bpe::readTokens(std::string_view vocabulary) {
  if (core::Check bad = checkSize("vocab.json", vocabulary)) return bad;
  io::JsonLimits limits;
  limits.values = kMostTokens + 1;
  const core::Result<io::Json> json = io::parseJson(vocabulary, limits);
  if (!json) return core::Error{tr("vocab.json cannot be read: {0}", {json.error().message})};
  const auto* members = json.value().as<io::Json::Members>();
  if (!members || members->empty()) return wrong(tr("vocab.json is no object of tokens and their ids"));
  const Alphabet alphabet;
  tokens_.resize(members->size());
  std::vector<bool> known(256);
  for (const io::JsonMember& member : *members) {
    const std::optional<std::string> bytes = alphabet.bytesOf(member.name);
    if (!bytes || bytes->empty())
      return wrong(tr("vocab.json has the token {0}, which is not written in GPT-2's alphabet", {io::ticked(member.name)}));
    const core::Result<std::size_t> id = idOf(member, members->size());
    if (!id) return id.error();
    std::string& token = tokens_[id.value()];
    if (!token.empty())
      return wrong(tr("vocab.json gives two tokens the id {0}, the second of which is {1}",
                      {id.value(), io::ticked(member.name)}));
    token = *bytes;
    if (token.size() > 1) continue;
    const auto byte = static_cast<unsigned char>(token[0]);
    of_byte_[byte] = static_cast<Id>(id.value());
    known[byte] = true;
  }
  const auto unknown = std::find(known.begin(), known.end(), false);
  if (unknown == known.end()) return std::nullopt;
  return wrong(tr("vocab.json has no token for the byte {0}, and all 256 are needed", {unknown - known.begin()}));
}

core::Check Bpe::readMerges(std::string_view merges) {
  if (core::Check bad = checkSize("merges.txt", merges)) return bad;
  const Alphabet alphabet;
  const TokenIndex index(tokens_);
  std::uint32_t number = 0;
  while (!merges.empty()) {
    const std::string_view line = takeLine(merges);
    ++number;
    if (line.empty() || (number == 1 && line.starts_with("#version"))) continue;
    const std::size_t space = std::min(line.find(' '), line.size());
    const auto left = alphabet.bytesOf(line.substr(0, space));
    const auto right = alphabet.bytesOf(line.substr(std::min(space + 1, line.size())));
    if (!left || !right || left->empty() || right->empty())
      return wrong(tr("Line {0} of merges.txt, {1}, is not two tokens in GPT-2's alphabet with a space between them",
                      {number, io::ticked(line)}));
    const auto left_id = index.find(*left), right_id = index.find(*right), whole_id = index.find(*left + *right);
    if (!left_id || !right_id || !whole_id)
      return wrong(tr("Line {0} of merges.txt, {1}, makes a token of two others, and not all three are in vocab.json",
                      {number, io::ticked(line)}));
    if (merges_.size() == kMostTokens)
      return wrong(tr("Line {0} of merges.txt is one more than the {1} merges that are read", {number, kMostTokens}));
    merges_.push_back({*left_id, *right_id, *whole_id, number});
  }
  return sortMerges();
}

core::Check Bpe::sortMerges() {
  std::sort(merges_.begin(), merges_.end(), [](const Merge& a, const Merge& b) {
    return std::tie(a.left, a.right, a.rank) < std::tie(b.left, b.right, b.rank);
  });
  const auto twice = std::adjacent_find(merges_.begin(), merges_.end(), [](const Merge& a, const Merge& b) {
    return a.left == b.left && a.right == b.right;
  });
  if (twice != merges_.end())
    return wrong(tr("Lines {0} and {1} of merges.txt are the same merge", {twice->rank, twice[1].rank}));
  first_merge_.assign(tokens_.size() + 1, 0);
  for (const Merge& merge : merges_) ++first_merge_[merge.left + 1];
  for (std::size_t id = 0; id < tokens_.size(); ++id) first_merge_[id + 1] += first_merge_[id];
  return std::nullopt;
}

}  // namespace attn::model
