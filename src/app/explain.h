// The current step in words and numbers, as printed on the panel, in the mirror, by text() and on the terminal.
// Every number comes from the Trace.
#pragma once
#include <string>
#include <vector>

#include "app/session.h"
#include "lesson/token_text.h"

namespace attn::app {

struct Bar {
  std::string label;  // the source, as positionText gives it
  double weight = 0;  // 0–1
  bool blocked = false;
  bool known = false;
  std::string text;   // the weight as printed, or the reason why it is blocked
};

struct Explanation {
  std::string headline;              // "Step 4 of 10 · scores, row “position 3”"
  std::string formula;               // "s_ij = q_i · k_j"
  std::vector<std::string> numbers;  // the same with the numbers put in; each line adds up or says "(rounded; …)"
  std::vector<std::string> full_numbers;  // each of these lines with its numbers in full precision, for hovering
  std::string sentence;              // what it means, second person
  std::string next;                  // what to press and what will happen: "Press → : position 3 makes its query."
  std::string next_by_touch;         // the same without keys: "Next step: position 3 makes its query."
  // The softmax row of the followed destination, once its weights are reached.
  std::vector<Bar> distribution;
  std::string distribution_title;    // "How position 3 spreads its attention in head 2"
  // "The weights sum to 1. Entropy 1.0397 nats: 0 = all on one source, at most 1.0986 = even over 3 sources."
  std::string distribution_sum;
  std::vector<std::string> column_sums;  // with the words that they need not be 1; empty until all rows are known
};

Explanation explain(const Session& session);

// The destination whose distribution is shown: that of a chosen cell of the weights, as soon as it is known, else the one that
// the step is about, else the chosen one.
Index distributionRow(const Session& session);
// Of one destination, in the head in view; empty until a weight of it is known.
std::vector<Bar> distributionOf(const Session& session, Index row);

// One value as the screen prints it: exact form when on and available, else fixed decimals.
std::string valueText(const State& state, double value);

using lesson::enumerated;
using lesson::positionName;
using lesson::positionText;
using lesson::tokenText;

// The whole of it as plain text, of long rows the first 64 sources: window.attnscope.text().
std::string plainText(const Session& session);

// A printed line for a screen without keys and hovering: "hover for full precision" becomes "tap a cell for …".
std::string byTouch(std::string line);
// The same for who reads by the keyboard or by ear: "read the cells for …", as the control is called.
std::string byKeys(std::string line);

// False where the moment has not come to the cell yet, and the screen draws it so.
bool isKnown(const Session& session, const CellCursor& cell);

// The cell under the cursor or pointer, in full precision, its place as the screen counts:
// "scaled = 2.8284271247461903 = 2·√2; query 2 “sat” (row) reads key 1 “cat” (column)". Says why where it is
// blocked, and so where it is not yet known. "" outside the array.
std::string cellText(const Session& session, const CellCursor& cell);

}  // namespace attn::app
