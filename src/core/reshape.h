// Gives a sublayer other positions, heads or widths, with what is new filled. Knows no edit and no names of positions.
#pragma once
#include <vector>

#include "core/problem.h"

namespace attn::core {

// Where each element of the new list comes from: an index of the old one, or kNew.
inline constexpr Index kNew = -1;
using Origins = std::vector<Index>;

// Positions: destinations take theirs from `from`, and so do the sources in self-attention. The numbers of a new position
// (x, given q, k, v, state) are those of old position `like`, or 0 when that is kNew. It may be read and may read all,
// its bias is 0. Rules and interventions go with their position; in a row of scores or weights that was set, a new source
// has 0.
void reorderPositions(Problem<double>& problem, const Origins& from, Index like);

// Query heads, with as many key/value heads (nothing is shared). An origin that occurs again is a copy: its rows of W_O
// are 0, and interventions stay with the first.
void reorderHeads(Problem<double>& problem, const Origins& from);

// d_k or d_v of every head: columns beyond the old width are 0, columns beyond the new one are left out. W_O goes with d_v.
void setKeyWidth(Problem<double>& problem, Index width);
void setValueWidth(Problem<double>& problem, Index width);

// W_O = I in the place of none, so that what is added to y can change its width.
void makeOutputExplicit(Problem<double>& problem);

}  // namespace attn::core
