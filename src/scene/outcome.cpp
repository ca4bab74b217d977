// See outcome.h.
#include "scene/outcome.h"

#include <algorithm>
#include <cmath>

#include "core/language.h"
#include "core/number.h"

namespace attn::scene {
namespace {

using Measure = Asked::Measure;

// Numbers between commas, blanks or lines; no numbers at all stand for ones.
core::Result<std::vector<double>> readReadout(const std::string& text, Index columns, const std::string& of) {
  constexpr const char* kBetween = ", ;\t\r\n";
  std::vector<double> numbers;
  for (std::size_t at = text.find_first_not_of(kBetween); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(kBetween, at), text.size());
    const std::string word = text.substr(at, end - at);
    const auto number = core::parseNumber(word);
    if (!number)
      return core::Error{tr("`readout` has “{0}”, which is not a number; write for instance 1, -0.5 or sqrt(2).", {word})};
    numbers.push_back(*number);
    at = text.find_first_not_of(kBetween, end);
  }
  if (numbers.empty()) numbers.assign(static_cast<std::size_t>(columns), 1);
  if (static_cast<Index>(numbers.size()) == columns) return numbers;
  return core::Error{tr("`readout` has {0} {0|number|numbers}, and {1} has {2} {2|column|columns}; write one number for "
                        "each.", {numbers.size(), of, columns})};
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
  for (Index c = 0; c < columns; ++c) list.push_back({std::to_string(c), tr("component {0}", {ordinal(open.example, c)})});
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
  const std::string head = ordinal(open.example, asked.head);
  const std::string of = asked.of_y ? "y" : open.heads() > 1 ? tr("z of head {0}", {head}) : "z";
  if (asked.measure == Measure::kDot) {
    auto readout = readReadout(in.text("readout"), columns, of);
    if (!readout) return readout.error();
    asked.readout = readout.take();
  }
  offerControls(open, asked, columns, out);
  const std::string row = destinationText(open.example, asked.row);
  out.text("row_name", row);
  out.text("dealt_head", open.heads() > 1 ? tr(" in head {0}", {head}) : "");
  const std::string outcome =
      asked.measure == Measure::kNorm  ? tr("the length of {0} at {1}", {of, row})
      : asked.measure == Measure::kDot ? tr("the read-out of {0} at {1}", {of, row})
                                       : tr("component {0} of {1} at {2}", {ordinal(open.example, asked.coordinate), of, row});
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
