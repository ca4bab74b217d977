// Attention in tiles equals attention at once, whatever the tiles; and every state on the way is what it says.
#include "core/tiles.h"

#include <doctest/doctest.h>

#include <cmath>

#include "core/rng.h"
#include "core/softmax.h"
#include "support/problems.h"

namespace attn::core {
namespace {

using test::kInfinity;
using test::largestDifference;
using test::matrix;

struct Input {
  Matrix<double> q, k, v;
  Mask mask;
};

Input randomInput(std::uint64_t seed, Index T, Index S, const MaskSpec& mask) {
  Rng rng(seed);
  return {rng.normalMatrix(T, 4), rng.normalMatrix(S, 4), rng.normalMatrix(S, 3), makeMask(mask, T, S).take()};
}

Softmax<double> wholeSoftmax(const Input& in) {
  return softmaxRows<double>(in.q * in.k.transpose() * 0.5, in.mask);
}

}  // namespace

TEST_CASE("Whatever the size of the tiles, the result is that of the whole grid") {
  MaskSpec window = plainMask(true);
  window.window = 3;
  for (const MaskSpec& spec : {plainMask(false), plainMask(true), window}) {
    const Input in = randomInput(1, 7, 10, spec);
    const Softmax<double> whole = wholeSoftmax(in);
    for (Index rows : {1, 2, 3, 7, 100}) {
      for (Index columns : {1, 3, 4, 10, 100}) {
        const TiledAttention tiled = attendInTiles(in.q, in.k, in.v, 0.5, in.mask, rows, columns);
        CHECK(largestDifference(tiled.row_max, whole.row_max) < 1e-15 * 8);  // scores up to 8, products summed alike
        // Ten terms and as many rescalings, each rounded once, of numbers about 1.
        CHECK(largestDifference(tiled.row_sum, whole.row_sum) < 1e-14);
        CHECK(largestDifference(tiled.z, whole.weights * in.v) < 1e-14);
      }
    }
  }
}

TEST_CASE("The state after a tile is that of attention over the sources so far") {
  const Input in = randomInput(2, 5, 8, plainMask(true));
  const TiledAttention tiled = attendInTiles(in.q, in.k, in.v, 0.5, in.mask, 2, 3);
  CHECK(tiled.tiles.size() == 9);
  for (const Tile& tile : tiled.tiles) {
    Input prefix{in.q, in.k.topRows(tile.column_end), in.v.topRows(tile.column_end),
                 makeMask(plainMask(true), 5, tile.column_end).take()};
    const Softmax<double> whole = wholeSoftmax(prefix);
    for (Index i = tile.row_begin; i < tile.row_end; ++i) {
      const Index r = i - tile.row_begin;
      CHECK(std::abs(tile.row_max(r) - whole.row_max(i)) < 1e-14);
      CHECK(std::abs(tile.row_sum(r) - whole.row_sum(i)) < 1e-14);
      CHECK(largestDifference(tile.output.row(r) / tile.row_sum(r), whole.weights.row(i) * prefix.v) < 1e-14);
    }
  }
}

TEST_CASE("A rescaling is e to the growth of the maximum, 0 at the first score and 1 where nothing grew") {
  const Matrix<double> q = matrix({{1}}), k = matrix({{1}, {3}, {2}}), v = matrix({{1}, {1}, {1}});
  const TiledAttention tiled = attendInTiles(q, k, v, 1, Mask(1, 3), 1, 1);
  CHECK(tiled.tiles[0].rescale(0) == 0);
  CHECK(tiled.tiles[0].row_sum(0) == 1);
  CHECK(tiled.tiles[1].rescale(0) == std::exp(-2.0));
  CHECK(tiled.tiles[1].row_max(0) == 3);
  CHECK(tiled.tiles[2].rescale(0) == 1);
  CHECK(std::abs(tiled.row_sum(0) - (std::exp(-2.0) + 1 + std::exp(-1.0))) < 1e-15);
  CHECK(std::abs(tiled.z(0, 0) - 1) < 1e-15);
}

TEST_CASE("Blocked tiles are marked and leave the state, and a row with no source gives 0") {
  Mask mask = makeMask(plainMask(true), 4, 4).take();
  mask.block(0, 0, kBlockedByEdit);
  Input in = randomInput(3, 4, 4, {});
  in.mask = mask;
  const TiledAttention tiled = attendInTiles(in.q, in.k, in.v, 0.5, mask, 2, 2);
  CHECK(!tiled.tiles[0].blocked);
  CHECK(tiled.tiles[1].blocked);
  CHECK(tiled.tiles[1].row_sum == tiled.tiles[0].row_sum);
  CHECK(tiled.tiles[1].output == tiled.tiles[0].output);
  CHECK(tiled.row_max(0) == -kInfinity);
  CHECK(tiled.row_sum(0) == 0);
  CHECK(tiled.z.row(0).cwiseAbs().maxCoeff() == 0);
  CHECK(largestDifference(tiled.z, wholeSoftmax(in).weights * in.v) < 1e-14);
}

TEST_CASE("Scores far beyond the range of exponentials stay exact in tiles") {
  const Matrix<double> q = matrix({{1}}), k = matrix({{1000}, {1001}, {999}}), v = Matrix<double>::Identity(3, 3);
  const TiledAttention tiled = attendInTiles(q, k, v, 1, Mask(1, 3), 1, 2);
  // Six printed digits (C11).
  CHECK(largestDifference(tiled.z, matrix({{.244728, .665241, .090031}})) < 1e-6);
}

}  // namespace attn::core
