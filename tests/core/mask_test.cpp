// Which cells a mask blocks, and why.
#include "core/mask.h"

#include <doctest/doctest.h>

#include <cmath>

#include "support/problems.h"

namespace attn::core {
namespace {

using test::Random;

std::string refusal(const MaskSpec& spec, Index rows, Index columns) {
  const Result<Mask> mask = makeMask(spec, rows, columns);
  return mask ? "accepted" : mask.error().message;
}

MaskSpec randomSpec(Random& random, Index rows, Index columns) {
  MaskSpec spec;
  spec.causal = random.below(2) == 0;
  if (random.below(2) == 0) spec.align = Align::kBottomRight;
  if (random.below(2) == 0) spec.window = 1 + random.below(4);
  if (random.below(2) == 0)
    for (Index j = 0; j < columns; ++j) spec.padding.push_back(random.below(4) > 0);
  if (random.below(2) == 0)
    for (Index i = 0; i < rows; ++i) {
      spec.allowed.emplace_back();
      for (Index j = 0; j < columns; ++j) spec.allowed.back().push_back(random.below(3) > 0);
    }
  return spec;
}

}  // namespace

TEST_CASE("A mask without parts blocks nothing") {
  CHECK(MaskSpec{}.none());
  const Mask mask = makeMask({}, 3, 4).take();
  CHECK(mask.rows() == 3);
  CHECK(mask.columns() == 4);
  for (Index i = 0; i < 3; ++i) CHECK(mask.allowedInRow(i) == 4);
}

TEST_CASE("Every reason that blocks a cell is named, in one order") {
  MaskSpec spec;
  spec.causal = true;
  spec.window = 1;
  spec.padding = {true, true, false};
  spec.allowed = {{true, true, false}, {false, true, true}, {true, true, true}};
  Mask mask = makeMask(spec, 3, 3).take();
  CHECK(blockReasonText(mask.reasons(0, 2)) == "causal+window+padding+allowed");
  CHECK(blockReasonText(mask.reasons(1, 0)) == "window+allowed");
  CHECK(blockReasonText(mask.reasons(2, 2)) == "padding");
  CHECK(blockReasonText(mask.reasons(1, 1)) == "");
  mask.block(0, 2, kBlockedByEdit);
  mask.block(1, 1, kBlockedByEdit);
  CHECK(blockReasonText(mask.reasons(0, 2)) == "causal+window+padding+allowed+edit");
  CHECK(blockReasonText(mask.reasons(1, 1)) == "edit");
  CHECK_FALSE(mask.allowed(1, 1));
}

TEST_CASE("Parts are combined with and: a cell may be read when every part alone allows it") {
  Random random(3);
  for (int n = 0; n < 50; ++n) {
    const Index rows = 1 + random.below(6), columns = 1 + random.below(6);
    const MaskSpec whole = randomSpec(random, rows, columns);
    MaskSpec causal, window, padding, allowed;
    causal.causal = whole.causal;
    window.window = whole.window;
    padding.padding = whole.padding;
    allowed.allowed = whole.allowed;
    causal.align = window.align = whole.align;
    const Mask all = makeMask(whole, rows, columns).take();
    std::vector<Mask> parts;
    for (const MaskSpec& part : {causal, window, padding, allowed})
      parts.push_back(makeMask(part, rows, columns).take());
    for (Index i = 0; i < rows; ++i)
      for (Index j = 0; j < columns; ++j) {
        std::uint8_t reasons = 0;
        for (const Mask& part : parts) reasons |= part.reasons(i, j);
        CHECK(all.reasons(i, j) == reasons);
      }
  }
}

TEST_CASE("A window without causal is symmetric and does not depend on direction") {
  MaskSpec spec;
  spec.window = 3;
  const Mask mask = makeMask(spec, 9, 9).take();
  for (Index i = 0; i < 9; ++i)
    for (Index j = 0; j < 9; ++j) {
      CHECK(mask.allowed(i, j) == mask.allowed(j, i));
      CHECK(mask.allowed(i, j) == (std::abs(i - j) <= 2));
    }
}

TEST_CASE("With as many sources as destinations both alignments are the same mask") {
  for (const Index position : {0, 3, 6}) {
    CHECK(alignedPosition(Align::kTopLeft, position, 7, 7) == alignedPosition(Align::kBottomRight, position, 7, 7));
  }
  CHECK(alignedPosition(Align::kBottomRight, 0, 6, 4) == -2);
}

TEST_CASE("A causal mask aligned bottom-right over fewer sources leaves the first rows without a source") {
  MaskSpec spec;
  spec.causal = true;
  spec.align = Align::kBottomRight;
  const Mask mask = makeMask(spec, 4, 2).take();
  CHECK(mask.allowedInRow(0) == 0);
  CHECK(mask.allowedInRow(1) == 0);
  CHECK(mask.allowedInRow(2) == 1);
  CHECK(mask.allowedInRow(3) == 2);
}

TEST_CASE("A mask that does not fit is refused in one sentence that names the field") {
  MaskSpec spec;
  spec.window = 0;
  CHECK(refusal(spec, 2, 3) ==
        "mask.window: 0 is not a window: give a whole number from 1 (1 = each token reads only itself)");
  spec = {};
  spec.padding = {true, false};
  CHECK(refusal(spec, 2, 3) ==
        "mask.padding: 2 entries do not fit 3 sources: mask.padding needs one entry per source (S)");
  spec = {};
  spec.allowed = {{true, true, true}};
  CHECK(refusal(spec, 2, 3) ==
        "mask.allowed: 1 row does not fit 2 destinations: mask.allowed needs one row per destination (T)");
  spec.allowed = {{true, true, true}, {true, true}};
  CHECK(refusal(spec, 2, 3) ==
        "mask.allowed: row 1 has 2 entries but there are 3 sources: mask.allowed needs one column per source (S)");
}

}  // namespace attn::core
