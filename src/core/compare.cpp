// Subtractions and counts. See compare.h.
#include "core/compare.h"

#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>

namespace attn::core {
namespace {

// Heads other than the compared ones may differ in shape: then nothing is said of them.
template <class M>
void subtract(M& after, const M& before) {
  if (after.rows() == before.rows() && after.cols() == before.cols()) after -= before;
  else after.setZero();
}

template <class M>
void subtract(std::optional<M>& after, const std::optional<M>& before) {
  if (after && before) subtract(*after, *before);
}

// Which head of the one each head of the other is compared with: its own, unless another one is asked for.
struct Pairing {
  Index before = 0, after = 0, count_before = 1;
  Index of(Index head) const { return before == after && head < count_before ? head : before; }
};

template <class M>
void subtract(std::vector<M>& after, const std::vector<M>& before, Index own, Index other) {
  for (std::size_t i = 0; i < after.size() && !before.empty(); ++i) {
    const bool alike = own == other && i < before.size();
    subtract(after[i], before[alike ? i : static_cast<std::size_t>(other)]);
  }
}

void subtractHead(HeadTrace<double>& after, const HeadTrace<double>& before) {
  subtract(after.q, before.q);
  subtract(after.k, before.k);
  subtract(after.v, before.v);
  subtract(after.scores, before.scores);
  subtract(after.scaled, before.scaled);
  subtract(after.softcapped, before.softcapped);
  subtract(after.bias, before.bias);
  subtract(after.biased, before.biased);
  subtract(after.masked, before.masked);
  subtract(after.softmax.exp, before.softmax.exp);
  subtract(after.softmax.weights, before.softmax.weights);
  for (std::size_t i = 0; i < after.softmax.row_status.size(); ++i)
    if (before.softmax.row_status[i] == RowStatus::kOk) after.softmax.row_status[i] = RowStatus::kOk;
  subtract(after.z, before.z);
}

void subtractParameters(Problem<double>& after, const Trace<double>& before, const Trace<double>& now,
                        const Pairing& pairing) {
  const Problem<double>& p = before.problem;
  const Index own = now.heads[static_cast<std::size_t>(pairing.after)].kv_head;
  const Index other = before.heads[static_cast<std::size_t>(pairing.before)].kv_head;
  subtract(after.x, p.x);
  subtract(after.x_sources, p.x_sources);
  subtract(after.state, p.state);
  subtract(after.wq, p.wq, pairing.after, pairing.before);
  subtract(after.bq, p.bq, pairing.after, pairing.before);
  for (auto list : {&Problem<double>::wk, &Problem<double>::wv}) subtract(after.*list, p.*list, own, other);
  for (auto list : {&Problem<double>::bk, &Problem<double>::bv}) subtract(after.*list, p.*list, own, other);
  subtract(after.wo, p.wo);
  subtract(after.bo, p.bo);
}

}  // namespace

bool sameNumber(double a, double b) {
  std::uint64_t x = 0, y = 0;
  std::memcpy(&x, &a, sizeof x);
  std::memcpy(&y, &b, sizeof y);
  return x == y || (std::isnan(a) && std::isnan(b));
}

std::optional<Change> changeOf(ArrayView before, ArrayView after) {
  if (!before || !after || before.rows != after.rows || before.columns != after.columns) return std::nullopt;
  Change change;
  for (Index i = 0; i < after.rows; ++i)
    for (Index j = 0; j < after.columns; ++j) {
      if (sameNumber(before(i, j), after(i, j))) continue;
      if (change.rows.empty() || change.rows.back() != i) change.rows.push_back(i);
      const double difference = after(i, j) - before(i, j);
      const bool larger = std::isfinite(change.largest) &&
                          (!std::isfinite(difference) || std::abs(difference) > std::abs(change.largest));
      if (change.cells++ > 0 && !larger) continue;
      change.largest = difference, change.row = i, change.col = j;
    }
  return change;
}

bool sameShapes(const Trace<double>& before, Index head_before, const Trace<double>& after, Index head_after) {
  for (int n = 0; n < kArrayCount; ++n) {
    const ArrayView a = arrayOf(before, head_before, static_cast<Array>(n));
    const ArrayView b = arrayOf(after, head_after, static_cast<Array>(n));
    if (a.rows != b.rows || a.columns != b.columns || bool(a) != bool(b)) return false;
  }
  return true;
}

Trace<double> differenceOf(const Trace<double>& before, Index head_before, const Trace<double>& after,
                           Index head_after) {
  assert(sameShapes(before, head_before, after, head_after));
  Trace<double> out = after;
  const Pairing pairing{head_before, head_after, static_cast<Index>(before.heads.size())};
  for (std::size_t h = 0; h < out.heads.size(); ++h)
    subtractHead(out.heads[h], before.heads[static_cast<std::size_t>(pairing.of(static_cast<Index>(h)))]);
  subtractParameters(out.problem, before, after, pairing);
  subtract(out.x, before.x);
  subtract(out.concat, before.concat);
  subtract(out.y, before.y);
  subtract(out.residual, before.residual);
  for (Index i = 0; i < out.mask.rows(); ++i)
    for (Index j = 0; j < out.mask.columns(); ++j)
      if (before.mask.allowed(i, j)) out.mask.allow(i, j);
  return out;
}

}  // namespace attn::core
