// Costs against counting, and the bytes that lesson 6.3 prints (L8).
#include "core/cost.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "core/mask.h"

namespace attn::core {
TEST_CASE("One grid of 32-bit numbers takes the bytes that the lesson prints") {
  struct Case {
    double T, bytes;
    const char* text;
  };
  for (const auto& [T, bytes, text] : {Case{64, 16384, "16 KiB"}, Case{1024, 4194304, "4 MiB"},
                                       Case{8192, 268435456, "256 MiB"}, Case{131072, 68719476736, "64 GiB"}}) {
    CHECK(gridBytes(T, T, NumberType::kFloat32) == bytes);
    CHECK(bytesText(gridBytes(T, T, NumberType::kFloat32)) == text);
  }
  CHECK(gridBytes(64, 64, NumberType::kFloat32) / bytesPerNumber(NumberType::kFloat32) == 4096);
  CHECK(gridBytes(1024, 1024, NumberType::kFloat32) / gridBytes(64, 64, NumberType::kFloat32) == 256);
  CHECK(gridBytes(131072, 131072, NumberType::kFloat32) / (1024 * 1024) == 65536);
}

TEST_CASE("Doubling the length makes the grid four times as large") {
  for (double T : {1.0, 7.0, 4096.0})
    CHECK(gridBytes(2 * T, 2 * T, NumberType::kBfloat16) == 4 * gridBytes(T, T, NumberType::kBfloat16));
}

TEST_CASE("Heads, layers, sequences and number types multiply") {
  CostShape shape;
  shape.T = 64, shape.heads = 4, shape.layers = 3, shape.batch = 2;
  CHECK(allGridsBytes(shape) == 24 * 16384);
  shape.type = NumberType::kFloat16;
  CHECK(allGridsBytes(shape) == 24 * 8192);
  CHECK(cacheBytes(shape) == 2 * 64 * 64 * 2 * 3 * 2);
}

TEST_CASE("Bytes are written in the largest unit below them") {
  CHECK(bytesText(0) == "0 B");
  CHECK(bytesText(512) == "512 B");
  CHECK(bytesText(1536) == "1.5 KiB");
  CHECK(bytesText(1024.0 * 1024 * 1024 * 1024) == "1 TiB");
  CHECK(bytesText(100 * 1024) == "100 KiB");
  CHECK(bytesText(1000) == "1000 B");
}

TEST_CASE("Allowed cells are those of the mask itself") {
  for (Index T : {1, 2, 9, 30}) {
    for (bool causal : {false, true}) {
      for (Index window : {0, 1, 2, 5, 9, 50}) {
        MaskSpec spec = plainMask(causal);
        CostShape shape;
        shape.T = static_cast<double>(T);
        shape.causal = causal;
        if (window > 0) spec.window = window, shape.window = static_cast<double>(window);
        const Mask mask = makeMask(spec, T, T).take();
        double cells = 0, widest = 0;
        for (Index i = 0; i < T; ++i) {
          cells += static_cast<double>(mask.allowedInRow(i));
          widest = std::max(widest, static_cast<double>(mask.allowedInRow(i)));
        }
        CHECK(allowedCells(shape) == cells);
        CHECK(bandBytes(shape) >= 4 * shape.T * widest);
      }
    }
  }
}

TEST_CASE("Multiply-adds are those of the loops") {
  // T = 3, d = 2, one head, causal: counted by hand.
  CostShape shape;
  shape.T = 3, shape.d_model = 2, shape.causal = true;
  const MultiplyAdds all = multiplyAdds(shape, false), skipping = multiplyAdds(shape, true);
  CHECK(all.projections == 36);
  CHECK(all.output == 12);
  CHECK(all.scores == 18);
  CHECK(all.mixing == 18);
  CHECK(skipping.scores == 12);
  CHECK(all.total() == 84);
  // More heads do not change them, since d_head = d_model / H.
  shape.heads = 2;
  CHECK(multiplyAdds(shape, false).total() == 84);
  shape.T = evenLength(shape.d_model);
  const MultiplyAdds even = multiplyAdds(shape, false);
  CHECK(even.scores + even.mixing == even.projections + even.output);
}

TEST_CASE("Tiles do not grow with the length, and a tile of everything holds the grid") {
  CHECK(tileBytes(64, 64, 64, 64, NumberType::kFloat32) == (64 * 64 * 5 + 128) * 4);
  CHECK(tileBytes(1000, 1000, 16, 16, NumberType::kFloat32) > gridBytes(1000, 1000, NumberType::kFloat32));
}

}  // namespace attn::core
