// The places of matrices for every kind of problem and at every size of cell.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "figure/equation_layout.h"
#include "figure/problems.h"

using namespace attn;
using namespace attn::figure;

namespace {

// Text of fixed advance stands in for a font.
LayoutMetrics metrics() {
  LayoutMetrics m;
  m.measure = [](Typeface, float size, std::string_view text) { return 0.55f * size * static_cast<float>(text.size()); };
  m.row_label = 48;
  m.source_label = 40;
  return m;
}

constexpr float kCells[] = {0.3f, 2, 8, 16, 30, 44, 60, 110};

template <class Body>
void forEveryLayout(Body body) {
  for (const auto& kind : test::everyKind()) {
    CAPTURE(kind.name);
    const auto& trace = kind.trace;
    for (std::size_t head = 0; head < trace.heads.size(); ++head) {
      const Equation equation = equationOf(trace, static_cast<Index>(head));
      for (const float cell : kCells) {
        CAPTURE(cell);
        body(equation, layOut(equation, metrics(), cell));
      }
    }
  }
}

}  // namespace

TEST_CASE("every kind of problem for figures can be computed") { CHECK(test::everyKind().size() == test::kKinds); }

TEST_CASE("no two matrices overlap, labels included, at any zoom") {
  forEveryLayout([](const Equation&, const EquationLayout& layout) {
    for (std::size_t i = 0; i < layout.matrices.size(); ++i) {
      for (std::size_t j = i + 1; j < layout.matrices.size(); ++j) {
        CAPTURE(arrayTitle(layout.matrices[i].array));
        CAPTURE(arrayTitle(layout.matrices[j].array));
        CHECK_FALSE(overlap(layout.matrices[i].bounds, layout.matrices[j].bounds));
      }
    }
  });
}

TEST_CASE("every array of the computation is placed exactly once") {
  forEveryLayout([](const Equation& equation, const EquationLayout& layout) {
    std::multiset<Array> placed;
    for (const Placed& each : layout.matrices) {
      if (!each.again) {
        placed.insert(each.array);
      }
    }
    CHECK(placed.size() == equation.parts.size());
    for (const EquationPart& part : equation.parts) {
      CHECK(placed.count(part.array) == 1);
    }
  });
}

TEST_CASE("the V of z, the z that W_O turns and what the residual adds are drawn again beside them, and nothing else is") {
  forEveryLayout([](const Equation& equation, const EquationLayout& layout) {
    const auto again = std::count_if(layout.matrices.begin(), layout.matrices.end(), [](const Placed& p) { return p.again; });
    CHECK(again == 1 + (equation.has(Stage::kResidual) ? 1 : 0) + (equation.readsAgain() ? 1 : 0));
    REQUIRE(layout.find(Array::kV, true));
    const Box values = layout.find(Array::kV, true)->cells;
    CHECK(values.y == doctest::Approx(layout.find(Array::kZ)->cells.y));
    CHECK(values.x > layout.find(Array::kWeights)->cells.right());
    CHECK(values.right() < layout.find(Array::kZ)->cells.x);
    if (equation.readsAgain()) {
      REQUIRE(layout.find(Array::kZ, true));
      CHECK(layout.find(Array::kZ, true)->cells.y == doctest::Approx(layout.find(Array::kY)->cells.y));
      CHECK(layout.find(Array::kZ, true)->cells.right() < layout.find(Array::kWo)->cells.x);
    }
  });
}

TEST_CASE("cells are square and matrices have their shape") {
  forEveryLayout([](const Equation& equation, const EquationLayout& layout) {
    for (const Placed& placed : layout.matrices) {
      const EquationPart* part = equation.find(placed.array);
      REQUIRE(part);
      // Single precision over a few thousand pixels.
      CHECK(placed.cells.w == doctest::Approx(layout.cell * static_cast<float>(part->columns)).epsilon(1e-5));
      CHECK(placed.cells.h == doctest::Approx(layout.cell * static_cast<float>(part->rows)).epsilon(1e-5));
    }
  });
}

TEST_CASE("everything lies within the picture's extent") {
  forEveryLayout([](const Equation&, const EquationLayout& layout) {
    for (const Placed& placed : layout.matrices) {
      CHECK(placed.bounds.x >= -0.01f);
      CHECK(placed.bounds.y >= -0.01f);
      CHECK(placed.bounds.right() <= layout.width + 0.01f);
      CHECK(placed.bounds.bottom() <= layout.height + 0.01f);
    }
    for (const Link& link : layout.links) {
      for (const Point& point : link.path) {
        CHECK(point.x >= 0);
        CHECK(point.y >= 0);
        CHECK(point.x <= layout.width);
        CHECK(point.y <= layout.height);
      }
    }
  });
}

TEST_CASE("the picture reads like the equation: parameters above, scores below Q and K, z to the right of the weights") {
  forEveryLayout([](const Equation& equation, const EquationLayout& layout) {
    const auto cells = [&](Array array) { return layout.find(array)->cells; };
    for (const auto& [result, weight] : {std::pair{Array::kQ, Array::kWq}, {Array::kK, Array::kWk}, {Array::kV, Array::kWv}}) {
      if (equation.has(weight)) {
        CHECK(cells(weight).x == doctest::Approx(cells(result).x));
        CHECK(cells(weight).bottom() < cells(result).y);
      }
    }
    CHECK(cells(Array::kScores).y > cells(Array::kQ).bottom());
    CHECK(cells(Array::kScores).y > cells(Array::kK).bottom());
    CHECK(cells(Array::kZ).x > cells(Array::kWeights).right());
    CHECK(cells(Array::kZ).y == doctest::Approx(cells(Array::kWeights).y));
    Array before = Array::kScores;
    for (const Array array : {Array::kScaled, Array::kSoftcapped, Array::kBiased, Array::kMasked, Array::kWeights}) {
      if (equation.has(array)) {
        CHECK(cells(array).x > cells(before).right());
        before = array;
      }
    }
    if (equation.has(Array::kY)) {
      CHECK(cells(Array::kY).y > cells(Array::kZ).bottom());
    }
    if (equation.has(Array::kResidual)) {
      CHECK(cells(Array::kResidual).x > cells(Array::kY).right());
    }
  });
}

TEST_CASE("upright and level stretches make up every way, and it never runs through a title or cell that it does not join") {
  forEveryLayout([](const Equation&, const EquationLayout& layout) {
    for (const Link& link : layout.links) {
      for (std::size_t i = 1; i < link.path.size(); ++i) {
        const Point a = link.path[i - 1], b = link.path[i];
        CHECK((std::abs(a.x - b.x) < 0.01f || std::abs(a.y - b.y) < 0.01f));
        const Box stretch = {std::min(a.x, b.x), std::min(a.y, b.y), std::max(0.02f, std::abs(a.x - b.x)),
                             std::max(0.02f, std::abs(a.y - b.y))};
        for (const Placed& placed : layout.matrices) {
          CAPTURE(arrayTitle(placed.array));
          CAPTURE(core::stageName(link.stage));
          CHECK_FALSE(overlap(stretch, placed.cells));
        }
      }
    }
  });
}

TEST_CASE("a larger cell makes a larger picture, label size included") {
  for (const auto& kind : test::everyKind()) {
    CAPTURE(kind.name);
    const auto& trace = kind.trace;
    const Equation equation = equationOf(trace, 0);
    EquationLayout before = layOut(equation, metrics(), 0.2f);
    for (const float cell : kCells) {
      const EquationLayout layout = layOut(equation, metrics(), cell);
      CHECK(layout.width >= before.width);  // equal while titles are wider than their matrices
      CHECK(layout.height > before.height);
      CHECK(layout.label_scale >= before.label_scale);
      before = layout;
    }
  }
}
