// Looks from the Trace, the mask and how far the walk has come.
#include "ui/stage_cells.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/cells.h"
#include "core/compare.h"
#include "core/partial.h"
#include "figure/cell_figure.h"
#include "ui/theme.h"

namespace attn::ui {
namespace {

using core::Array;
using core::Index;
using core::Stage;
using figure::CellFigure;
using figure::CellLook;

constexpr std::size_t kMostPrinted = 20000;  // per form

std::uint64_t nextKey() {
  static std::uint64_t last = 0;
  return ++last;
}

std::uint8_t markOf(double value) {
  if (std::isnan(value)) {
    return 3;
  }
  return std::isfinite(value) ? 0 : value > 0 ? 4 : 5;
}

}  // namespace

StageCells::StageCells(StageMemory& memory, const app::Session& session)
    : memory_(memory), session_(session), position_(session.position()) {}

std::optional<Stage> StageCells::writer(Array array) const {
  for (const Stage stage : memory_.equation.stages) {
    if (core::resultOf(stage) == array) {
      return stage;
    }
  }
  return std::nullopt;
}

std::string_view StageCells::print(double value, int form) const {
  if (session_.presentation().hides(app::Part::kNumbers)) return {};
  memory_.printed.resize(static_cast<std::size_t>(forms()));
  auto& printed = memory_.printed[static_cast<std::size_t>(form)];
  if (const auto found = printed.find(value); found != printed.end()) {
    return found->second;
  }
  if (printed.size() >= kMostPrinted) {
    printed.clear();
  }
  return printed.emplace(value, app::cellText(session_.state(), value, form)).first->second;
}

float StageCells::numberCell(Array array, int form) const {
  const core::ArrayView view = core::arrayOf(*memory_.trace, memory_.head, array);
  float widest = 0;
  for (Index at = 0; at < view.rows * view.columns; ++at) {
    if (std::isfinite(view.data[at])) {
      const std::string_view text = print(view.data[at], form);
      if (text.empty()) {
        return 0;
      }
      widest = std::max(widest, memory_.metrics.measure(figure::Typeface::kNumber, figure::kLargestNumber, text));
    }
  }
  return figure::fittingCell(widest, figure::kSmallestNumber * memory_.text_scale);
}

float StageCells::numberCell(Array array) const {
  const float asked = numberCell(array, 0);
  return asked > 0 ? asked : numberCell(array, 1);
}

float StageCells::legibleCell(Array array) const {
  float least = 0;
  for (int form = 0; form < forms(); ++form) {
    const float cell = numberCell(array, form);
    least = cell > 0 && (least == 0 || cell < least) ? cell : least;
  }
  return least;
}

float StageCells::numberCell() const {
  float largest = 0;
  for (const figure::EquationPart& part : memory_.equation.parts) {
    if (std::max(part.rows, part.columns) <= kReadableSide) {
      largest = std::max(largest, numberCell(part.array));
    }
  }
  return largest;
}

CellFigure StageCells::finished(Array array, Index row, Index column, double value) const {
  const core::Trace<double>& trace = *memory_.trace;
  CellFigure cell;
  cell.value = value;
  const bool difference = memory_.shown == app::Shown::kDifference;
  const bool set = !difference && core::intervened(trace.problem, array, memory_.head, row, column);
  cell.look = app::lookOf(trace, memory_.head, array, row, column, value, set);
  if (difference && cell.look == CellLook::kUnderflow) cell.look = CellLook::kValue;  // nothing has become less
  cell.changed = changed(array, row, column);
  return cell;
}

// The present number is not bit for bit the one that it is compared with.
bool StageCells::changed(Array array, Index row, Index column) const {
  if (!memory_.comparable) {
    return false;
  }
  const StageMemory::Sources& sources = memory_.sources;
  const core::ArrayView before = core::arrayOf(*sources.before, sources.head_before, array);
  const core::ArrayView after = core::arrayOf(*sources.after, sources.head_after, array);
  return !core::sameNumber(before(row, column), after(row, column));
}

CellFigure StageCells::cell(Array array, Index row, Index column) const {
  const auto stage = writer(array);
  const core::ArrayView view = core::arrayOf(*memory_.trace, memory_.head, array);
  if (!stage) {
    return finished(array, row, column, view(row, column));
  }
  if (known_row_.array != array || known_row_.row != row) {
    known_row_ = {array, row, knownColumns(array, row, view.columns)};
  }
  if (column < known_row_.columns) {
    return finished(array, row, column, view(row, column));
  }
  const app::CellReach reach = session_.timeline().reach(position_, *stage, row, column);
  if (reach.reach == app::Reach::kKnown) {
    return finished(array, row, column, view(row, column));
  }
  CellFigure cell;
  cell.look = CellLook::kUnknown;
  if (reach.reach == app::Reach::kPartial && memory_.shown != app::Shown::kDifference) {
    const bool blocked = app::isMasked(array) && !memory_.trace->mask.allowed(row, column);
    cell.look = blocked ? CellLook::kBlocked : CellLook::kPartial;
    cell.value = core::partialValue(*memory_.trace, memory_.head, *stage, row, column, reach.terms);
    const Index all = *stage == Stage::kWeights ? 2 : session_.timeline().termsOf(*stage);
    cell.progress = static_cast<float>(reach.terms) / static_cast<float>(std::max<Index>(all, 1));
  }
  return cell;
}

bool StageCells::known(Array array, Index row, Index column) const {
  const auto stage = writer(array);
  return !stage || session_.timeline().reach(position_, *stage, row, column).reach == app::Reach::kKnown;
}

const figure::Scale& StageCells::scaleOf(Array array) const {
  const figure::EquationPart* part = memory_.equation.find(array);
  if (array == Array::kWeights) {
    return memory_.scales.weights;
  }
  if (array == Array::kScores) {
    return memory_.scales.scores;
  }
  if (core::isParameter(array)) {
    return memory_.scales.parameters;
  }
  return part && part->map ? memory_.scales.scaled : memory_.scales.vectors;
}

const figure::ColorTable& StageCells::tableOf(Array array, bool dark) const {
  return scaleOf(array).diverging ? figure::divergingTable(dark) : figure::sequentialTable(session_.state().palette);
}

std::shared_ptr<const figure::HeatmapData> StageCells::data(Array array, Index head) const {
  auto& slot = memory_.textures[{array, head}];
  if (slot) {
    return slot;
  }
  const core::ArrayView view = core::arrayOf(*memory_.trace, head, array);
  const figure::Scale& scale = scaleOf(array);
  auto made = std::make_shared<figure::HeatmapData>();
  made->key = nextKey();
  made->rows = static_cast<int>(view.rows);
  made->columns = static_cast<int>(view.columns);
  const auto count = static_cast<std::size_t>(view.rows * view.columns);
  made->values.resize(count);
  made->marks.resize(count);
  for (Index i = 0; i < view.rows; ++i) {
    for (Index j = 0; j < view.columns; ++j) {
      const auto at = static_cast<std::size_t>(i * view.columns + j);
      made->values[at] = static_cast<float>(figure::partOf(scale, view.data[at]));  // a float holds no 1e300
      const bool blocked = app::isMasked(array) && !memory_.trace->mask.allowed(i, j);
      made->marks[at] = blocked ? std::uint8_t{1} : markOf(view.data[at]);
    }
  }
  slot = std::move(made);
  return slot;
}

Index StageCells::knownColumns(Array array, Index row, Index columns) const {
  if (known(array, row, columns - 1)) {
    return columns;
  }
  if (!known(array, row, 0)) {
    return 0;
  }
  Index low = 1, high = columns - 1;  // cells of a row become known from left to right
  while (low < high) {
    const Index middle = (low + high) / 2;
    known(array, row, middle) ? low = middle + 1 : high = middle;
  }
  return low;
}

std::vector<figure::HeatmapRequest> StageCells::texture(const figure::Placed& placed, float cell, Index head,
                                                        const Colors& colors, bool dark, float dim) const {
  std::vector<figure::HeatmapRequest> requests;
  figure::HeatmapRequest request;
  request.x = placed.cells.x, request.y = placed.cells.y, request.width = placed.cells.w, request.height = placed.cells.h;
  request.scale = {scaleOf(placed.array).diverging, 0, 1};
  request.palette = session_.state().palette;
  request.dark = dark;
  request.ground = colors.ground;
  request.hatch = colors.hatch;
  request.dim = dim;
  Index begin = 0;
  Index open = 0;  // known columns of the run that begins at `begin`
  for (Index i = 0; i <= placed.rows; ++i) {
    const Index now = i < placed.rows ? knownColumns(placed.array, i, placed.columns) : -1;
    if (now == open && i < placed.rows) {
      continue;
    }
    if (open > 0 && i > begin) {
      if (!request.data) {
        request.data = data(placed.array, head);
      }
      const figure::Box box = figure::partBox(placed, cell, {begin, i, 0, open});
      request.clip_x = box.x, request.clip_y = box.y, request.clip_width = box.w, request.clip_height = box.h;
      requests.push_back(request);
    }
    begin = i;
    open = now;
  }
  return requests;
}

}  // namespace attn::ui
