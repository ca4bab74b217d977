// What can travel through a stack of layers: nothing from later tokens under causal masks, exactly; and which way.
#include "core/stack.h"

#include <doctest/doctest.h>

#include <cmath>

#include "support/problems.h"

namespace attn::core {
namespace {

using test::largestDifference;
using test::matrix;

StackRun runOf(const Stack& stack, const Matrix<double>& x) {
  Result<StackRun> run = runStack(stack, x);
  REQUIRE(run.ok());
  return run.take();
}

// Every kind of stack: with and without residual, normalisation and MLP.
std::vector<StackShape> shapes() {
  std::vector<StackShape> all;
  for (int n = 0; n < 8; ++n) {
    StackShape shape;
    shape.layers = 3;
    shape.residual = n & 1;
    shape.pre_norm = n & 2;
    shape.mlp = n & 4;
    all.push_back(shape);
  }
  return all;
}

}  // namespace

TEST_CASE("A later token moves no earlier row of a causal stack by a single bit") {
  for (const StackShape& shape : shapes()) {
    Rng rng(1);
    const Stack stack = randomStack(rng, shape, plainMask(true));
    const Matrix<double> x = rng.normalMatrix(7, 8);
    Matrix<double> changed = x;
    changed.row(4) = rng.normalMatrix(1, 8, 5);
    const Matrix<double> changes = largestChanges(runOf(stack, x), runOf(stack, changed));
    CHECK(changes.leftCols(4).maxCoeff() == 0);
    for (Index l = 1; l <= 3; ++l)
      for (Index i = 4; i < 7; ++i) CHECK(changes(l, i) > 0);
  }
}

TEST_CASE("One layer without its mask lets a later token reach every row") {
  for (std::size_t open = 0; open < 3; ++open) {
    Rng rng(2);
    StackShape shape;
    shape.layers = 3;
    Stack stack = randomStack(rng, shape, plainMask(true));
    stack.layers[open].attention.mask = {};
    const Matrix<double> x = rng.normalMatrix(6, 8);
    Matrix<double> changed = x;
    changed.row(5) *= -1;
    const Matrix<double> changes = largestChanges(runOf(stack, x), runOf(stack, changed));
    for (Index l = 0; l <= 3; ++l) CHECK((changes.row(l).head(5).minCoeff() > 0) == (l > static_cast<Index>(open)));
  }
}

TEST_CASE("A stack that works on each token alone gives a token the same output wherever it stands") {
  Rng rng(3);
  const std::vector<Mlp> layers = {randomMlp(rng, 8, 32), randomMlp(rng, 8, 32), randomMlp(rng, 8, 32)};
  const Matrix<double> bank = rng.normalMatrix(1, 8);
  Matrix<double> river = rng.normalMatrix(3, 8), money = rng.normalMatrix(4, 8);
  river.row(2) = money.row(3) = bank;
  for (const Mlp& mlp : layers) river = applyMlp(mlp, river), money = applyMlp(mlp, money);
  CHECK(river.row(2) == money.row(3));
  CHECK(river.row(2).cwiseAbs().maxCoeff() > 0);
}

TEST_CASE("The MLP is its formula") {
  Mlp mlp;
  mlp.w1 = matrix({{1, -1}, {2, 0}});
  mlp.b1 = attn::test::vector({0, 1});
  mlp.w2 = matrix({{1, 0}, {3, 1}});
  mlp.b2 = attn::test::vector({10, 20});
  // [1, 1]: hidden [3, 0] → [3, 0]; [−1, 0]: hidden [−1, 2] → [0, 2] → [6, 2].
  CHECK(applyMlp(mlp, matrix({{1, 1}, {-1, 0}})) == matrix({{13, 20}, {16, 22}}));
}

TEST_CASE("One layer is the attention of a single problem, and its residual is added to the state itself") {
  Rng rng(4);
  StackShape shape;
  shape.layers = 1;
  shape.pre_norm = true;
  const Stack stack = randomStack(rng, shape, plainMask(true));
  const Matrix<double> x = rng.normalMatrix(5, 8, 3);
  const StackRun run = runOf(stack, x);
  CHECK(run.states[1] == x + run.traces[0].y);
  CHECK(run.traces[0].x != x);
  CHECK(std::abs(run.traces[0].x->row(0).mean()) < 1e-15);
}

TEST_CASE("What moves is what can be reached, for masks of every kind") {
  Rng rng(5);
  StackShape shape;
  for (int n = 0; n < 12; ++n) {
    shape.residual = n % 2;
    Stack stack = randomStack(rng, shape, {});
    std::vector<Mask> masks;
    for (StackLayer& layer : stack.layers) {
      layer.attention.mask.allowed.assign(5, std::vector<bool>(5));
      for (auto& row : layer.attention.mask.allowed)
        for (std::size_t j = 0; j < 5; ++j) row[j] = rng.below(3) == 0;
      masks.push_back(makeMask(layer.attention.mask, 5, 5).take());
    }
    const Matrix<bool> reach = reachThrough(masks, shape.residual);
    const Matrix<double> x = rng.normalMatrix(5, 8);
    const StackRun plain = runOf(stack, x);
    for (Index j = 0; j < 5; ++j) {
      Matrix<double> changed = x;
      changed.row(j) = rng.normalMatrix(1, 8);
      const Matrix<double> changes = largestChanges(plain, runOf(stack, changed));
      for (Index i = 0; i < 5; ++i) CHECK((changes(2, i) > 0) == reach(i, j));
    }
  }
}

TEST_CASE("A source that the second layer does not read still arrives through the one that it reads") {
  // Layer 1: position 1 reads 0. Layer 2: position 2 reads 1 only.
  const Matrix<double> first = matrix({{1, 0, 0}, {.5, .5, 0}, {0, 0, 1}});
  const Matrix<double> second = matrix({{1, 0, 0}, {0, 1, 0}, {0, 1, 0}});
  CHECK(second(2, 0) == 0);
  CHECK(strongestRoute({first, second}, 0, 2) == std::vector<Index>{0, 1, 2});
  CHECK(strongestRoute({first, second}, 2, 2).empty());
}

TEST_CASE("The strongest route has the largest product of all routes") {
  Rng rng(6);
  for (int n = 0; n < 20; ++n) {
    std::vector<Matrix<double>> steps;
    for (int l = 0; l < 3; ++l) steps.push_back(rng.uniformMatrix(4, 4, 0, 1));
    double best = 0;
    for (Index a = 0; a < 4; ++a)
      for (Index b = 0; b < 4; ++b) best = std::max(best, steps[0](a, 1) * steps[1](b, a) * steps[2](3, b));
    const std::vector<Index> route = strongestRoute(steps, 1, 3);
    REQUIRE(route.size() == 4);
    CHECK(route.front() == 1);
    CHECK(route.back() == 3);
    const double found = steps[0](route[1], route[0]) * steps[1](route[2], route[1]) * steps[2](route[3], route[2]);
    CHECK(found == doctest::Approx(best).epsilon(1e-15));
  }
}

TEST_CASE("Strengths of a layer are its weights averaged over heads, and 1 more on the diagonal with a residual") {
  Rng rng(7);
  const StackRun run = runOf(randomStack(rng, {}, plainMask(true)), rng.normalMatrix(4, 8));
  const Matrix<double> with = strengths(run.traces[0], true), without = strengths(run.traces[0], false);
  for (Index i = 0; i < 4; ++i) {
    CHECK(std::abs(without.row(i).sum() - 1) < 1e-15);
    CHECK(std::abs(with.row(i).sum() - 2) < 1e-15);
  }
  CHECK(without(0, 1) == 0);
}

TEST_CASE("A window reaches as far as the routes through it") {
  for (Index window : {1, 2, 4}) {
    MaskSpec spec = plainMask(true);
    spec.window = window;
    const Mask mask = makeMask(spec, 20, 20).take();
    for (Index layers = 1; layers <= 4; ++layers) {
      const Matrix<bool> reach = reachThrough(std::vector<Mask>(static_cast<std::size_t>(layers), mask), false);
      CHECK(reach.row(19).count() == windowReach(window, layers));
    }
  }
}

TEST_CASE("A mask that does not fit is refused, naming the layer") {
  Rng rng(8);
  Stack stack = randomStack(rng, {}, {});
  stack.layers[1].attention.mask.padding = {true};
  const Result<StackRun> run = runStack(stack, rng.normalMatrix(3, 8));
  REQUIRE(!run.ok());
  CHECK(run.error().message.rfind("layer 1: mask.padding", 0) == 0);
}

}  // namespace attn::core
