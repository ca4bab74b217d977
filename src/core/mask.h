// Which source each destination may read, and why not. Knows nothing of scores.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/align.h"
#include "core/result.h"
#include "core/tensor.h"

namespace attn::core {

// p_i, the source position at which destination i stands.
inline Index alignedPosition(Align align, Index i, Index destinations, Index sources) {
  return align == Align::kBottomRight ? i + sources - destinations : i;
}

// A person's own word about some cells: nothing for a row or column means all of them.
struct CellRule {
  std::optional<Index> row, col;
  bool allow = false;
  bool operator==(const CellRule&) const = default;
};

// All given parts are combined with "and"; the rules act on top, the last one that concerns a cell decides.
struct MaskSpec {
  bool causal = false;                  // j ≤ p_i may be read
  Align align = Align::kTopLeft;
  std::optional<Index> window;          // w ≥ 1: |p_i − j| < w may be read; counts the token itself
  std::vector<bool> padding;            // S entries, true = a real token; empty = none is padding
  std::vector<std::vector<bool>> allowed;  // T rows of S, true = may be read; empty = no such part
  std::vector<CellRule> rules;

  bool none() const { return !causal && !window && padding.empty() && allowed.empty() && rules.empty(); }
  bool operator==(const MaskSpec&) const = default;
};

// What takes the place of a document's whole mask, its alignment included: causal, or none.
inline MaskSpec plainMask(bool causal) {
  MaskSpec mask;
  mask.causal = causal;
  return mask;
}

// Reasons, in the order in which they are named.
enum BlockReason : std::uint8_t {
  kBlockedByCausal = 1,
  kBlockedByWindow = 2,
  kBlockedByPadding = 4,
  kBlockedByAllowed = 8,
  kBlockedByEdit = 16,
};

// T×S. A cell with no reason may be read.
class Mask {
 public:
  Mask() = default;
  Mask(Index rows, Index columns) : reasons_(Reasons::Zero(rows, columns)) {}

  Index rows() const { return reasons_.rows(); }
  Index columns() const { return reasons_.cols(); }
  bool allowed(Index i, Index j) const { return reasons_(i, j) == 0; }
  std::uint8_t reasons(Index i, Index j) const { return reasons_(i, j); }
  void block(Index i, Index j, BlockReason why) { reasons_(i, j) |= why; }
  void allow(Index i, Index j) { reasons_(i, j) = 0; }
  Index allowedInRow(Index i) const;

 private:
  using Reasons = Matrix<std::uint8_t>;
  Reasons reasons_;
};

// Refuses a window below 1, a padding list that is not S long, an `allowed` that is not T×S and a rule outside it.
Check checkMask(const MaskSpec& spec, Index destinations, Index sources);

// Refuses what checkMask refuses.
Result<Mask> makeMask(const MaskSpec& spec, Index destinations, Index sources);

// "", or reasons joined by "+": "causal+window".
std::string blockReasonText(std::uint8_t reasons);

}  // namespace attn::core
