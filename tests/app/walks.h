// Problems for walking: small ones of every kind, so that all positions of all walks can be looked at. Knows no
// session.
#pragma once
#include <string>
#include <vector>

#include "app/state.h"
#include "core/trace.h"
#include "support/problems.h"

namespace attn::test {

struct NamedProblem {
  std::string name;
  Problem problem;
};

// The worked examples; a row that may read nothing; cross-attention; shared heads with biases; every score rule; a
// normalised block; one token.
std::vector<NamedProblem> walkProblems();

inline constexpr app::Order kOrders[] = {app::Order::kRow, app::Order::kStage};
inline constexpr app::Grain kGrains[] = {app::Grain::kStage, app::Grain::kRow, app::Grain::kCell, app::Grain::kTerm};

// The walk by its definition, written out step by step.
std::vector<app::Step> enumeratedSteps(const Trace& trace, app::Order order, app::Grain grain, Index row, Index head);

}  // namespace attn::test
