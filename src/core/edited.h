// Carries out a list of edits on an example: parameters, rules, masks and tokens are changed at once, what enters behind
// a computation stays as an Intervention of the Problem. Computes no Trace.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/edit.h"
#include "core/problem.h"
#include "core/result.h"

namespace attn::core {

// What edits act on: the sublayer and the names of its positions.
struct Subject {
  Problem<double> problem;
  std::vector<std::string> tokens;   // T
  std::vector<std::string> sources;  // S; equal to the tokens in self-attention
};

// Tokens can be added up to this many.
inline constexpr Index kMaxEditedTokens = 64;
// Widths and heads can be raised up to this.
inline constexpr Index kMaxEditedWidth = 64;
inline constexpr Index kMaxEditedHeads = 16;

// The edits in list order. An edit of an input, parameter or rule acts at once; one of x behind a norm, of q, k, v,
// scores, weights and z acts when the computation comes there, so a later edit of x does not undo it.
// Token edits act where they stand: later indices mean the new sequence, and what earlier edits did moves with its
// token. What is new is filled: a token with the text of another takes that one's numbers, else 0; new sources may be
// read; a new head is a copy whose rows of W_O are 0; new columns are 0.
// Refuses, naming the edit: a row, column or head outside, a wrong count of numbers, an array that is not there, and
// sizes beyond the limits above. Nothing is changed then.
Result<Subject> applyEdits(Subject subject, std::span<const Edit> edits);

// The stage at which an edit enters, of those that `problem` has; token edits and x: its first.
Stage entryStage(const Edit& edit, const Problem<double>& problem);

}  // namespace attn::core
