// What the user has chosen, as one plain value. Everything in it can travel in a link and be undone.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/stage.h"
#include "core/tensor.h"
#include "figure/color.h"
#include "lesson/page.h"

namespace attn::app {

using core::Index;

// kRow follows one destination to its result; kStage takes all rows through each stage.
enum class Order : std::uint8_t { kRow, kStage };
enum class Grain : std::uint8_t { kStage, kRow, kCell, kTerm };
enum class MaskChoice : std::uint8_t { kDocument, kNone, kCausal };  // kDocument: as the example says
using figure::Palette;

// A moment of the computation: the last thing that was done. −1 means "all of them": {kScores, 2} is row 2 of the
// scores, {kScores, 2, 0, 1} the second product of cell [2][0].
// In the softmax (stage weights) `term` counts phases instead: 0 the maximum (col −1), 1 one exponential, 2 the sum
// (col −1), 3 one division. With the grain `cell`, a whole weight is one step and term is −1.
struct Step {
  core::Stage stage = core::Stage::kScores;
  Index row = -1;
  Index col = -1;
  Index term = -1;
  bool operator==(const Step&) const = default;
};

// A cell that the person points at, with the keyboard or by choosing it.
struct CellCursor {
  core::Array array = core::Array::kWeights;
  Index row = 0;
  Index col = 0;
  bool operator==(const CellCursor&) const = default;
};

// Which numbers the stage shows: those of the edited example, those that it is compared with, or what changed between
// the two.
enum class Shown : std::uint8_t { kAfter, kBefore, kDifference };

// An example as it stood at some moment: what the present one can be compared with.
struct Snapshot {
  std::string example;
  MaskChoice mask = MaskChoice::kDocument;
  std::vector<std::string> edits;
  Index head = 0;
  bool operator==(const Snapshot&) const = default;
};

struct State {
  std::string example = "three-positions";  // a built-in id, or the id of an opened document in the Library
  MaskChoice mask = MaskChoice::kDocument;
  std::vector<std::string> edits;  // in order, as core::parseEdit reads them; those of the document when it opens
  Shown shown = Shown::kAfter;
  std::optional<Snapshot> pinned;  // what is compared with; nothing: the example without any edit
  Order order = Order::kRow;
  Grain grain = Grain::kRow;
  Index row = 2;   // the destination that kRow follows; the last one when an example opens
  Index head = 0;  // the head in view; all heads take the same step
  std::optional<Step> at;  // nothing yet: the opening state
  std::optional<CellCursor> cursor;
  // How numbers look.
  bool exact = true;  // 3/2, ln 2 where a number has such a form
  int decimals = 4;   // 2–6
  Palette palette = Palette::kViridis;
  bool show_spaces = false;  // ␣ for the space marks Ġ and ▁ of tokenizers
  // Which scene is open, "" for the walkthrough of the example; and what differs from its presets, sorted by key.
  std::string scene;
  lesson::Settings settings;
  bool operator==(const State&) const = default;
};

}  // namespace attn::app
