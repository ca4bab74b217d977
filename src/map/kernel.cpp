// The kernel in portable vectors. See kernel.h.
#include "map/kernel.h"

#include <algorithm>

#include "map/lanes.h"

namespace attn::map {

void scoreBlock(const float* q, const float* keys, std::ptrdiff_t width, std::ptrdiff_t panels, float* scores) {
  const float *q0 = q, *q1 = q + width, *q2 = q1 + width, *q3 = q2 + width;
  for (std::ptrdiff_t panel = 0; panel < panels; ++panel) {
    // Eight sums stay in registers; unrolling this loop would spill them in the browser.
    Lanes a0{}, b0{}, a1{}, b1{}, a2{}, b2{}, a3{}, b3{};
    for (std::ptrdiff_t c = 0; c < width; ++c, keys += kPanel) {
      const Lanes a = load(keys), b = load(keys + kLanes);
      a0 += splat(q0[c]) * a, b0 += splat(q0[c]) * b;
      a1 += splat(q1[c]) * a, b1 += splat(q1[c]) * b;
      a2 += splat(q2[c]) * a, b2 += splat(q2[c]) * b;
      a3 += splat(q3[c]) * a, b3 += splat(q3[c]) * b;
    }
    float* to = scores + panel * kPanel;
    store(to, a0), store(to + kLanes, b0), to += kBlock;
    store(to, a1), store(to + kLanes, b1), to += kBlock;
    store(to, a2), store(to + kLanes, b2), to += kBlock;
    store(to, a3), store(to + kLanes, b3);
  }
}

float largest(const float* numbers, std::ptrdiff_t n) {
  Lanes a = load(numbers), b = load(numbers + kLanes);
  for (std::ptrdiff_t j = kPanel; j < n; j += kPanel) {
    a = larger(a, load(numbers + j));
    b = larger(b, load(numbers + j + kLanes));
  }
  return largestOf(larger(a, b));
}

void exponentials(float* scores, std::ptrdiff_t n, float top) {
  const Lanes tops = splat(top);
  for (std::ptrdiff_t j = 0; j < n; j += kPanel) {
    const Lanes a = powerOfTwo(load(scores + j) - tops), b = powerOfTwo(load(scores + j + kLanes) - tops);
    store(scores + j, a), store(scores + j + kLanes, b);
  }
}

namespace {

// Of n ≥ kPanel numbers.
void poolLong(const float* numbers, std::ptrdiff_t n, float& most, float& sum) {
  Lanes top_a = load(numbers), top_b = load(numbers + kLanes), sum_a = top_a, sum_b = top_b;
  std::ptrdiff_t j = kPanel;
  for (; j + kPanel <= n; j += kPanel) {
    const Lanes a = load(numbers + j), b = load(numbers + j + kLanes);
    top_a = larger(top_a, a), top_b = larger(top_b, b);
    sum_a += a, sum_b += b;
  }
  most = largestOf(larger(top_a, top_b));
  sum = sumOf(sum_a + sum_b);
  for (; j < n; ++j) most = std::max(most, numbers[j]), sum += numbers[j];
}

// Of 1 ≤ n numbers, a few.
inline void poolShort(const float* numbers, std::ptrdiff_t n, float& most, float& sum) {
  float top = numbers[0], total = numbers[0];
  for (std::ptrdiff_t j = 1; j < n; ++j) top = numbers[j] > top ? numbers[j] : top, total += numbers[j];
  most = top, sum = total;
}

// Of whole cells of a size that the compiler knows.
template <int kCell>
void poolWhole(const float* numbers, std::ptrdiff_t cells, float* most, float* sum) {
  for (std::ptrdiff_t c = 0; c < cells; ++c) poolShort(numbers + c * kCell, kCell, most[c], sum[c]);
}

}  // namespace

void poolCells(const float* numbers, std::ptrdiff_t n, std::ptrdiff_t cell, float* most, float* sum) {
  const std::ptrdiff_t whole = n / cell, rest = n - whole * cell;
  switch (cell) {
    case 1: poolWhole<1>(numbers, whole, most, sum); break;
    case 2: poolWhole<2>(numbers, whole, most, sum); break;
    case 4: poolWhole<4>(numbers, whole, most, sum); break;
    default:
      for (std::ptrdiff_t c = 0; c < whole; ++c)
        (cell < kPanel ? poolShort : poolLong)(numbers + c * cell, cell, most[c], sum[c]);
  }
  if (rest > 0) (rest < kPanel ? poolShort : poolLong)(numbers + whole * cell, rest, most[whole], sum[whole]);
}

}  // namespace attn::map
