// Where each matrix of the equation stands: three bands, projections above, scores to z = weights · V in the middle, output below.
// Knows no numbers and no screen.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "figure/equation.h"
#include "figure/picture.h"

namespace attn::figure {

// Between the tokens of a row and its cells, at full size.
inline constexpr float kLabelGap = 13;

// Everything that is measured in pixels rather than cells, at full size.
struct LayoutMetrics {
  Measure measure;
  float row_label = 24;     // room for the longest destination token
  float source_label = 24;  // room for the longest source token
  float text_scale = 1;     // of everything that follows
  float title_size = 15;
  float note_size = 12;
  float label_size = 12;    // tokens and axis words
};

// How far the first row's token rises above cells that are lower than it, at a label scale.
float labelRise(const LayoutMetrics& metrics, float scale, float cell);

// Matrices grow with `cell`; labels and gaps keep their size until cells become small and then shrink along.
// 0.5–1, rising with cell.
float labelScale(const Equation& equation, float cell);

struct Placed {
  Array array = Array::kX;
  bool again = false;  // drawn a second time, beside what it is joined with: the V of z, the z of y, the X of the residual
  Index rows = 0, columns = 0;
  Axis row_axis = Axis::kNone;
  bool map = false;
  float wide = 1;  // width of a cell ÷ its height
  Box cells;       // the cells alone
  Box bounds;      // with title, tokens and axis words
};

// The way from operands into the result of `stage`. Without a path it is a sign between two matrices ("+", "=").
struct Link {
  Stage stage = Stage::kScores;
  std::vector<Point> path;  // upright and level stretches
  bool head = true;
  std::string text;
  Point text_at;
  float text_anchor_x = 0.5f;
};

struct EquationLayout {
  float cell = 0;
  float label_scale = 1;
  float width = 0, height = 0;
  std::vector<Placed> matrices;
  std::vector<Link> links;

  const Placed* find(Array array, bool again = false) const;
};

EquationLayout layOut(const Equation& equation, const LayoutMetrics& metrics, float cell);

}  // namespace attn::figure
