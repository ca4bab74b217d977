// See task_figures.h.
#include "scene/task_figures.h"

#include "core/compare.h"
#include "core/language.h"
#include "core/stage.h"
#include "io/percent.h"
#include "lesson/edits.h"
#include "lesson/packed_document.h"
#include "scene/figures.h"
#include "scene/open_example.h"

namespace attn::scene {

using core::Array;
using core::Index;
using core::Matrix;

namespace {

std::string nameOfArray(Array array, bool added_to_input) {
  switch (array) {
    case Array::kScores: return tr("scores");
    case Array::kScaled: return tr("scaled scores");
    case Array::kMasked: return tr("masked scores");
    case Array::kWeights: return tr("weights");
    case Array::kConcat: return tr("joined heads");
    case Array::kResidual: return added_to_input ? tr("the sum of x and y") : tr("the sum of the state and y");
    default: return std::string(core::arrayName(array));
  }
}

}  // namespace

Matrix<double> arrayMatrix(const core::Trace<double>& trace, Index head, Array array) {
  const core::ArrayView view = core::arrayOf(trace, head, array);
  if (!view) return {};
  return Eigen::Map<const Matrix<double>>(view.data, view.rows, view.columns);
}

std::string arrayTitle(const lesson::Example& example, Array array, Index head, Index heads) {
  const bool of_head = array != Array::kX && array != Array::kConcat && array != Array::kY && array != Array::kResidual;
  const std::string name = nameOfArray(array, example.problem.residual == core::Residual::kInput);
  return heads > 1 && of_head ? tr("{0} of head {1}", {name, head + example.first_index}) : name;
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
  } else {
    grid.column_labels = componentLabels(example, values.cols());
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

std::string stageLink(const StageMoment& moment) {
  constexpr std::size_t kLongest = 8000;  // of the 8 KiB that a link holds
  std::string start = "v=1", link;
  if (moment.base.id.empty()) start += "&d=" + lesson::packDocument(moment.base.document);
  else if (moment.base.id != "three-positions") start += "&ex=" + moment.base.id;
  const auto put = [](std::string& to, const char* key, const std::string& value) {
    to += "&" + std::string(key) + "=" + io::percentEncoded(value);
  };
  link = start;
  if (moment.edits != moment.base.edits) put(link, "edits", lesson::joinEdits(moment.edits));
  if (moment.head > 0) put(link, "head", std::to_string(moment.head));
  if (moment.pinned) {
    std::string pin = start;
    if (*moment.pinned != moment.base.edits) put(pin, "edits", lesson::joinEdits(*moment.pinned));
    if (moment.head > 0) put(pin, "head", std::to_string(moment.head));
    put(link, "pin", pin);
  }
  const std::string name(core::arrayName(moment.array));
  if (core::parseStage(name)) put(link, "stage", name);
  if (moment.row + 1 != static_cast<Index>(moment.base.tokens.size())) put(link, "row", std::to_string(moment.row));
  return link.size() <= kLongest ? link : "";
}

}  // namespace attn::scene
