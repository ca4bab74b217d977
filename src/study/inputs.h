// Texts on which something is measured many times: held-out lines, lines that a person has pasted, random segments that
// stand twice. Knows no measure.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/language.h"
#include "core/result.h"
#include "study/running.h"

namespace attn::study {

struct Texts {
  std::vector<std::vector<Index>> tokens;  // at least one, each of at least two tokens and within the context
  std::string name;                        // "200 held-out lines"
  std::string note;                        // what was left out, or ""
  bool twice = false;                      // each is a segment that stands twice: only its second copy can be foreseen
};

// Mean of −ln p, in nats, over all tokens but the first, or over those of the second copy alone.
double lossOf(const Texts& texts, const core::DecoderRun& run, const std::vector<Index>& tokens);

// What a page says while the held-out lines are still to be fetched.
inline constexpr std::string_view kFetchingLines = trLater("The held-out lines are being fetched.");

// By the controls `inputs` ("text", "repeats", "lines", "pasted"), `seed` and `pasted`. `waiting` becomes true, and the
// texts are none, while the held-out lines are still to be fetched. No more texts than the model can be run on that often
// (Loaded::runs), `runs_each` times each. Refuses pasted lines of which none can be read.
core::Result<Texts> textsFor(const Running& running, const scene::Inputs& in, std::size_t runs_each, bool& waiting);

// Held-out lines, `most` of them at most; none while they are still to be fetched.
Texts heldOutLines(Models& models, const Loaded& loaded, std::size_t most);

// `count` texts: a segment of 6 to 32 random tokens (16 where they are words; at most half of the context) without ends of
// lines, twice. Read as a text they give the same tokens.
Texts repeats(const Loaded& loaded, Index count, std::uint64_t seed);

// The tokens as text again.
std::string textOf(const Loaded& loaded, const std::vector<Index>& tokens);

}  // namespace attn::study
