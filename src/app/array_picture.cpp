// From names, looks and ranges to a figure::Sheet.
#include "app/array_picture.h"

#include "app/cells.h"
#include "app/words.h"
#include "core/intervention.h"
#include "core/language.h"
#include "figure/equation.h"
#include "figure/matrix_sheet.h"
#include "figure/svg.h"
#include "lesson/trace_arrays.h"

namespace attn::app {
namespace {

using core::Array;
using figure::CellLook;

class Maker {
 public:
  Maker(const lesson::Example& example, const core::Trace<double>& trace, const io::NamedArray& array, Index head, const State& look, bool dark)
      : example_(example), trace_(trace), array_(array), head_(head), state_(look), dark_(dark), known_(core::parseArray(array.name)),
        axes_(lesson::axesOf(array.name)) {
    if (const auto* flags = array.flags()) values_.assign(flags->begin(), flags->end());
    else values_ = *array.numbers();
    const auto& shape = array.shape;
    const bool upright = shape.size() == 1 && axes_.rows != lesson::AxisKind::kFeatures;  // one number of each position
    rows_ = shape.empty() || (shape.size() == 1 && !upright) ? 1 : static_cast<Index>(shape[0]);
    columns_ = shape.empty() || upright ? 1 : static_cast<Index>(shape.back());
    findScale();
  }

  std::string svg() {
    figure::MatrixFigure figure;
    figure.placed.rows = rows_, figure.placed.columns = columns_;
    figure.placed.map = axes_.columns == lesson::AxisKind::kSources;
    figure.title = known_ ? figure::arrayTitle(*known_) : array_.name;
    figure.formula = known_ ? figure::arrayFormula(figure::equationOf(trace_, head_), *known_) : figure.title;
    figure.note = note();
    figure.stored = known_ && core::isParameter(*known_);
    figure.scale = scale_;
    figure.table = &(scale_.diverging ? figure::divergingTable(dark_) : figure::sequentialTable(state_.palette));
    figure.at = [this](Index i, Index j) { return cell(i, j); };
    figure.print = [this](double value, int form) -> std::string_view { return printed_ = cellText(state_, value, form); };
    figure.forms = cellForms(state_);
    nameAxes(figure);
    look_.palette = state_.palette, look_.dark = dark_;
    const figure::Sheet sheet = figure::matrixSheet(std::move(figure), look_);
    return figure::svgOf(sheet.picture, {sheet.area, figure::inks(dark_, false).ground, array_.name + ", " + note(), description()});
  }

 private:
  // 0 and 1 for what can be read and what cannot, weights from 0 on, everything else around 0.
  void findScale() {
    if (array_.flags()) scale_ = {false, 0, 1};
    else if (known_ == Array::kWeights) scale_ = weightScale(trace_, head_, look_.clipped);
    else scale_ = signedScale(largestMagnitude(values_.data(), static_cast<Index>(values_.size())));
  }

  figure::CellFigure cell(Index i, Index j) const {
    const double value = values_[static_cast<std::size_t>(i * columns_ + j)];
    figure::CellFigure cell;
    cell.value = value;
    const bool hidden = array_.name == "exp" || array_.name == "exp_plain" || array_.name == "allowed";
    if (hidden && !trace_.mask.allowed(i, j)) cell.look = CellLook::kBlocked;
    else cell.look = lookOf(trace_, head_, known_.value_or(Array::kX), i, j, value, known_ && core::intervened(trace_.problem, *known_, head_, i, j));
    return cell;
  }

  std::string note() const {
    std::string text = example_.title.empty() ? "" : example_.title + " · ";
    if (trace_.heads.size() > 1 && lesson::isPerHead(array_.name)) text += headText(example_, head_) + " · ";
    return text + core::shapeText(rows_, columns_);
  }

  std::string description() const {
    if (axes_.columns == lesson::AxisKind::kSources)
      return tr("Each row is a position that reads, each column one that is read.");
    if (axes_.rows != lesson::AxisKind::kFeatures) return tr("Each row belongs to one position.");
    return tr("Rows and columns are components.");
  }

  static std::function<std::string(Index)> names(std::vector<std::string> list) {
    return [list = std::move(list)](Index i) { return list[static_cast<std::size_t>(i)]; };
  }

  void nameAxes(figure::MatrixFigure& figure) const {
    const auto of = [this](lesson::AxisKind axis) {
      return axisLabels(example_, axis == lesson::AxisKind::kSources, state_.show_spaces);
    };
    if (axes_.rows != lesson::AxisKind::kFeatures) figure.row_label = names(of(axes_.rows).labels);
    if (axes_.columns == lesson::AxisKind::kFeatures) return;
    AxisLabels columns = of(axes_.columns);
    figure.column_label = names(std::move(columns.labels));
    figure.column_token = names(std::move(columns.tokens));
    figure.column_number = names(std::move(columns.numbers));
  }

  const lesson::Example& example_;
  const core::Trace<double>& trace_;
  const io::NamedArray& array_;
  Index head_;
  const State& state_;
  bool dark_;
  std::optional<Array> known_;
  lesson::AxisKinds axes_;
  std::vector<double> values_;
  Index rows_ = 0, columns_ = 0;
  figure::Scale scale_;
  figure::SheetLook look_;
  std::string printed_;
};

}  // namespace

core::Result<std::string> arraySvg(const lesson::Example& example, const core::Trace<double>& trace, const io::NamedArray& array,
                                   Index head, const State& look, bool dark) {
  if (array.texts()) {
    return core::Error{tr("{0} holds texts, and a picture shows numbers; choose another array, or csv.", {array.name})};
  }
  if (array.shape.size() > 2) {
    return core::Error{tr("{0} has {1} axes, and a picture two; choose one head of it.", {array.name, array.shape.size()})};
  }
  return Maker(example, trace, array, head, look, dark).svg();
}

}  // namespace attn::app
