// Edits carried out on problems, and attention computed once more in the plainest way, for tests of what edits do.
// Knows core only.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "core/edited.h"
#include "support/problems.h"

namespace attn::test {

using Texts = std::vector<std::string>;

// Tokens are "t0", "t1", … and sources "s0", … where none are given.
core::Subject subjectOf(const Problem& problem, const Texts& tokens = {});

// The edits carried out; they must be accepted.
core::Subject edited(const core::Subject& subject, const Texts& edits);
Problem edited(const Problem& problem, const Texts& edits);
Trace editedTrace(const Problem& problem, const Texts& edits);

// The sentence that refuses the edits, or "accepted".
std::string refusal(const Problem& problem, const Texts& edits);

// What is done to an array of one head before it is used.
using Touch = std::function<void(core::Array array, Index head, Matrix& values)>;
using MayRead = std::function<bool(Index row, Index col)>;

struct Plain {
  std::vector<Matrix> weights, z;  // per head
  Matrix y;
  Matrix residual;  // empty without one
};

// Reads of the problem neither mask (causal and padding aside) nor interventions: `touch` and `may_read` take their
// place.
Plain plainAttention(const Problem& problem, const Touch& touch = nullptr, const MayRead& may_read = nullptr);

// The largest difference of weights, z, y and residual.
double difference(const Trace& trace, const Plain& plain);
double difference(const Trace& a, const Trace& b);

}  // namespace attn::test
