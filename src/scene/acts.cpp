// See acts.h.
#include "scene/acts.h"

#include "core/edit.h"

namespace attn::scene {
namespace {

using core::Edit;
using core::EditKind;
using core::Intervention;
using Kind = Act::Kind;

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

EditKind editKind(Kind kind) {
  switch (kind) {
    case Kind::kForbid: return EditKind::kForbid;
    case Kind::kZeroWeight: return EditKind::kZeroWeight;
    case Kind::kZeroValue: return EditKind::kSet;
    case Kind::kAblate: return EditKind::kAblate;
    case Kind::kPermute: return EditKind::kPermute;
  }
  return EditKind::kForbid;
}

}  // namespace

std::vector<std::string> editsOf(const Act& act, const core::Trace<double>& trace) {
  if (act.kind == Kind::kZeroValue) return zeroValue(act.source, trace);
  const bool of_head = act.kind == Kind::kAblate || act.kind == Kind::kPermute;
  Edit edit;
  edit.kind = editKind(act.kind);
  if (of_head) edit.head = act.head;
  if (act.kind != Kind::kAblate) edit.row = act.row;
  if (!of_head) edit.col = act.source;
  edit.seed = act.seed;
  return {core::editText(edit)};
}

void carryOut(const Act& act, Index at, core::Problem<double>& problem) {
  const auto source = static_cast<std::size_t>(act.source);
  Intervention one;
  if (act.row) one.row = at;
  if (act.kind == Kind::kForbid) {
    for (std::size_t i = 0; i < problem.mask.allowed.size(); ++i)
      if (!act.row || static_cast<Index>(i) == at) problem.mask.allowed[i][source] = false;
    return;
  }
  if (act.kind == Kind::kZeroValue) {
    for (Matrix<double>& v : problem.v) v.row(act.source).setZero();
    return;
  }
  if (act.kind == Kind::kZeroWeight) {
    one.col = act.source;
    one.values = {0};
  } else {
    one.head = act.head;
    one.seed = act.seed;
    one.kind = act.kind == Kind::kAblate ? Intervention::Kind::kAblate : Intervention::Kind::kPermute;
  }
  problem.interventions.push_back(std::move(one));
}

}  // namespace attn::scene
