// See task_figures.h.
#include "scene/task_figures.h"

#include "core/compare.h"
#include "core/stage.h"
#include "io/percent.h"
#include "lesson/edits.h"
#include "scene/figures.h"
#include "scene/open_example.h"

namespace attn::scene {

using core::Array;
using core::Index;
using core::Matrix;

Matrix<double> arrayMatrix(const core::Trace<double>& trace, Index head, Array array) {
  const core::ArrayView view = core::arrayOf(trace, head, array);
  if (!view) return {};
  return Eigen::Map<const Matrix<double>>(view.data, view.rows, view.columns);
}

std::string arrayTitle(const lesson::Example& example, Array array, Index head, Index heads) {
  std::string name(core::arrayName(array));
  if (array == Array::kScaled) name = "scaled scores";
  if (array == Array::kMasked) name = "masked scores";
  if (array == Array::kConcat) name = "joined heads";
  if (array == Array::kResidual) name = "residual";
  const bool of_head = array != Array::kX && array != Array::kConcat && array != Array::kY && array != Array::kResidual;
  if (heads > 1 && of_head) name += " of head " + std::to_string(head + example.first_index);
  return name;
}

namespace {

bool isMap(Array array) {
  return array == Array::kScores || array == Array::kScaled || array == Array::kMasked || array == Array::kWeights;
}

// A word begins with a capital as a title; q stays q.
std::string titled(std::string title) {
  const bool word = title.size() > 1 && title[0] >= 'a' && title[0] <= 'z' && title[1] >= 'a' && title[1] <= 'z';
  if (word) title[0] = static_cast<char>(title[0] - 'a' + 'A');
  return title;
}

}  // namespace

lesson::Grid arrayGrid(const lesson::Example& example, const core::Trace<double>& trace, Index head, Array array,
                       std::string title) {
  const Matrix<double> values = arrayMatrix(trace, head, array);
  const bool of_sources = array == Array::kK || array == Array::kV;
  const bool shows_mask = array == Array::kWeights || array == Array::kMasked;
  title = titled(std::move(title));
  lesson::Grid grid = array == Array::kWeights ? mapLook(std::move(title), {}, {}) : signedLook(std::move(title), {});
  grid.row_labels = positionLabels(example, of_sources);
  if (isMap(array)) {
    grid.column_labels = positionLabels(example, true);
    grid.map = true;
  }
  if (shows_mask) grid.blocked = blockedCells(trace.mask);
  grid.rows = values.rows();
  grid.columns = values.cols();
  grid.values.assign(values.data(), values.data() + values.size());
  return grid;
}

lesson::Grid differenceGrid(lesson::Grid look, const Matrix<double>& before, const Matrix<double>& after,
                            std::string title) {
  look.title = titled(std::move(title));
  look.scale = lesson::GridScale::kSigned;
  look.blocked.clear();
  look.marked.clear();
  for (Index i = 0; i < after.rows(); ++i) {
    for (Index j = 0; j < after.cols(); ++j) {
      const double a = after(i, j), b = before(i, j);
      look.values[static_cast<std::size_t>(i * after.cols() + j)] = a == b ? 0 : a - b;
      if (!core::sameNumber(a, b)) look.marked.emplace_back(i, j);
    }
  }
  return look;
}

std::string stageLink(const std::string& example, const std::vector<std::string>& edits, Array array, Index head) {
  std::string link = "v=1";
  if (example != "three-positions") link += "&ex=" + example;
  if (!edits.empty()) link += "&edits=" + io::percentEncoded(lesson::joinEdits(edits));
  if (head > 0) link += "&head=" + std::to_string(head);
  const std::string name(core::arrayName(array));
  if (core::parseStage(name)) link += "&stage=" + name;
  return link;
}

}  // namespace attn::scene
