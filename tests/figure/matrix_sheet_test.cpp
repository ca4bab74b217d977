// A matrix as a picture of its own: everything within its area, numbers where they can be read, a legend that says the range.
#include <doctest/doctest.h>

#include <algorithm>

#include "core/number.h"
#include "figure/matrix_sheet.h"
#include "figure/text_width.h"

using namespace attn;
using namespace attn::figure;

namespace {

MatrixFigure matrix(Index rows, Index columns) {
  MatrixFigure figure;
  figure.placed.rows = rows, figure.placed.columns = columns, figure.placed.map = true;
  figure.title = figure.formula = "weights";
  figure.note = "3×3";
  figure.scale = {false, 0, 1};
  figure.table = &sequentialTable(Palette::kViridis);
  figure.at = [](Index i, Index j) {
    CellFigure cell;
    cell.value = 1.0 / static_cast<double>(1 + i + j);
    if (j > i) cell.look = CellLook::kBlocked;
    return cell;
  };
  figure.row_label = figure.column_label = [](Index i) { return std::to_string(i) + " token"; };
  figure.column_token = [](Index) { return std::string("token"); };
  figure.column_number = [](Index i) { return std::to_string(i); };
  figure.forms = 5;
  figure.print = [text = std::string()](double value, int form) mutable -> std::string_view { return text = core::fixedText(value, 4 - form); };
  return figure;
}

std::vector<Label> labelsOf(const Sheet& sheet) {
  std::vector<Label> labels;
  for (const Shape& shape : sheet.picture.shapes) {
    if (const auto* label = std::get_if<Label>(&shape)) labels.push_back(*label);
  }
  return labels;
}

bool holds(const Sheet& sheet, std::string_view text) {
  const auto labels = labelsOf(sheet);
  return std::any_of(labels.begin(), labels.end(), [&](const Label& label) { return label.text == text; });
}

template <class S>
long count(const Sheet& sheet) {
  return std::count_if(sheet.picture.shapes.begin(), sheet.picture.shapes.end(), [](const Shape& shape) { return std::holds_alternative<S>(shape); });
}

}  // namespace

TEST_CASE("every word of a picture of its own is within its area") {
  for (const auto& size : {std::pair<Index, Index>{1, 1}, {3, 3}, {2, 9}, {24, 2}, {40, 40}, {200, 3}}) {
    const Index rows = size.first, columns = size.second;
    CAPTURE(rows);
    CAPTURE(columns);
    const Sheet sheet = matrixSheet(matrix(rows, columns), {});
    for (const Label& label : labelsOf(sheet)) {
      CAPTURE(label.text);
      const float width = approximateWidth(label.face, label.size, label.text);
      CHECK(label.at.x - width * label.anchor_x >= 0);
      CHECK(label.at.x + width * (1 - label.anchor_x) <= sheet.area.w);
      CHECK(label.at.y - label.size * label.anchor_y >= 0);
      CHECK(label.at.y + label.size * (1 - label.anchor_y) <= sheet.area.h);
    }
  }
}

TEST_CASE("a small matrix has its numbers, its tokens, both axes, ticks and what hatching means") {
  const Sheet sheet = matrixSheet(matrix(3, 3), {});
  for (const char* text : {"weights", "reads ↓", "is read →", "2 token", "1.0000", "0.3333", "may not be read", "0", "0.5", "1.0"}) {
    CAPTURE(text);
    CHECK(holds(sheet, text));
  }
  CHECK(count<Hatch>(sheet) == 4);  // three cells and the legend
}

TEST_CASE("a large matrix is one heatmap without numbers, with the marks of its cells") {
  const Sheet sheet = matrixSheet(matrix(300, 300), {});
  CHECK(count<HeatmapRequest>(sheet) == 1);
  CHECK_FALSE(holds(sheet, "1.0000"));
  for (const Shape& shape : sheet.picture.shapes) {
    if (const auto* request = std::get_if<HeatmapRequest>(&shape)) {
      CHECK(request->data->marks[1] == 1);
      CHECK(request->data->values[300] == doctest::Approx(0.5));
    }
  }
}

TEST_CASE("what lies beyond round numbers has a legend of its two ends") {
  MatrixFigure figure = matrix(2, 2);
  figure.scale = {true, -1e300, 1e300};
  CHECK(holds(matrixSheet(figure, {}), "1e300"));
  figure.scale = {false, 0, 0.25};
  CHECK(holds(matrixSheet(figure, {Palette::kViridis, false, true}), "0.25 and above"));
}

TEST_CASE("the dark picture has the same places as the light one and other inks") {
  const Sheet light = matrixSheet(matrix(3, 3), {}), dark = matrixSheet(matrix(3, 3), {Palette::kViridis, true, false});
  CHECK(light.area.w == dark.area.w);
  REQUIRE(labelsOf(light).size() == labelsOf(dark).size());
  CHECK_FALSE(labelsOf(light)[0].color == labelsOf(dark)[0].color);
}
