// See acts.h.
#include "scene/acts.h"

#include "core/edit.h"

namespace attn::scene {
namespace {

using core::Edit;
using core::EditKind;
using core::Intervention;
using ActKind = Act::Kind;

// One for all heads, or one for each where they differ in width.
std::vector<std::string> zeroValue(Index source, const core::Trace<double>& trace) {
  std::vector<std::string> edits;
  const Index width = trace.heads[0].v.cols();
  bool alike = true;
  for (const auto& head : trace.heads) alike = alike && head.v.cols() == width;
  for (std::size_t h = 0; h < (alike ? 1 : trace.heads.size()); ++h) {
    Edit edit;
    edit.array = core::Array::kV;
    if (!alike) edit.head = static_cast<Index>(h);
    edit.row = source;
    edit.values.assign(static_cast<std::size_t>(trace.heads[h].v.cols()), 0);
    edits.push_back(core::editText(edit));
  }
  return edits;
}

EditKind editKind(ActKind kind) {
  switch (kind) {
    case ActKind::kForbid: return EditKind::kForbid;
    case ActKind::kZeroWeight: return EditKind::kZeroWeight;
    case ActKind::kZeroValue: return EditKind::kSet;
    case ActKind::kAblate: return EditKind::kAblate;
    case ActKind::kPermute: return EditKind::kPermute;
  }
  return EditKind::kForbid;
}

}  // namespace

std::vector<std::string> editsOf(const Act& act, const core::Trace<double>& trace) {
  if (act.kind == ActKind::kZeroValue) return zeroValue(act.source, trace);
  const bool of_head = act.kind == ActKind::kAblate || act.kind == ActKind::kPermute;
  Edit edit;
  edit.kind = editKind(act.kind);
  if (of_head) edit.head = act.head;
  if (act.kind != ActKind::kAblate) edit.row = act.row;
  if (!of_head) edit.col = act.source;
  edit.seed = act.seed;
  return {core::editText(edit)};
}

void carryOut(const Act& act, Index at, core::Problem<double>& problem) {
  const auto source = static_cast<std::size_t>(act.source);
  Intervention one;
  if (act.row) one.row = at;
  if (act.kind == ActKind::kForbid) {
    for (std::size_t i = 0; i < problem.mask.allowed.size(); ++i)
      if (!act.row || static_cast<Index>(i) == at) problem.mask.allowed[i][source] = false;
    return;
  }
  if (act.kind == ActKind::kZeroValue) {
    for (Matrix<double>& v : problem.v) v.row(act.source).setZero();
    return;
  }
  if (act.kind == ActKind::kZeroWeight) {
    one.col = act.source;
    one.values = {0};
  } else {
    one.head = act.head;
    one.seed = act.seed;
    one.kind = act.kind == ActKind::kAblate ? Intervention::Kind::kAblate : Intervention::Kind::kPermute;
  }
  problem.interventions.push_back(std::move(one));
}

}  // namespace attn::scene
