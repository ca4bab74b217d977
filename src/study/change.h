// One change of a running model, as the controls say it: carried out on any text. Knows no part of the page.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/decoder.h"
#include "core/tensor.h"
#include "scene/scene.h"
#include "study/running.h"

namespace attn::study {

struct Change {
  enum class Kind : std::uint8_t {
    kNone,
    kZero,       // what a head writes becomes 0
    kMean,       // it becomes its mean
    kPatch,      // it becomes what it is in another text
    kForbid,     // no later position may read a source
    kZeroValue,  // a source is read as before, and says nothing
    kReplace,    // another character stands there
  };
  Kind kind = Kind::kNone;
  Index layer = 0, head = 0;
  bool everywhere = false;                 // kForbid, kZeroValue: in all heads of all layers, not only in this one
  Index source = 0;                        // kForbid, kZeroValue, kReplace
  Index with = 0;                          // kReplace: the token
  std::vector<Index> other;                // kPatch: tokens of the other text
  core::Matrix<double> mean;               // kMean: one row, or one for each position
  bool frozen = false;                     // later heads keep the weights that they have without the change

  bool ofHead() const { return kind == Kind::kZero || kind == Kind::kMean || kind == Kind::kPatch; }
};

struct HeadPlace {
  Index layer = 0, head = 0;
};

// What this head writes becomes 0.
Change zeroed(HeadPlace head);

// Another head of the same layer, drawn at random; of another layer where it is the only one of its own; itself where the
// model has no other.
HeadPlace controlHead(const Running& running, HeadPlace head, std::uint64_t seed);
// That the same is done to it, and how it was chosen, in a sentence.
std::string controlWords(const Running& running, HeadPlace control);

// Of the controls `act`, `layer`, `head`, `everywhere`, `source`, `with`, `other`, `mean_of` and `frozen`. `waiting` becomes
// true while held-out lines are still to be fetched. Refuses a character that the model does not know, and
// another text that cannot be read. Layer, head and source are at most the last ones.
core::Result<Change> readChange(const Running& running, const scene::Inputs& in, bool& waiting);

// Hides the controls for which the chosen act has no use.
void hideUnusedControls(const Running& running, const scene::Inputs& in, scene::Outputs& out);

// What a head writes on average, before W_O: over the text ("text"), over all positions of the held-out lines ("lines"), one
// row each; or over these at each position ("positions"). Nothing, and `waiting` true, while they are still to be fetched.
core::Matrix<double> meanOf(const Running& running, const std::string& over, Index layer, Index head, bool& waiting);

// What is done, as a whole sentence's beginning: "What layer 0, head 3 writes becomes 0".
std::string wordsOf(const Change& change, const Running& running);

// The same for a title, behind the name of a head: "with head 0.3 set to zero".
std::string shortWordsOf(const Change& change, const Running& running);

// The tokens as they are under the change.
std::vector<Index> changedTokens(const Change& change, std::vector<Index> tokens);

// A run of these tokens under the change; `plain` is their run without it. Where the source lies behind the text, or the
// other text is shorter, what is not there stays as it is.
core::Result<core::DecoderRun> runChanged(const Change& change, const core::Decoder& decoder, std::span<const Index> tokens,
                                          const core::DecoderRun& plain);

}  // namespace attn::study
