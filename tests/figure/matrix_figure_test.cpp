// One matrix as shapes: text that fits, kinds of cells that differ, work only for what is visible.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/number.h"
#include "figure/cell_figure.h"
#include "figure/matrix_figure.h"

using namespace attn;
using namespace attn::figure;

namespace {

float measured(Typeface, float size, std::string_view text) { return 0.5f * size * static_cast<float>(text.size()); }

MatrixFigure matrix(Index rows, Index columns, float cell) {
  MatrixFigure figure;
  figure.placed = {Array::kWeights, false, rows, columns, Axis::kDestinations, true, 1, {}, {}};
  figure.placed.cells = {100, 100, cell * static_cast<float>(columns), cell * static_cast<float>(rows)};
  figure.placed.bounds = {40, 20, figure.placed.cells.w + 60, figure.placed.cells.h + 80};
  figure.cell = cell;
  figure.metrics.measure = measured;
  figure.metrics.row_label = 40;
  figure.title = figure.formula = "weights";
  figure.note = "computed · 3×3";
  figure.table = &sequentialTable(Palette::kViridis);
  figure.row_label = figure.column_label = [](Index i) { return std::to_string(i) + " token"; };
  figure.column_token = [](Index) { return std::string("token"); };
  figure.column_number = [](Index i) { return std::to_string(i); };
  figure.at = [](Index i, Index j) {
    CellFigure one;
    one.value = 0.1 * static_cast<double>(i + j);
    return one;
  };
  figure.forms = 3;
  figure.print = [](double value, int form) {
    static std::string text;
    text = core::fixedText(value, 4 - form);
    return std::string_view(text);
  };
  return figure;
}

Picture drawn(const MatrixFigure& figure, const Box& visible = {0, 0, 4000, 4000}) {
  Inks inks{};
  inks.text = {1, 1, 1, 255};
  Picture picture;
  addMatrix(picture, figure, inks, visible);
  return picture;
}

std::vector<Label> labels(const Picture& picture, Typeface face) {
  std::vector<Label> found;
  for (const Shape& shape : picture.shapes) {
    if (const auto* label = std::get_if<Label>(&shape); label && label->face == face) {
      found.push_back(*label);
    }
  }
  return found;
}

template <class S>
std::size_t count(const Picture& picture) {
  return static_cast<std::size_t>(std::count_if(picture.shapes.begin(), picture.shapes.end(),
                                                [](const Shape& shape) { return std::holds_alternative<S>(shape); }));
}

}  // namespace

TEST_CASE("a number in a cell is within it at every cell size") {
  for (float cell = 30; cell <= 120; cell += 5) {
    const Picture picture = drawn(matrix(3, 3, cell));
    const auto numbers = labels(picture, Typeface::kNumber);
    for (const Label& number : numbers) {
      CHECK(measured(number.face, number.size, number.text) <= cell);
      CHECK(number.size <= cell);
    }
    if (cell >= 45) {
      CHECK(numbers.size() == 9);
    }
  }
}

TEST_CASE("numbers are left out of cells below the readable size, never squeezed") {
  CHECK(labels(drawn(matrix(3, 3, kNumberCell - 1)), Typeface::kNumber).empty());
  CHECK(fittingSize(200, 40) == 0);
}

TEST_CASE("all numbers of a matrix have one size") {
  std::set<float> sizes;
  for (const Label& number : labels(drawn(matrix(4, 4, 60)), Typeface::kNumber)) {
    sizes.insert(number.size);
  }
  CHECK(sizes.size() == 1);
}

TEST_CASE("all numbers of a matrix have one form: the first in which every one fits, or there are none") {
  std::set<std::size_t> lengths;
  for (float cell = kNumberCell; cell <= 90; cell += 1) {
    MatrixFigure figure = matrix(2, 3, cell);
    figure.at = [](Index i, Index j) { return CellFigure{CellLook::kValue, i + j == 0 ? 1.25 : -1234.5678 * static_cast<double>(i + j), 0}; };
    const auto numbers = labels(drawn(figure), Typeface::kNumber);
    CHECK((numbers.empty() || numbers.size() == 6));
    std::set<std::size_t> decimals;
    for (const Label& number : numbers) {
      decimals.insert(number.text.size() - number.text.find('.') - 1);
    }
    CHECK(decimals.size() <= 1);
    if (!decimals.empty()) {
      CHECK((lengths.empty() || *decimals.begin() >= *lengths.rbegin()));  // never fewer in a larger cell
      lengths.insert(*decimals.begin());
    }
  }
  CHECK(lengths.size() >= 2);
}

TEST_CASE("a form that one value lacks is not used for the others") {
  MatrixFigure figure = matrix(1, 2, 90);
  figure.at = [](Index, Index j) { return CellFigure{CellLook::kValue, static_cast<double>(j), 0}; };
  figure.print = [](double value, int form) { return std::string_view(form > 0 ? "0.5000" : value == 0 ? "1/2" : ""); };
  for (const Label& number : labels(drawn(figure), Typeface::kNumber)) {
    CHECK(number.text == "0.5000");
  }
}

TEST_CASE("numbers grow with the text, as far as the cell lets them") {
  const auto sizeAt = [](float text_scale, float cell) {
    MatrixFigure figure = matrix(2, 2, cell);
    figure.metrics.text_scale = text_scale;
    const auto numbers = labels(drawn(figure), Typeface::kNumber);
    return numbers.empty() ? 0.0f : numbers.front().size;
  };
  CHECK(sizeAt(2, 120) >= 1.5f * sizeAt(1, 60));
  CHECK(sizeAt(2, 40) >= sizeAt(1, 40));
}

TEST_CASE("the smallest cell for a text holds it, and a smaller one does not") {
  for (const float width : {5.0f, 30.0f, 80.0f}) {
    const float cell = fittingCell(width);
    CHECK(fittingSize(width, cell + 0.01f) > 0);
    CHECK(fittingSize(width, cell - 0.1f) == 0);
  }
}

TEST_CASE("a column names its token as fully as it can, in one way for the whole matrix") {
  const auto namesAt = [](float cell) {
    std::vector<std::string> names;
    for (const Label& label : labels(drawn(matrix(3, 4, cell)), Typeface::kBody)) {
      if (label.anchor_x == 0.5f) {
        names.push_back(label.text);
      }
    }
    return names;
  };
  CHECK(namesAt(60) == std::vector<std::string>{"0 token", "1 token", "2 token", "3 token"});
  CHECK(namesAt(36) == std::vector<std::string>{"0 token", "1 token", "2 token", "3 token"});
  CHECK(namesAt(30) == std::vector<std::string>{"token", "token", "token", "token"});
  CHECK(namesAt(18) == std::vector<std::string>{"0", "1", "2", "3"});
}

TEST_CASE("runs of columns are named once each") {
  MatrixFigure figure = matrix(2, 6, 40);
  figure.column_label = nullptr;
  figure.group = 3;
  figure.group_label = [](Index k) { return "head " + std::to_string(k); };
  std::set<std::string> names;
  for (const Label& label : labels(drawn(figure), Typeface::kBody)) {
    names.insert(label.text);
  }
  CHECK(names.count("head 0") == 1);
  CHECK(names.count("head 1") == 1);
  CHECK(names.count("head 2") == 0);
}

TEST_CASE("the axis words stand on a map at every size at which words can be read") {
  for (const float cell : {8.0f, 30.0f, 60.0f}) {
    std::set<std::string> words;
    for (const Label& label : labels(drawn(matrix(3, 3, cell)), Typeface::kBody)) {
      words.insert(label.text);
    }
    CHECK(words.count("reads ↓") == 1);
    CHECK(words.count("is read →") == 1);
  }
}

TEST_CASE("row labels thin out and do not meet") {
  for (const float cell : {0.5f, 2.0f, 7.0f, 20.0f}) {
    MatrixFigure figure = matrix(400, 4, cell);
    figure.chosen_row = 137;
    std::vector<float> at;
    bool chosen = false;
    for (const Shape& shape : drawn(figure).shapes) {
      const auto* label = std::get_if<Label>(&shape);
      if (label && label->anchor_x == 1 && label->anchor_y == 0.5f) {
        at.push_back(label->at.y);
        chosen = chosen || label->text.substr(0, 3) == "137";
      }
    }
    std::sort(at.begin(), at.end());
    for (std::size_t i = 1; i < at.size(); ++i) {
      CHECK(at[i] - at[i - 1] >= figure.metrics.label_size);
    }
    CHECK(chosen);
  }
}

TEST_CASE("the kinds of cells all look different") {
  const CellLook looks[] = {CellLook::kValue, CellLook::kPartial, CellLook::kUnknown, CellLook::kBlocked, CellLook::kNoSource,
                            CellLook::kUnderflow, CellLook::kNan, CellLook::kInfinity, CellLook::kMinusInfinity};
  std::set<std::string> seen;
  for (const CellLook look : looks) {
    MatrixFigure figure = matrix(1, 1, 60);
    figure.at = [look](Index, Index) {
      CellFigure one;
      one.look = look;
      one.progress = 0.5f;
      return one;
    };
    Picture picture;
    addCells(picture, figure, Inks{}, {0, 1, 0, 1});
    std::string signature;
    for (const Shape& shape : picture.shapes) {
      signature += static_cast<char>('a' + static_cast<int>(shape.index()));
      if (const auto* label = std::get_if<Label>(&shape)) {
        signature += label->text;
      }
    }
    CHECK_FALSE(signature.empty());
    CHECK(seen.insert(signature).second);
  }
}

TEST_CASE("unknown and blocked cells hold no number") {
  for (const CellLook look : {CellLook::kUnknown, CellLook::kBlocked}) {
    MatrixFigure figure = matrix(3, 3, 60);
    figure.at = [look](Index, Index) { return CellFigure{look, 0.25, 0}; };
    CHECK(labels(drawn(figure), Typeface::kNumber).empty());
  }
}

TEST_CASE("only visible cells are asked for") {
  MatrixFigure figure = matrix(1000, 1000, 30);
  std::size_t asked = 0;
  figure.at = [&asked](Index, Index) { return ++asked, CellFigure{}; };
  drawn(figure, {5000, 5000, 600, 300});
  CHECK(asked <= 21 * 11);
  CHECK(asked >= 20 * 10);
  asked = 0;
  drawn(figure, {-500, -500, 100, 100});
  CHECK(asked == 0);
}

TEST_CASE("what is too fine or too much becomes a texture") {
  const Box screen = {0, 0, 1200, 900};
  const Placed small = matrix(8, 8, 40).placed;
  CHECK_FALSE(needsTexture(small, 40, screen));
  CHECK(needsTexture(matrix(300, 300, 2).placed, 2, screen));
  CHECK(needsTexture(matrix(128, 128, 7).placed, 7, screen));
  CHECK_FALSE(needsTexture(matrix(2048, 2048, 40).placed, 40, screen));
}

TEST_CASE("stored parameters look different from what is computed") {
  MatrixFigure stored = matrix(2, 2, 40);
  stored.stored = true;
  const auto title = [](const Picture& picture) { return labels(picture, Typeface::kStrong).front().color; };
  CHECK(title(drawn(stored)) != title(drawn(matrix(2, 2, 40))));
}

TEST_CASE("an index in a title is smaller and its text is not lost") {
  Picture picture;
  const float width = addTitle(&picture, measured, Typeface::kStrong, 20, {0, 0}, {}, "Q = X·W_Q + b_Q");
  std::string all;
  bool smaller = false;
  for (const Label& label : labels(picture, Typeface::kStrong)) {
    all += label.text;
    smaller = smaller || label.size < 20;
  }
  CHECK(all == "Q = X·WQ + bQ");
  CHECK(smaller);
  CHECK(width == doctest::Approx(addTitle(nullptr, measured, Typeface::kStrong, 20, {0, 0}, {}, "Q = X·W_Q + b_Q")));
}

TEST_CASE("a text is cut between characters, never within one") {
  CHECK(elided(measured, Typeface::kBody, 10, "kurz", 100) == "kurz");
  for (float room = 5; room < 60; room += 1) {
    const std::string cut = elided(measured, Typeface::kBody, 10, "猫と鍵と猫", room);
    if (!cut.empty()) {
      CHECK(cut.size() % 3 == 0);  // three bytes each, the dots included
      CHECK(measured(Typeface::kBody, 10, cut) <= room);
    }
  }
}
