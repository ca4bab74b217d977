// Edits by name, and what follows from them: where they enter, what is computed anew, what differs. Carries out nothing.
#pragma once
#include <string>
#include <vector>

#include "app/session.h"
#include "core/edit.h"

namespace attn::app {

struct EditItem {
  std::string name;    // "v[cat] := [0, 0]", with the tokens as they were when it was made
  std::string effect;  // "Written v[1]=0,0. Enters at V. Computed anew: z, y, residual."
};

// One for each edit of the State, in order.
std::vector<EditItem> editItems(const Session& session);

// Of an array, whether an edit enters there (it is set by hand), or something that it is computed from was edited.
enum class Edited : std::uint8_t { kNo, kSet, kRecomputed };
Edited editedState(const Session& session, core::Array array);

// Which query heads follow when k or v of this head are edited: "heads 0, 1, 2 and 3 share them"; "" when it is alone.
std::string sharedHeadsText(const Session& session, Index head);

// What the present moment is compared with: "the example without edits", "what you pinned: …".
std::string comparedText(const Session& session);
// What changed, in a few sentences: which rows, the largest change and where, whether the weights are bit for bit the
// same; or why the two cannot be subtracted. "" when there is nothing to compare.
std::string changesText(const Session& session);

}  // namespace attn::app
