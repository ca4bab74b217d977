// The kernel's own parts: powers of two, and pooling.
#include "map/kernel.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/rng.h"

using namespace attn;
using namespace attn::map;

TEST_CASE("Powers of two are right to 2e-7, exactly 1 at the top and exactly 0 where blocked") {
  std::vector<float> x(1 << 16);
  for (std::size_t n = 0; n < x.size(); ++n) x[n] = -126.0f * static_cast<float>(n) / static_cast<float>(x.size());
  std::vector<float> y = x;
  exponentials(y.data(), static_cast<std::ptrdiff_t>(y.size()), 0);
  double worst = 0;
  for (std::size_t n = 0; n < x.size(); ++n)
    worst = std::max(worst, std::abs(static_cast<double>(y[n]) / std::exp2(static_cast<double>(x[n])) - 1));
  CHECK(worst <= 2e-7);
  std::vector<float> ends = {3.5f, kBlocked, 3.5f - 127, 3.5f - 500, 2.5f, 1.5f, 0.5f, -0.5f};
  exponentials(ends.data(), 8, 3.5f);
  CHECK(ends == std::vector<float>{1, 0, 0, 0, 0.5f, 0.25f, 0.125f, 0.0625f});
}

TEST_CASE("Pooling gives the largest and the sum of each cell, the last one cut off") {
  core::Rng rng(3);
  std::vector<float> x(96);
  for (float& value : x) value = static_cast<float>(rng.below(1000)) - 500;  // sums are exact
  for (const std::ptrdiff_t n : {1, 7, 8, 40, 96})
    for (const std::ptrdiff_t cell : {1, 2, 3, 4, 8, 11, 16, 64, 128}) {
      const std::ptrdiff_t cells = (n + cell - 1) / cell;
      std::vector<float> most(static_cast<std::size_t>(cells)), sum(most);
      poolCells(x.data(), n, cell, most.data(), sum.data());
      for (std::ptrdiff_t c = 0; c < cells; ++c) {
        const auto begin = x.begin() + c * cell, end = x.begin() + std::min(c * cell + cell, n);
        float total = 0;
        std::for_each(begin, end, [&](float value) { total += value; });
        CHECK(most[static_cast<std::size_t>(c)] == *std::max_element(begin, end));
        CHECK(sum[static_cast<std::size_t>(c)] == total);
      }
    }
}
