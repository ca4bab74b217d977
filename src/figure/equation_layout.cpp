// The three bands and the ways between them.
#include "figure/equation_layout.h"

#include <algorithm>
#include <cmath>

#include "core/language.h"

namespace attn::figure {
namespace {

// At these pixels of a matrix's extent the labels have their full size.
constexpr float kFullExtent = 150;
constexpr float kBand = 50;  // between two bands, for the ways down
constexpr float kSign = 28;  // between two matrices, for a sign

struct Margins {
  float left = 0, top = 0;
};

class Builder {
 public:
  Builder(const Equation& equation, const LayoutMetrics& metrics, float cell)
      : equation_(equation), metrics_(metrics) {
    layout_.cell = cell;
    layout_.label_scale = labelScale(equation, cell);
  }

  EquationLayout build() {
    const float middle = placeProjections();
    const float output = placeScores(middle);
    placeOutput(output);
    finish();
    return std::move(layout_);
  }

 private:
  float px(float pixels) const { return pixels * layout_.label_scale; }
  float cells(Index n) const { return layout_.cell * static_cast<float>(n); }

  Margins margins(const EquationPart& part) const {
    Margins m;
    if (part.row_axis == Axis::kDestinations) {
      m.left = px(metrics_.row_label + kLabelGap);
    } else if (part.row_axis == Axis::kSources) {
      m.left = px(metrics_.source_label + kLabelGap);
    }
    m.top = px(metrics_.title_size * 1.3f + metrics_.note_size * 1.3f + 5);
    if (part.row_axis != Axis::kNone) {
      m.top += labelRise(metrics_, layout_.label_scale, layout_.cell);
    }
    if (part.array == Array::kConcat) {
      m.top += px(metrics_.label_size * 1.35f + 4);  // whose columns they are
    }
    if (part.map) {
      m.left = std::max(m.left, px(measured(tr("reads ↓"), metrics_.label_size) + kLabelGap));
      m.top += px(metrics_.label_size * 2.7f + 4);
    }
    return m;
  }

  float measured(std::string_view text, float size) const { return metrics_.measure(Typeface::kBody, size, text); }

  float titleWidth(const EquationPart& part) const {
    const std::string note = provenance(equation_, part.array) + " · " + core::shapeText(part.rows, part.columns);
    return px(std::max(metrics_.measure(Typeface::kStrong, metrics_.title_size, arrayTitle(part.array)),
                       measured(note, metrics_.note_size)));
  }

  float blockWidth(const EquationPart& part) const {
    return margins(part).left + std::max(cells(part.columns), titleWidth(part));
  }

  // `x` is the left edge of the cells.
  const Placed& place(const EquationPart& part, float x, float y, bool again = false) {
    const Margins m = margins(part);
    Placed placed{part.array, again, part.rows, part.columns, part.row_axis, part.map, 1, {}, {}};
    placed.cells = {x, y, cells(part.columns), cells(part.rows)};
    placed.bounds = {x - m.left, y - m.top, m.left + std::max(placed.cells.w, titleWidth(part)), m.top + placed.cells.h};
    layout_.matrices.push_back(placed);
    return layout_.matrices.back();
  }

  // One column of the first band: a matrix and the parameters above it.
  struct Column {
    Array main, weight, bias;
  };

  float placeProjections();
  float placeScores(float top);
  void placeOutput(float top);
  void linkProjection(Stage stage, Array weight, Array bias, float bus);
  void linkAcross(Stage stage, const Placed& from, const Placed& to, std::string text);
  void sign(Stage stage, const Placed& left, const Placed& right, std::string text);
  void linkDown(Stage stage, const Placed& from, const Placed& to, float level, std::string text);
  float operatorGap(std::string_view text) const { return px(std::max(46.0f, measured(text, metrics_.note_size + 1) + 22)); }
  void finish();

  const Equation& equation_;
  const LayoutMetrics& metrics_;
  EquationLayout layout_;
};

float Builder::placeProjections() {
  std::vector<Column> columns;
  const auto add = [&](Array main, Array weight, Array bias) {
    if (equation_.has(main)) {
      columns.push_back({main, weight, bias});
    }
  };
  add(Array::kState, Array::kState, Array::kState);
  add(Array::kX, Array::kX, Array::kX);
  add(Array::kQ, Array::kWq, Array::kBq);
  add(Array::kXSources, Array::kXSources, Array::kXSources);
  add(Array::kK, Array::kWk, Array::kBk);
  add(Array::kV, Array::kWv, Array::kBv);

  // 1. How much stands above the main row.
  float weights = 0, biases = 0, top = 0, bottom = 0;
  for (const Column& column : columns) {
    const EquationPart* weight = column.weight == column.main ? nullptr : equation_.find(column.weight);
    const EquationPart* bias = column.bias == column.main ? nullptr : equation_.find(column.bias);
    weights = weight ? std::max(weights, margins(*weight).top + cells(weight->rows)) : weights;
    biases = bias ? std::max(biases, margins(*bias).top + cells(1) + px(10)) : biases;
    top = std::max(top, margins(*equation_.find(column.main)).top);
  }
  const float way = weights > 0 ? px(26) : 0;
  const float y = weights + biases + way + top;
  const float bus = y - top - px(16);

  // 2. Left to right.
  float x = 0;
  for (const Column& column : columns) {
    const EquationPart& main = *equation_.find(column.main);
    const EquationPart* weight = column.weight == column.main ? nullptr : equation_.find(column.weight);
    const EquationPart* bias = column.bias == column.main ? nullptr : equation_.find(column.bias);
    const float left = margins(main).left;
    float width = blockWidth(main);
    place(main, x + left, y);
    if (bias) {
      place(*bias, x + left, weights + biases - cells(1));
      width = std::max(width, left + blockWidth(*bias));
    }
    if (weight) {
      place(*weight, x + left, weights - cells(weight->rows));
      width = std::max(width, left + blockWidth(*weight));
    }
    bottom = std::max(bottom, y + cells(main.rows));
    x += width + (column.main == Array::kState ? operatorGap("norm") : px(30));
  }
  linkProjection(Stage::kQ, Array::kWq, Array::kBq, bus);
  linkProjection(Stage::kK, Array::kWk, Array::kBk, bus);
  linkProjection(Stage::kV, Array::kWv, Array::kBv, bus);
  if (equation_.has(Stage::kNorm)) {
    linkAcross(Stage::kNorm, *layout_.find(Array::kState), *layout_.find(Array::kX), operatorText(equation_, Stage::kNorm));
  }
  return bottom;
}

// The input's line runs above the titles and turns down into each result, joined by the parameters above it.
void Builder::linkProjection(Stage stage, Array weight, Array bias, float bus) {
  const Placed* result = layout_.find(core::resultOf(stage));
  const Placed* input = layout_.find(equation_.inputOf(stage));
  if (!equation_.has(stage) || !result || !input) {
    return;
  }
  const Point end = {result->cells.center().x, result->bounds.y - px(2)};
  const float start = input->cells.center().x;
  layout_.links.push_back({stage, {{start, input->bounds.y - px(2)}, {start, bus}, {end.x, bus}, end}, true, "", {}, 0});
  const Placed* above = layout_.find(bias) ? layout_.find(bias) : layout_.find(weight);
  if (above) {
    layout_.links.push_back({stage, {{end.x, above->cells.bottom() + px(3)}, end}, true, "", {}, 0});
  }
}

void Builder::linkAcross(Stage stage, const Placed& from, const Placed& to, std::string text) {
  const float y = from.cells.center().y;
  const Point a = {from.bounds.right() + px(5), y};
  const Point b = {to.bounds.x - px(5), y};
  layout_.links.push_back({stage, {a, b}, true, std::move(text), {(a.x + b.x) / 2, y - px(5)}, 0.5f});
}

void Builder::sign(Stage stage, const Placed& left, const Placed& right, std::string text) {
  const Point at = {(left.bounds.right() + right.bounds.x) / 2, left.cells.center().y};
  layout_.links.push_back({stage, {}, false, std::move(text), at, 0.5f});
}

// Down from `from`, along at `level`, down into `to`.
void Builder::linkDown(Stage stage, const Placed& from, const Placed& to, float level, std::string text) {
  const Point a = {from.cells.center().x, from.cells.bottom() + px(5)};
  const Point b = {to.cells.center().x, to.bounds.y - px(3)};
  const bool from_right = a.x > b.x;  // the words stand where the path does not come from
  std::vector<Point> path = {a, {a.x, level}, {b.x, level}, b};
  if (std::abs(a.x - b.x) < 1) {
    path = {{b.x, a.y}, b};
  }
  layout_.links.push_back({stage, std::move(path), true, std::move(text),
                           {b.x + px(from_right ? -10.0f : 10.0f), b.y - px(4)}, from_right ? 1.0f : 0.0f});
}

float Builder::placeScores(float top) {
  struct Step {
    const EquationPart* part;
    std::string text;  // the operator before it
    Stage stage;
    bool sign;
  };
  std::vector<Step> flow = {{equation_.find(Array::kScores), "", Stage::kScores, false}};
  for (const Stage stage : equation_.stages) {
    if (stage <= Stage::kScores || stage > Stage::kWeights) {
      continue;
    }
    const bool sum = stage == Stage::kBiased;
    const EquationPart* bias = sum ? equation_.find(Array::kBias) : nullptr;
    if (bias) {
      flow.push_back({bias, "+", stage, true});
    }
    flow.push_back({equation_.find(core::resultOf(stage)), sum ? "=" : operatorText(equation_, stage), stage, sum});
  }
  const std::size_t values = flow.size();
  flow.push_back({equation_.find(Array::kV), "·", Stage::kZ, true});
  flow.push_back({equation_.find(Array::kZ), "=", Stage::kZ, true});

  float above = 0;
  for (const Step& step : flow) {
    above = std::max(above, margins(*step.part).top);
  }
  const float y = top + px(kBand) + above;
  float x = 0, bottom = y;
  for (std::size_t i = 0; i < flow.size(); ++i) {
    const Step& step = flow[i];
    const Placed before = layout_.matrices.back();
    if (i > 0) {
      x = before.bounds.right() + (step.sign ? px(kSign) : operatorGap(step.text));
    }
    const Placed placed = place(*step.part, x + margins(*step.part).left, y, i == values);
    if (i > 0) {
      step.sign ? sign(step.stage, before, placed, step.text) : linkAcross(step.stage, before, placed, step.text);
    }
    bottom = std::max(bottom, placed.cells.bottom());
  }
  const Placed scores = *layout_.find(Array::kScores);
  linkDown(Stage::kScores, *layout_.find(Array::kQ), scores, top + px(kBand * 0.42f), operatorText(equation_, Stage::kScores));
  linkDown(Stage::kScores, *layout_.find(Array::kK), scores, top + px(kBand * 0.42f), "");
  linkDown(Stage::kZ, *layout_.find(Array::kV), *layout_.find(Array::kV, true), top + px(kBand * 0.2f), "");
  return bottom;
}

void Builder::placeOutput(float top) {
  struct Step {
    const EquationPart* part;
    bool again;
    std::string text;  // before it
    Stage stage;
  };
  std::vector<Step> flow;
  const auto add = [&](Array array, bool again, std::string text, Stage stage) {
    if (const EquationPart* part = equation_.find(array)) {
      flow.push_back({part, again, std::move(text), stage});
    }
  };
  add(Array::kConcat, false, "", Stage::kConcat);
  if (equation_.readsAgain()) {
    add(Array::kZ, true, "", Stage::kY);
  }
  add(Array::kWo, false, "·", Stage::kY);
  add(Array::kBo, false, "+", Stage::kY);
  add(Array::kY, false, "=", Stage::kY);
  if (equation_.has(Stage::kResidual)) {
    add(equation_.has(Array::kState) ? Array::kState : Array::kX, true, "+", Stage::kResidual);
    add(Array::kResidual, false, "=", Stage::kResidual);
  }
  if (flow.empty()) {
    return;
  }
  float above = 0, width = 0;
  for (const Step& step : flow) {
    above = std::max(above, margins(*step.part).top);
    width += blockWidth(*step.part) + px(kSign);
  }
  const float y = top + px(kBand) + above;
  const float right = layout_.find(Array::kZ)->bounds.right();
  float x = std::max(0.0f, right - (width - px(kSign)));
  const Placed z = *layout_.find(Array::kZ);
  for (std::size_t i = 0; i < flow.size(); ++i) {
    const Placed before = layout_.matrices.back();
    const Placed placed = place(*flow[i].part, x + margins(*flow[i].part).left, y, flow[i].again);
    if (i > 0) {
      sign(flow[i].stage, before, placed, flow[i].text);
    } else {
      const std::string text = flow[0].again ? "" : operatorText(equation_, flow[0].stage);
      linkDown(flow[0].stage, z, placed, top + px(kBand * 0.45f), text);
    }
    x = placed.bounds.right() + px(kSign);
  }
}

void Builder::finish() {
  Box all;
  for (const Placed& placed : layout_.matrices) {
    all = united(all, placed.bounds);
  }
  layout_.width = all.right();
  layout_.height = all.bottom();
}

}  // namespace

float labelScale(const Equation& equation, float cell) {
  const EquationPart* scores = equation.find(Array::kScores);
  const float extent = scores ? static_cast<float>(std::max<Index>({scores->rows, scores->columns, 4})) : 4;
  return std::clamp(cell * extent / kFullExtent, 0.5f, 1.0f);
}

float labelRise(const LayoutMetrics& metrics, float scale, float cell) {
  return std::max(0.0f, (metrics.label_size * 1.25f * scale - cell) / 2);
}

const Placed* EquationLayout::find(Array array, bool again) const {
  for (const Placed& placed : matrices) {
    if (placed.array == array && placed.again == again) {
      return &placed;
    }
  }
  return nullptr;
}

EquationLayout layOut(const Equation& equation, const LayoutMetrics& metrics, float cell) {
  return Builder(equation, metrics, cell).build();
}

}  // namespace attn::figure
