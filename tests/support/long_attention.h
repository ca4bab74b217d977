// One random problem for both: core's own attention in double precision, with its whole grid, and core/streaming in single
// precision; and what the second promises of the first. Knows no test framework.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/rng.h"
#include "core/streaming/streaming.h"
#include "core/trace.h"

namespace attn::test {

using core::Index;

// Shapes and rules; numbers come from the seed.
struct LongCase {
  Index T = 1, S = 1, d_k = 1, d_v = 1, heads = 1, key_value_heads = 1;
  bool causal = false;
  core::Align align = core::Align::kTopLeft;
  std::optional<Index> window;
  bool padding = false, alibi = false, sink = false;
  std::optional<std::pair<Index, Index>> pattern;  // rows and columns of a block, half of them allowed
  std::optional<double> scale, softcap;
  std::uint64_t seed = 1;
};

// Rows of float, `gap` numbers apart that nobody may read.
struct LongRows {
  std::vector<float> numbers;
  Index rows = 0, columns = 0;
  static constexpr Index kGap = 3;

  LongRows() = default;
  LongRows(Index heads, Index row_count, Index column_count, core::Rng& rng)
      : numbers(static_cast<std::size_t>(heads * row_count * (column_count + kGap)), NAN),
        rows(row_count),
        columns(column_count) {
    for (Index row = 0; row < heads * rows; ++row)
      for (Index n = 0; n < columns; ++n) (*this)(0, row, n) = static_cast<float>(rng.normal());
  }
  float& operator()(Index head, Index row, Index n) {
    return numbers[static_cast<std::size_t>((head * rows + row) * (columns + kGap) + n)];
  }
  core::streaming::Rows view() const { return {numbers.data(), columns + kGap, rows * (columns + kGap)}; }
  std::vector<core::Matrix<double>> matrices() const {
    std::vector<core::Matrix<double>> all(numbers.size() / static_cast<std::size_t>(rows * (columns + kGap)));
    const float* next = numbers.data();
    for (core::Matrix<double>& one : all) {
      one.resize(rows, columns);
      for (Index i = 0; i < rows; ++i, next += columns + kGap)
        for (Index n = 0; n < columns; ++n) one(i, n) = next[n];
    }
    return all;
  }
};

class LongAttention {
 public:
  LongCase the;
  LongRows q, k, v;
  std::vector<std::uint8_t> padding, pattern;
  std::vector<float> alibi, sink;
  // Results of compute().
  std::vector<float> z, row_max, row_sum;
  std::vector<core::RowStatus> row_status;

  explicit LongAttention(const LongCase& given) : the(given) {
    core::Rng rng(the.seed);
    q = LongRows(the.heads, the.T, the.d_k, rng);
    k = LongRows(the.key_value_heads, the.S, the.d_k, rng);
    v = LongRows(the.key_value_heads, the.S, the.d_v, rng);
    if (the.padding)
      for (Index j = 0; j < the.S; ++j) padding.push_back(rng.below(3) > 0);
    if (the.pattern)
      for (Index n = (the.T / the.pattern->first + 1) * (the.S / the.pattern->second + 1); n > 0; --n)
        pattern.push_back(rng.below(2) > 0);
    for (Index h = 0; h < the.heads; ++h) {
      if (the.alibi) alibi.push_back(static_cast<float>(rng.uniform(-0.2, 0.5)));
      if (the.sink) sink.push_back(static_cast<float>(rng.normal()));
    }
    const auto rows = static_cast<std::size_t>(the.heads * the.T);
    z.assign(rows * static_cast<std::size_t>(the.d_v), 7);
    row_max.assign(rows, 7);
    row_sum.assign(rows, 7);
    row_status.assign(rows, core::RowStatus::kOk);
  }

  core::streaming::Inputs inputs() const {
    core::streaming::Inputs in;
    in.T = the.T, in.S = the.S, in.d_k = the.d_k, in.d_v = the.d_v;
    in.heads = the.heads, in.key_value_heads = the.key_value_heads;
    in.q = q.view(), in.k = k.view(), in.v = v.view();
    in.rules.causal = the.causal, in.rules.align = the.align, in.rules.window = the.window;
    if (the.padding) in.rules.padding = padding.data();
    if (the.pattern) in.rules.allowed = {the.pattern->first, the.pattern->second, pattern.data()};
    if (the.scale) in.rules.scale = static_cast<float>(*the.scale);
    if (the.softcap) in.rules.softcap = static_cast<float>(*the.softcap);
    if (the.alibi) in.rules.alibi = alibi.data();
    if (the.sink) in.rules.sink = sink.data();
    return in;
  }
  core::streaming::Outputs outputs() {
    return {z.data(), the.d_v, the.T * the.d_v, row_max.data(), row_sum.data(), row_status.data()};
  }

  // Null when all went well.
  core::Check compute(const core::streaming::Kernel& kernel) {
    auto attention = core::streaming::Attention::prepare(inputs(), outputs(), kernel);
    if (!attention) return attention.error();
    auto scratch = attention.value().scratch();
    if (!scratch) return scratch.error();
    attention.value().work(scratch.value());
    return {};
  }

  core::Matrix<double> zOf(Index head) const {
    core::Matrix<double> all(the.T, the.d_v);
    for (Index i = 0; i < the.T; ++i)
      for (Index n = 0; n < the.d_v; ++n) all(i, n) = z[static_cast<std::size_t>((head * the.T + i) * the.d_v + n)];
    return all;
  }

  core::Problem<double> problem() const {
    core::Problem<double> p;
    p.T = the.T, p.S = the.S, p.cross = the.T != the.S;
    p.q = q.matrices(), p.k = k.matrices(), p.v = v.matrices();
    p.mask.causal = the.causal, p.mask.align = the.align, p.mask.window = the.window;
    p.mask.padding.assign(padding.begin(), padding.end());
    if (the.pattern) {
      const Index columns = (the.S - 1) / the.pattern->second + 1;
      p.mask.allowed.assign(static_cast<std::size_t>(the.T), std::vector<bool>(static_cast<std::size_t>(the.S)));
      for (Index i = 0; i < the.T; ++i)
        for (Index j = 0; j < the.S; ++j)
          p.mask.allowed[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] =
              pattern[static_cast<std::size_t>(i / the.pattern->first * columns + j / the.pattern->second)] != 0;
    }
    if (the.scale) p.scale = static_cast<float>(*the.scale);
    if (the.softcap) p.softcap = static_cast<float>(*the.softcap);
    p.alibi.assign(alibi.begin(), alibi.end());
    p.sink.assign(sink.begin(), sink.end());
    return p;
  }
};

// How far compute() was from core's own attention, at the worst.
struct LongError {
  double z = 0;
  double weight = 0;  // computed again from row_max and row_sum
  bool status = true;  // alike in all rows, and rows without a source as promised
};

inline LongError longError(const LongAttention& got, const core::Trace<double>& wanted) {
  LongError error;
  const auto worst = [](double& so_far, double difference) {
    so_far = difference <= so_far ? so_far : std::isnan(difference) ? HUGE_VAL : difference;
  };
  for (Index h = 0; h < got.the.heads; ++h) {
    const core::HeadTrace<double>& head = wanted.heads[static_cast<std::size_t>(h)];
    const core::Matrix<double> z = got.zOf(h);
    for (Index i = 0; i < got.the.T; ++i) {
      const auto at = static_cast<std::size_t>(h * got.the.T + i);
      const double max = got.row_max[at], sum = got.row_sum[at], sink = head.sink ? std::exp(*head.sink - max) : 0;
      const bool none = head.softmax.row_status[static_cast<std::size_t>(i)] == core::RowStatus::kNoSource;
      if (got.row_status[at] != head.softmax.row_status[static_cast<std::size_t>(i)]) error.status = false;
      if (none && (max != -HUGE_VAL || sum != 0 || !z.row(i).isZero(0))) error.status = false;
      for (Index n = 0; n < got.the.d_v; ++n) worst(error.z, std::abs(z(i, n) - head.z(i, n)));
      for (Index j = 0; j < got.the.S && !none; ++j)
        worst(error.weight, std::abs(std::exp(head.masked(i, j) - max) / (sum + sink) - head.softmax.weights(i, j)));
    }
  }
  return error;
}

}  // namespace attn::test
