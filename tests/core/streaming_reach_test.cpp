// Which sources each row of a tile may read is what the mask of core says, and no more is gone through than needed.
#include "core/streaming/reach.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "support/long_attention.h"

namespace attn::core::streaming {
namespace {

struct Filled {
  std::vector<int> first = std::vector<int>(kRowStep), last = std::vector<int>(kRowStep);
  std::vector<std::uint32_t> words = std::vector<std::uint32_t>(static_cast<std::size_t>(kRowStep * kMaskWords));

  TileMask mask() { return {first.data(), last.data(), words.data()}; }
  bool readable(int row, int column) const {
    return words[static_cast<std::size_t>(row * kMaskWords + column / 32)] >> (column % 32) & 1;
  }
};

// Whether `row` is told as it is, bit by bit, and its ends to 32 columns.
bool told(const Filled& filled, int row, const Mask& mask, core::Index i, core::Index source, int columns) {
  int first = kMostSources, last = 0;
  for (int column = 0; column < kMostSources; ++column) {
    const bool allowed = column < columns && mask.allowed(i, source + column);
    if (filled.readable(row, column) != allowed) return false;
    if (allowed) first = std::min(first, column), last = column + 1;
  }
  const auto at = static_cast<std::size_t>(row);
  if (last == 0) return filled.first[at] >= filled.last[at];
  return filled.first[at] <= first && filled.first[at] > first - 32 && filled.last[at] >= last && filled.last[at] < last + 32;
}

void checkTiles(const test::LongCase& the) {
  const test::LongAttention attention(the);
  const Mask mask = makeMask(attention.problem().mask, the.T, the.S).take();
  const Reach reach = Reach::make(attention.inputs()).take();
  for (core::Index row = 0; row < the.T; row += kRowStep) {
    const int rows = static_cast<int>(std::min<core::Index>(kRowStep, the.T - row));
    for (core::Index source = 0; source < the.S; source += 256) {
      const int columns = static_cast<int>(std::min<core::Index>(256, the.S - source));
      Filled filled;
      const Extent extent = reach.fill(row, rows, kRowStep, source, columns, filled.mask());
      core::Index allowed = 0;
      bool as_told = true;
      for (int r = 0; r < rows; ++r) {
        for (int column = 0; column < columns; ++column) allowed += mask.allowed(row + r, source + column);
        if (extent != Extent::kAll && !told(filled, r, mask, row + r, source, columns)) as_told = false;
      }
      CHECK(as_told);
      CHECK((extent == Extent::kNothing) == (allowed == 0));
      if (extent == Extent::kAll) CHECK(allowed == rows * columns);
    }
  }
}

}  // namespace

TEST_CASE("What the rows of a tile may read is told bit by bit, and its ends as closely as words allow") {
  for (int rules = 0; rules < 32; ++rules) {
    for (const auto& [T, S] : {std::pair<core::Index, core::Index>{200, 200}, {100, 700}, {700, 512}}) {
      test::LongCase the;
      the.T = T, the.S = S;
      the.causal = rules & 1;
      the.align = rules & 2 ? Align::kBottomRight : Align::kTopLeft;
      if (rules & 4) the.window = 90;
      the.padding = rules & 8;
      if (rules & 16) the.pattern = {64, 64};
      the.seed = static_cast<std::uint64_t>(rules + 1);
      checkTiles(the);
    }
  }
}

TEST_CASE("Rows that fill up a group may read nothing") {
  test::LongCase the;
  the.T = 3, the.S = 70;
  const test::LongAttention attention(the);
  Filled filled;
  CHECK(Reach::make(attention.inputs()).take().fill(0, 3, 6, 0, 70, filled.mask()) == Extent::kSome);
  CHECK(filled.first[5] > filled.last[5]);
  CHECK(!filled.readable(5, 0));
  CHECK(filled.readable(2, 69));
  CHECK(!filled.readable(2, 70));
}

TEST_CASE("A whole tile is told as such") {
  test::LongCase the;
  the.T = 96, the.S = 300;
  const test::LongAttention attention(the);
  Filled filled;
  const Reach reach = Reach::make(attention.inputs()).take();
  CHECK(reach.fill(0, 96, 96, 0, 256, filled.mask()) == Extent::kAll);
  CHECK(filled.last[95] == 256);
  CHECK(reach.fill(0, 96, 96, 256, 44, filled.mask()) == Extent::kSome);  // not whole panels
}

}  // namespace attn::core::streaming
