// One case per stage: the row of Q and the row of K for a score, the row of weights and the column of V for z, …
#include "ui/stage_parts.h"

#include <algorithm>

namespace attn::ui {
namespace {

using core::Array;
using core::Index;
using core::Stage;

constexpr Index kAll = -1;

class Collector {
 public:
  Collector(const figure::Equation& equation, const app::Step& step) : equation_(equation), step_(step) {}

  StepParts collect();

 private:
  // Rows and columns by index; kAll takes all of them.
  void add(std::vector<Part>& parts, Array array, Index row, Index column, bool again = false) {
    const figure::EquationPart* part = equation_.find(array);
    if (!part) {
      return;
    }
    const auto begin = [](Index at) { return at == kAll ? 0 : at; };
    const auto end = [](Index at, Index all) { return at == kAll ? all : std::min(at + 1, all); };
    parts.push_back({array, again, {begin(row), end(row, part->rows), begin(column), end(column, part->columns)}});
  }
  void operand(Array array, Index row, Index column) { add(parts_.operands, array, row, column); }

  void projection(Array weight, Array bias) {
    const Array input = equation_.inputOf(step_.stage);
    const figure::EquationPart* x = equation_.find(input);
    if (step_.term >= 0 && x && step_.term >= x->columns) {  // after the products, the bias
      operand(bias, 0, step_.col);
      return;
    }
    const bool again = weight == Array::kWo && equation_.readsAgain();
    add(parts_.operands, input, step_.row, step_.term, again);
    operand(weight, step_.term, step_.col);
    if (step_.term < 0) {
      operand(bias, kAll, step_.col);
    }
  }
  void softmax() {
    const Array input = equation_.inputOf(Stage::kWeights);
    const bool one = step_.term == 1;  // one exponential reads one score, everything else the whole row
    operand(input, step_.row, one ? step_.col : kAll);
  }
  void output() {
    const Array input = equation_.inputOf(Stage::kY);
    if (equation_.has(Array::kWo)) {
      projection(Array::kWo, Array::kBo);
      return;
    }
    operand(input, step_.row, step_.col);
    operand(Array::kBo, kAll, step_.col);
  }

  const figure::Equation& equation_;
  const app::Step& step_;
  StepParts parts_;
};

StepParts Collector::collect() {
  switch (step_.stage) {
    case Stage::kNorm: operand(Array::kState, step_.row, kAll); break;
    case Stage::kQ: projection(Array::kWq, Array::kBq); break;
    case Stage::kK: projection(Array::kWk, Array::kBk); break;
    case Stage::kV: projection(Array::kWv, Array::kBv); break;
    case Stage::kScores:
      operand(Array::kQ, step_.row, step_.term);
      operand(Array::kK, step_.col, step_.term);
      break;
    case Stage::kBiased:
      operand(equation_.inputOf(Stage::kBiased), step_.row, step_.col);
      operand(Array::kBias, step_.row, step_.col);
      break;
    case Stage::kScaled:
    case Stage::kSoftcapped:
    case Stage::kMasked: operand(equation_.inputOf(step_.stage), step_.row, step_.col); break;
    case Stage::kWeights: softmax(); break;
    case Stage::kZ:
      operand(Array::kWeights, step_.row, step_.term);
      add(parts_.operands, Array::kV, step_.term, step_.col, true);
      break;
    case Stage::kConcat: operand(Array::kZ, step_.row, kAll); break;
    case Stage::kY: output(); break;
    case Stage::kResidual:
      operand(Array::kY, step_.row, step_.col);
      add(parts_.operands, equation_.has(Array::kState) ? Array::kState : Array::kX, step_.row, step_.col, true);
      break;
  }
  add(parts_.result, core::resultOf(step_.stage), step_.row, step_.col);
  return std::move(parts_);
}

}  // namespace

bool StepParts::involves(Array array, bool again) const {
  const auto same = [&](const Part& part) { return part.array == array && part.again == again; };
  return std::any_of(operands.begin(), operands.end(), same) || std::any_of(result.begin(), result.end(), same);
}

bool isLarge(const figure::Equation& equation, const StepParts& parts) {
  const auto large = [&](const Part& part) {
    const figure::EquationPart* matrix = equation.find(part.array);
    return matrix && (matrix->rows > kReadableSide || matrix->columns > kReadableSide);
  };
  return std::any_of(parts.operands.begin(), parts.operands.end(), large) ||
         std::any_of(parts.result.begin(), parts.result.end(), large);
}

StepParts partsOf(const figure::Equation& equation, const app::Step& step) { return Collector(equation, step).collect(); }

}  // namespace attn::ui
