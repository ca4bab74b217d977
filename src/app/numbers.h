// The arithmetic of a step with its numbers put in, line by line. Every number comes from the Trace; says nothing of
// what it means.
#pragma once
#include <string>
#include <vector>

#include "app/printed.h"
#include "app/session.h"

namespace attn::app {

class Numbers {
 public:
  explicit Numbers(const Session& session) : Numbers(session, Printer(session.state())) {}
  Numbers(const Session& session, Printer printer);

  // "q₃ = x₃·W_Q": what the stage does, in letters.
  std::string formula(const Step& step) const;
  // What the step did, each line adding up as printed or marked.
  std::vector<std::string> lines(const Step& step) const;

 private:
  using Part = Printer::Part;

  core::ArrayView array(core::Array name) const;
  Printed number(double value) const { return printer_.number(value); }
  double before(core::Stage stage, Index row, Index col) const;

  // One cell of the stage's result from its operands.
  Printed cell(core::Stage stage, Index row, Index col) const;
  // One summand of a cell: as printed, and as the computation has it.
  struct Term {
    Printed printed;
    double value = 0;
    bool blocked = false;  // a source that may not be read adds nothing
  };
  // The terms whose sum the cell is; none for stages that are not sums.
  std::vector<Term> terms(core::Stage stage, Index row, Index col) const;
  std::vector<Term> dotTerms(core::ArrayView a, Index row, core::ArrayView b, Index col, core::ArrayView bias) const;
  std::vector<Term> mixTerms(Index row, Index col) const;
  Printed scaled(double score) const;
  Printed normalised(Index row, Index col) const;
  Printed denominator(Index row) const;
  Part part(core::Stage stage, Index row, Index col) const;
  std::string label(core::Stage stage, Index row, Index col) const;

  std::vector<std::string> wholeLines(core::Stage stage) const;
  std::vector<std::string> rowLines(core::Stage stage, Index row) const;
  std::vector<std::string> cellLines(core::Stage stage, Index row, Index col) const;
  std::vector<std::string> termLines(const Step& step) const;
  std::vector<std::string> normPhase(const Step& step) const;
  std::vector<std::string> softmaxRow(Index row) const;
  std::vector<std::string> softmaxPhase(const Step& step) const;
  Part rowSum(Index row, bool shifted) const;
  std::vector<Part> sourceChain(Index row, Index col) const;
  // One line from parts that `build` makes; printed anew with decimals when one of its numbers has no exact form.
  template <class Build>
  std::string line(Build build) const {
    return printer_.uniform([&] { return printer_.line(build()); });
  }
  // What the computation made of a cell, and what an edit puts there; and whether some cell of the row is such.
  double computed(core::Stage stage, Index row, Index col) const;
  std::optional<double> set(core::Stage stage, Index row, Index col) const;
  bool anySet(core::Stage stage, Index row) const;
  std::string vectorText(core::ArrayView array, Index row) const;
  std::string wholeLine(core::Stage stage, Index row) const;
  std::string rowName(core::Stage stage, Index row) const;
  bool silent(core::Stage stage, Index row) const;

  const Session& session_;
  const core::Trace<double>& trace_;
  const core::HeadTrace<double>& head_;
  const lesson::Example& example_;
  mutable Printer printer_;  // notes while it prints whether every number had an exact form
};

}  // namespace attn::app
