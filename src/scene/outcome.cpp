// See outcome.h.
#include "scene/outcome.h"

#include <algorithm>
#include <cmath>

#include "core/number.h"

namespace attn::scene {
namespace {

using Measure = Asked::Measure;

std::string counted(Index n, const std::string& one) { return std::to_string(n) + " " + one + (n == 1 ? "" : "s"); }

// Numbers between commas, blanks or lines; no numbers at all stand for ones.
core::Result<std::vector<double>> readReadout(const std::string& text, Index columns, const std::string& of) {
  constexpr const char* kBetween = ", ;\t\r\n";
  std::vector<double> numbers;
  for (std::size_t at = text.find_first_not_of(kBetween); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    const std::string word = text.substr(at, end - at);
    const auto number = core::parseNumber(word);
    if (!number)
      return core::Error{"`readout` has “" + word + "”, which is not a number; write for instance 1, -0.5 or sqrt(2)."};
    numbers.push_back(*number);
    at = text.find_first_not_of(kBetween, end);
  }
  if (numbers.empty()) numbers.assign(static_cast<std::size_t>(columns), 1);
  if (static_cast<Index>(numbers.size()) == columns) return numbers;
  return core::Error{"`readout` has " + counted(static_cast<Index>(numbers.size()), "number") + ", and " + of + " has " +
                     counted(columns, "column") + "; write one number for each."};
}

Measure measureOf(const std::string& id) {
  return id == "norm" ? Measure::kNorm : id == "dot" ? Measure::kDot : Measure::kCoordinate;
}

void offerControls(const OpenExample& open, const Asked& asked, Index columns, Outputs& out) {
  out.options("row", positionOptions(open.example, false));
  out.standard("row", std::to_string(open.trace->problem.T - 1));
  out.options("of_head", headOptions(open));
  out.standard("of_head", std::to_string(open.head));
  if (open.heads() == 1) out.hide("of_head");
  std::vector<lesson::ParamOption> list;
  for (Index c = 0; c < columns; ++c) list.push_back({std::to_string(c), "component " + ordinal(open.example, c)});
  out.options("coordinate", list);
  if (asked.measure != Measure::kCoordinate) out.hide("coordinate");
  if (asked.measure != Measure::kDot) out.hide("readout");
}

}  // namespace

core::Result<Asked> readAsked(const Inputs& in, const OpenExample& open, Outputs& out) {
  const core::Trace<double>& trace = *open.trace;
  Asked asked;
  asked.of_y = in.text("of") == "y";
  asked.head = chosenIndex(in.text("of_head"), open.heads(), open.head);
  asked.row = chosenIndex(in.text("row"), trace.problem.T, trace.problem.T - 1);
  asked.measure = measureOf(in.text("measure"));
  const Index columns = asked.of_y ? trace.y.cols() : trace.heads[static_cast<std::size_t>(asked.head)].z.cols();
  asked.coordinate = chosenIndex(in.text("coordinate"), columns, 0);
  const std::string head = open.heads() > 1 ? " of " + headText(open.example, asked.head) : "";
  const std::string of = asked.of_y ? "y" : "z" + head;
  if (asked.measure == Measure::kDot) {
    auto readout = readReadout(in.text("readout"), columns, of);
    if (!readout) return readout.error();
    asked.readout = readout.take();
  }
  offerControls(open, asked, columns, out);
  const std::string row = destinationText(open.example, asked.row);
  const std::string whole = of + " at " + row;
  out.text("row_name", row);
  out.text("dealt_head", open.heads() > 1 ? " in " + headText(open.example, asked.head) : "");
  const std::string measured = asked.measure == Measure::kNorm  ? "the length"
                               : asked.measure == Measure::kDot ? "the read-out"
                                                                : "component " + ordinal(open.example, asked.coordinate);
  const std::string outcome = measured + " of " + whole;
  out.text("outcome", outcome);
  out.text("outcome_begins", begun(outcome));
  return asked;
}

double outcomeOf(const Asked& asked, const core::Trace<double>& trace, Index at) {
  const Matrix<double>& array = asked.of_y ? trace.y : trace.heads[static_cast<std::size_t>(asked.head)].z;
  if (asked.measure == Measure::kCoordinate) return array(at, asked.coordinate);
  double sum = 0;
  for (Index c = 0; c < array.cols(); ++c) {
    const double value = array(at, c);
    sum += value * (asked.measure == Measure::kNorm ? value : asked.readout[static_cast<std::size_t>(c)]);
  }
  return asked.measure == Measure::kNorm ? std::sqrt(sum) : sum;
}

}  // namespace attn::scene
