// The order in which rows are sampled.
#include "map/row_order.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

using namespace attn::map;

TEST_CASE("The order of rows is a permutation, whatever their number") {
  for (const Index rows : {1, 2, 3, 7, 64, 65, 1000}) {
    RowOrder order(rows, 5);
    std::vector<int> times(static_cast<std::size_t>(rows));
    while (!order.done()) ++times[static_cast<std::size_t>(order.next())];
    CHECK(order.given() == rows);
    CHECK(std::all_of(times.begin(), times.end(), [](int n) { return n == 1; }));
  }
}

TEST_CASE("At every size of pixels, each has one of its rows before any has a second one, and so on") {
  RowOrder order(1024, 11);
  std::vector<Index> rows;
  while (!order.done()) rows.push_back(order.next());
  for (Index pixel = 1; pixel <= 1024; pixel *= 2) {
    const Index pixels = 1024 / pixel;
    for (Index sweep = 0; sweep < pixel; ++sweep) {
      std::vector<int> times(static_cast<std::size_t>(pixels));
      for (auto row = rows.begin() + sweep * pixels; row != rows.begin() + (sweep + 1) * pixels; ++row)
        ++times[static_cast<std::size_t>(*row / pixel)];
      CHECK(std::all_of(times.begin(), times.end(), [](int n) { return n == 1; }));
    }
  }
}

TEST_CASE("Seeds give different orders, the same seed the same one") {
  const auto first = [](std::uint64_t seed) {
    RowOrder order(4096, seed);
    std::vector<Index> rows;
    for (int n = 0; n < 64; ++n) rows.push_back(order.next());
    return rows;
  };
  CHECK(first(1) == first(1));
  CHECK(first(1) != first(2));
}
