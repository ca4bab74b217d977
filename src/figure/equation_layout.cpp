// The three bands and the ways between them.
#include "figure/equation_layout.h"

#include <algorithm>
#include <array>

namespace attn::figure {
namespace {

// At these pixels of a matrix's extent the labels have their full size.
constexpr float kFullExtent = 150;

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
      m.left = px(metrics_.row_label + 8);
    } else if (part.row_axis == Axis::kSources) {
      m.left = px(metrics_.source_label + 8);
    }
    m.top = px(metrics_.title_size * 1.3f + metrics_.note_size * 1.3f + 5);
    if (part.map) {
      m.left = std::max(m.left, px(measured("reads ↓", metrics_.label_size) + 8));
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
    Placed placed{part.array, again, part.rows, part.columns, part.row_axis, part.map, {}, {}};
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
  void linkDown(Stage stage, const Placed& from, const Placed& to, bool head, std::string text);
  void linkScores();
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
  const float way = weights > 0 ? px(30) : 0;
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
  const Placed* above = layout_.find(bias) ? layout_.find(bias) : layout_.find(weight);
  const Point start = {input->cells.center().x, input->bounds.y - px(2)};
  const Point corner = {start.x, bus};
  const Point turn = {end.x, bus};
  layout_.links.push_back({stage, start, start, corner, corner, true, false, "", {}, 0});
  layout_.links.push_back({stage, corner, corner, turn, turn, true, false, "", {}, 0});
  const Point from = above ? Point{end.x, above->cells.bottom() + px(2)} : turn;
  layout_.links.push_back({stage, from, from, end, end, true, true, "", {}, 0});
}

void Builder::linkAcross(Stage stage, const Placed& from, const Placed& to, std::string text) {
  const float y = from.cells.center().y;
  const Point a = {from.bounds.right() + px(5), y};
  const Point d = {to.bounds.x - px(5), y};
  layout_.links.push_back({stage, a, a, d, d, true, true, std::move(text), {(a.x + d.x) / 2, y - px(5)}, 0.5f});
}

void Builder::sign(Stage stage, const Placed& left, const Placed& right, std::string text) {
  const float y = left.cells.center().y;
  const float x = (left.bounds.right() + right.bounds.x) / 2;
  layout_.links.push_back({stage, {x, y}, {x, y}, {x, y}, {x, y}, false, false, std::move(text), {x, y}, 0.5f});
}

void Builder::linkDown(Stage stage, const Placed& from, const Placed& to, bool head, std::string text) {
  const Point a = {from.cells.center().x, from.cells.bottom() + px(4)};
  const Point d = {to.cells.center().x, to.bounds.y - px(3)};
  const float middle = a.y + (d.y - a.y) * 0.55f;
  layout_.links.push_back({stage, a, {a.x, middle}, {d.x, middle}, d, true, head, std::move(text),
                           {d.x + px(8), d.y - px(6)}, 0});
}

void Builder::linkScores() {
  const Placed& scores = *layout_.find(Array::kScores);
  const float join = scores.bounds.y - px(20);
  const Point meet = {scores.cells.center().x, join};
  for (const Array array : {Array::kQ, Array::kK}) {
    const Placed& from = *layout_.find(array);
    const Point a = {from.cells.center().x, from.cells.bottom() + px(4)};
    const float middle = (a.y + join) / 2;
    layout_.links.push_back({Stage::kScores, a, {a.x, middle}, {meet.x, middle}, meet, true, false, "", {}, 0});
  }
  const Point end = {meet.x, scores.bounds.y - px(3)};
  layout_.links.push_back({Stage::kScores, meet, meet, end, end, true, true, operatorText(equation_, Stage::kScores),
                           {meet.x + px(10), end.y - px(4)}, 0});
}

float Builder::placeScores(float top) {
  std::vector<const EquationPart*> flow;
  for (const Array array : {Array::kScores, Array::kScaled, Array::kSoftcapped, Array::kBias, Array::kBiased,
                            Array::kMasked, Array::kWeights, Array::kZ}) {
    if (const EquationPart* part = equation_.find(array)) {
      flow.push_back(part);
    }
  }
  float above = 0;
  for (const EquationPart* part : flow) {
    above = std::max(above, margins(*part).top);
  }
  const float y = top + px(58) + above;
  float x = 0, bottom = y;
  for (std::size_t i = 0; i < flow.size(); ++i) {
    if (i > 0) {
      const Placed before = layout_.matrices.back();
      const bool sum = flow[i]->array == Array::kBias || flow[i]->array == Array::kBiased;
      Stage stage = Stage::kBiased;
      for (const Stage s : equation_.stages) {
        stage = core::resultOf(s) == flow[i]->array ? s : stage;
      }
      const std::string text = flow[i]->array == Array::kBias ? "+" : sum ? "=" : operatorText(equation_, stage);
      x = before.bounds.right() + (sum ? px(34) : operatorGap(text));
      const Placed placed = place(*flow[i], x + margins(*flow[i]).left, y);
      sum ? sign(stage, before, placed, text) : linkAcross(stage, before, placed, text);
    } else {
      place(*flow[i], margins(*flow[i]).left, y);
    }
    bottom = std::max(bottom, y + cells(flow[i]->rows));
  }
  linkScores();
  linkDown(Stage::kZ, *layout_.find(Array::kV), *layout_.find(Array::kZ), true, "");
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
    width += blockWidth(*step.part) + px(34);
  }
  const float y = top + px(58) + above;
  const float right = layout_.find(Array::kZ)->bounds.right();
  float x = std::max(0.0f, right - (width - px(34)));
  const Placed z = *layout_.find(Array::kZ);
  for (std::size_t i = 0; i < flow.size(); ++i) {
    const Placed before = layout_.matrices.back();
    const Placed placed = place(*flow[i].part, x + margins(*flow[i].part).left, y, flow[i].again);
    if (i > 0) {
      sign(flow[i].stage, before, placed, flow[i].text);
    } else {
      linkDown(flow[0].stage, z, placed, true, operatorText(equation_, flow[0].stage));
    }
    x = placed.bounds.right() + px(34);
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
  return std::clamp(cell * extent / kFullExtent, 0.35f, 1.0f);
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
