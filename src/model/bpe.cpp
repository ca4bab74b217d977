// Texts to tokens and back. See bpe.h.
#include "model/bpe.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <tuple>

#include "core/language.h"
#include "model/words.h"

namespace attn::model {

// A chain of tokens, and a heap of the neighbours in it that can be merged: the lowest rank first, of those the leftmost.
class Bpe::Word {
 public:
  explicit Word(const Bpe& bpe) : bpe_(bpe) {}

  // Puts the tokens of the word behind `tokens`; it begins at byte `begin` of its text.
  void encode(std::string_view word, std::size_t begin, std::vector<BpeToken>& tokens) {
    fill(word);
    while (!heap_.empty()) {
      // What can be merged now is, everywhere, before what comes of it.
      round_.clear();
      for (const std::uint32_t rank = heap_.front().merge->rank; !heap_.empty() && heap_.front().merge->rank == rank;)
        round_.push_back(taken());
      for (const Candidate& one : round_) merge(one);
    }
    for (Place at = 0; at != kNone; at = links_[at].next) {
      const std::size_t end = links_[at].next == kNone ? word.size() : links_[at].next;
      tokens.push_back({static_cast<core::Index>(links_[at].id), begin + at, begin + end});
    }
  }

 private:
  using Place = std::uint32_t;  // of the token's first byte in the word
  static constexpr Place kNone = std::numeric_limits<Place>::max();
  struct Link {
    Id id;  // kNone where a token to the left has taken this place
    Place before, next;
  };
  struct Candidate {
    const Merge* merge;
    Place at;
  };

  static bool later(const Candidate& a, const Candidate& b) {
    return std::tie(a.merge->rank, a.at) > std::tie(b.merge->rank, b.at);
  }

  void fill(std::string_view word) {
    links_.clear();
    const auto length = static_cast<Place>(word.size());
    for (Place at = 0; at < length; ++at) {
      const Id id = bpe_.of_byte_[static_cast<unsigned char>(word[at])];
      links_.push_back({id, at == 0 ? kNone : at - 1, at + 1 == length ? kNone : at + 1});
    }
    for (Place at = 0; at < length; ++at) consider(at);
  }

  // The token at `at` and its neighbour to the right.
  void consider(Place at) {
    if (at == kNone || links_[at].next == kNone) return;
    const Merge* merge = bpe_.mergeOf(links_[at].id, links_[links_[at].next].id);
    if (!merge) return;
    heap_.push_back({merge, at});
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  Candidate taken() {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const Candidate last = heap_.back();
    heap_.pop_back();
    return last;
  }

  void merge(const Candidate& one) {
    Link& left = links_[one.at];
    // Either may have become part of another token since.
    if (left.id != one.merge->left || left.next == kNone || links_[left.next].id != one.merge->right) return;
    Link& right = links_[left.next];
    left.id = one.merge->whole;
    left.next = right.next;
    right.id = kNone;
    if (left.next != kNone) links_[left.next].before = one.at;
    consider(left.before);
    consider(one.at);
  }

  const Bpe& bpe_;
  std::vector<Link> links_;
  std::vector<Candidate> heap_, round_;
};

const Bpe::Merge* Bpe::mergeOf(Id left, Id right) const {
  const Merge* const end = merges_.data() + first_merge_[left + 1];
  const Merge* const found = std::lower_bound(merges_.data() + first_merge_[left], end, right,
                                              [](const Merge& merge, Id id) { return merge.right < id; });
  return found != end && found->right == right ? found : nullptr;
}

core::Result<std::vector<BpeToken>> Bpe::encode(std::string_view text) const {
  if (text.size() > kMostTextBytes)
    return core::Error{tr("The text has {0} bytes, and at most {1} are cut into tokens; give a shorter one.",
                          {text.size(), kMostTextBytes})};
  std::vector<BpeToken> tokens;
  Word word(*this);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t length = wordLength(text.substr(begin));
    word.encode(text.substr(begin, length), begin, tokens);
    begin += length;
  }
  return tokens;
}

std::string Bpe::decode(std::span<const core::Index> ids) const {
  std::string text;
  for (const core::Index id : ids) {
    assert(id >= 0 && id < size());
    text += tokens_[static_cast<std::size_t>(id)];
  }
  return text;
}

}  // namespace attn::model
