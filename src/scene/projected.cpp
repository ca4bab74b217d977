// See projected.h.
#include "scene/projected.h"

#include <algorithm>
#include <numeric>

namespace attn::scene {
namespace {

using core::Array;
using core::Intervention;
using Kind = Intervention::Kind;

Matrix<double> rowsOf(const Matrix<double>& array, const std::vector<Index>& rows) {
  Matrix<double> some(static_cast<Index>(rows.size()), array.cols());
  for (std::size_t n = 0; n < rows.size(); ++n) some.row(static_cast<Index>(n)) = array.row(rows[n]);
  return some;
}

bool actsBehindProjections(const Intervention& one) {
  return one.kind != Kind::kSet || core::isOverSources(one.array) || one.array == Array::kZ;
}

// What is done to whole heads, to every row, or to one that is there.
void addInterventions(const core::Problem<double>& from, const std::vector<Index>& rows, core::Problem<double>& to) {
  for (Intervention one : from.interventions) {
    if (!actsBehindProjections(one)) continue;
    const bool of_head = one.kind == Kind::kAblate || one.kind == Kind::kMeanAblate;
    if (!of_head && one.row) {
      const auto place = std::find(rows.begin(), rows.end(), *one.row);
      if (place == rows.end()) continue;
      one.row = place - rows.begin();
    }
    to.interventions.push_back(std::move(one));
  }
}

}  // namespace

core::Problem<double> projectedProblem(const core::Trace<double>& trace, const std::vector<Index>& rows) {
  const core::Problem<double>& from = trace.problem;
  core::Problem<double> to;
  to.T = static_cast<Index>(rows.size());
  to.S = from.S;
  to.cross = true;
  const Index groups = from.keyValueHeads(), heads = from.heads();
  for (Index g = 0; g < groups; ++g) {
    const core::HeadTrace<double>& head = trace.heads[static_cast<std::size_t>(g * heads / groups)];
    to.k.push_back(head.k);
    to.v.push_back(head.v);
  }
  for (const core::HeadTrace<double>& head : trace.heads) {
    to.q.push_back(rowsOf(head.q, rows));
    if (head.bias) to.bias.push_back(rowsOf(*head.bias, rows));
  }
  for (const Index i : rows) {
    std::vector<bool> row;
    for (Index j = 0; j < from.S; ++j) row.push_back(trace.mask.allowed(i, j));
    to.mask.allowed.push_back(std::move(row));
  }
  to.scale = from.scale;
  to.temperature = from.temperature;
  to.softcap = from.softcap;
  to.sink = from.sink;
  to.wo = from.wo;
  to.bo = from.bo;
  addInterventions(from, rows, to);
  return to;
}

bool needsAllRows(const core::Problem<double>& problem) {
  return std::any_of(problem.interventions.begin(), problem.interventions.end(),
                     [](const Intervention& one) { return one.kind == Kind::kMeanAblate; });
}

core::Problem<double> problemOfRow(const core::Trace<double>& trace, Index row, Index& at) {
  std::vector<Index> rows = {row};
  at = 0;
  if (needsAllRows(trace.problem)) {
    rows.resize(static_cast<std::size_t>(trace.problem.T));
    std::iota(rows.begin(), rows.end(), Index(0));
    at = row;
  }
  return projectedProblem(trace, rows);
}

}  // namespace attn::scene
