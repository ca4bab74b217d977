// Masks read off the zeros of exported weights.
#include <algorithm>
#include <cmath>

#include "audit/verdict.h"
#include "core/mask.h"

namespace attn::audit {
namespace {

using core::Index;
using core::Matrix;

// Rows that a mask may have left without any source show what the framework makes of that, not the mask: with four rows
// and more, the later half is looked at.
Index firstRow(Index T) { return T >= 4 ? T / 2 : 0; }

bool isZero(double weight) { return weight == 0 || std::isnan(weight); }

struct Zeros {
  Index left = 0, right = 0;       // sources that no row reads
  Index before = 0, after = 0;     // the farthest source that is read, before and after the destination's own
  bool top_left = true, bottom_right = true;  // nothing after the destination's own is read
};

Zeros zerosOf(const Matrix<double>& weights) {
  const Index T = weights.rows(), S = weights.cols();
  Zeros zeros;
  Index first = S, last = -1;
  for (Index i = firstRow(T); i < T; ++i) {
    const Index p = core::alignedPosition(core::Align::kBottomRight, i, T, S);
    for (Index j = 0; j < S; ++j) {
      if (isZero(weights(i, j))) continue;
      first = std::min(first, j), last = std::max(last, j);
      zeros.before = std::max(zeros.before, p - j), zeros.after = std::max(zeros.after, j - p);
      if (j > i) zeros.top_left = false;
      if (j > p) zeros.bottom_right = false;
    }
  }
  zeros.left = first < S ? first : 0;
  zeros.right = last >= 0 ? S - 1 - last : 0;
  return zeros;
}

void add(std::vector<Hypothesis>& list, const Export& exported, Hypothesis mask) {
  const Matrix<bool> allowed = allowedBy(mask, exported, nullptr);
  for (const Hypothesis& other : list) {
    if (allowedBy(other, exported, nullptr) == allowed) return;
  }
  list.push_back(std::move(mask));
}

// Without weights: every small window and padding, since nothing points at one.
std::vector<Hypothesis> blindCandidates(const Export& exported) {
  constexpr Index kMost = 16;
  const Index T = exported.T(), S = exported.S();
  std::vector<Hypothesis> list = {{}};
  add(list, exported, {{.kind = Kind::kCausal}});
  add(list, exported, {{.kind = Kind::kCausalBottomRight}});
  for (Index n = 1; n < std::min(S, kMost); ++n) {
    add(list, exported, {{.kind = Kind::kPaddingRight, .count = n}});
    add(list, exported, {{.kind = Kind::kPaddingLeft, .count = n}});
    add(list, exported, {{.kind = Kind::kCausal}, {.kind = Kind::kPaddingLeft, .count = n}});
    add(list, exported, {{.kind = Kind::kCausal}, {.kind = Kind::kPaddingRight, .count = n}});
  }
  for (Index n = 1; n < std::min(std::max(T, S), kMost); ++n) {
    add(list, exported, {{.kind = Kind::kCausalWindow, .count = n}});
    add(list, exported, {{.kind = Kind::kWindow, .count = n}});
  }
  return list;
}

}  // namespace

std::vector<Hypothesis> maskCandidates(const Export& exported) {
  if (exported.weights.empty()) return blindCandidates(exported);
  const Zeros zeros = zerosOf(exported.weights[0]);
  std::vector<Hypothesis> orders = {{}};
  if (zeros.top_left) add(orders, exported, {{.kind = Kind::kCausal}});
  if (zeros.bottom_right) add(orders, exported, {{.kind = Kind::kCausalBottomRight}});
  const Index across = std::max(zeros.before, zeros.after) + 1;
  add(orders, exported, {{.kind = Kind::kWindow, .count = across}});
  if (zeros.bottom_right) add(orders, exported, {{.kind = Kind::kCausalWindow, .count = zeros.before + 1}});
  std::vector<Hypothesis> list = orders;
  const auto with = [](Hypothesis mask, Kind kind, Index count) {
    mask.push_back({.kind = kind, .count = count});
    return mask;
  };
  for (const Hypothesis& order : orders) {
    if (zeros.left > 0) add(list, exported, with(order, Kind::kPaddingLeft, zeros.left));
    if (zeros.right > 0) add(list, exported, with(order, Kind::kPaddingRight, zeros.right));
    if (zeros.left > 0 && zeros.right > 0) {
      add(list, exported, with(with(order, Kind::kPaddingLeft, zeros.left), Kind::kPaddingRight, zeros.right));
    }
  }
  return list;
}

}  // namespace attn::audit
