// Which matrices one attention sublayer shows, what they are called and how they follow from each other.
// Knows shapes and rules, no numbers and no places.
#pragma once
#include <string>
#include <vector>

#include "core/trace.h"

namespace attn::figure {

using core::Array;
using core::Index;
using core::Stage;

enum class Axis : std::uint8_t { kNone, kDestinations, kSources };

struct EquationPart {
  Array array = Array::kX;
  Index rows = 0, columns = 0;
  Axis row_axis = Axis::kNone;
  bool map = false;  // T×S: its columns are sources, and "reads ↓", "is read →" apply
};

struct Equation {
  std::vector<Stage> stages;
  std::vector<EquationPart> parts;  // every array that this computation has, once, in the order of Array
  bool cross = false;
  Index heads = 1;
  std::string scale_text;    // "÷ √2" for the default, "× 0.5" for a given one, with "÷ temperature" where used
  std::string softcap_text;  // "cap 30"
  bool distance_bias = false;  // ALiBi is in the bias
  bool has_sink = false;

  const EquationPart* find(Array array) const;
  bool has(Array array) const { return find(array) != nullptr; }
  bool has(Stage stage) const;
  // The array that a stage works on: scaled → scores, weights → masked, or what stands before it when nothing masks.
  Array inputOf(Stage stage) const;
  // z stands a second time beside W_O, so that the row reads "z · W_O = y".
  bool readsAgain() const { return has(Stage::kY) && has(Array::kWo) && !has(Stage::kConcat); }
};

Equation equationOf(const core::Trace<double>& trace, Index head);

// "W_Q", "scores": with an underscore before what is written as an index.
std::string arrayTitle(Array array);
// "Q = X·W_Q": the name with how it came about; the name alone for what is given or stored.
std::string arrayFormula(const Equation& equation, Array array);
// "stored", "given" or "computed".
std::string provenance(const Equation& equation, Array array);
// The operator on the way into a stage's result: "softmax", "÷ √2", "+ mask".
std::string operatorText(const Equation& equation, Stage stage);

}  // namespace attn::figure
