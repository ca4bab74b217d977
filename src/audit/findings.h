// What weights alone give away: rows that do not sum to 1 and why, cells that look into the future, NaN, rows without a
// source, a wrong axis. Knows no queries and keys.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "audit/recompute.h"
#include "core/tensor.h"

namespace attn::audit {

struct Finding {
  std::string code;      // stable, for files: the README lists them
  std::string sentence;  // what was found, where, and what it may mean
  core::Index layer = 0;
  std::optional<core::Index> head, row, col;  // of the first place
  std::optional<double> value;
};

// Of one head of T×S weights. `causal`: its owner says that no later source is read. Rows and columns count from 0.
std::vector<Finding> findingsOf(const core::Matrix<double>& weights, Precision precision, bool causal);

// How far from 1 the sum of S weights may be when each is rounded to that precision.
double sumTolerance(Precision precision, core::Index S);

// Whether the columns sum to 1 and the rows do not: transposed, or a softmax along the wrong axis.
bool columnsSumToOne(const core::Matrix<double>& weights, Precision precision);

}  // namespace attn::audit
