// Strips of cells: the operands' rows or columns and the result's row, around the cell in question.
#include "ui/stage_lens.h"

#include <algorithm>
#include <cmath>

#include "figure/cell_figure.h"
#include "ui/paint.h"
#include "ui/stage_camera.h"
#include "ui/stage_cells.h"
#include "ui/text.h"

namespace attn::ui {
namespace {

using core::Index;
using figure::Box;

constexpr float kStripCell = 46, kStripGap = 8, kPadding = 10;
constexpr float kLeastWidth = 520;  // of the stage; on a narrower one the picture itself comes closer

// One row of a matrix, or one column lying on its side.
struct Strip {
  Part part;
  const figure::EquationPart* matrix = nullptr;
  bool column = false;
  bool result = false;
  Index begin = 0, end = 0;  // of its cells: what is shown

  Index length() const { return column ? matrix->rows : matrix->columns; }
  Index marked() const { return column ? part.range.row_begin : part.range.column_begin; }
  Index markedEnd() const { return column ? part.range.row_end : part.range.column_end; }
  bool overSources() const { return column ? matrix->row_axis == figure::Axis::kSources : matrix->map; }
};

class Lens {
 public:
  Lens(Frame& frame, StageMemory& memory, const Box& area)
      : frame_(frame), memory_(memory), cells_(memory, frame.session), area_(area), step_(*frame.session.state().at),
        cell_(frame.size(kStripCell)), name_(std::min(frame.size(150), area.w * 0.3f)) {}

  float draw() {
    collect();
    if (strips_.empty()) {
      return 0;
    }
    const float tokens = sourceStrip() ? frame_.size(20) : 0;
    const float height = 2 * kPadding + tokens + static_cast<float>(strips_.size()) * (cell_ + kStripGap) - kStripGap;
    if (height > area_.h * 0.5f) {
      return 0;
    }
    const Box box = {area_.x + kPadding, area_.bottom() - height, area_.w - 2 * kPadding, height};
    picture_.add(figure::Fill{box, frame_.colors.surface, 6});
    picture_.add(figure::Frame{box, frame_.colors.line, 1, 6});
    float y = box.y + kPadding;
    for (const Strip& strip : strips_) {
      if (&strip == sourceStrip()) {
        addTokens(strip, y);
        y += tokens;
      }
      addStrip(strip, y);
      y += cell_ + kStripGap;
    }
    paint(picture_, *ImGui::GetWindowDrawList(), frame_.view);
    return height + kPadding;
  }

 private:
  void collect() {
    const StepParts parts = partsOf(memory_.equation, step_);
    for (const auto* list : {&parts.operands, &parts.result}) {
      for (const Part& part : *list) {
        addPart(part, memory_.equation.find(part.array), list == &parts.result);
      }
    }
    if (strips_.empty() || !strips_.back().result) {  // a whole matrix is no strip
      return strips_.clear();
    }
    if (!isLarge(memory_.equation, parts)) {
      shrink();
    }
    for (Strip& strip : strips_) {
      findRange(strip);
    }
  }

  void addPart(const Part& part, const figure::EquationPart* matrix, bool result) {
    const bool row = part.range.row_end - part.range.row_begin == 1;
    const bool column = part.range.column_end - part.range.column_begin == 1;
    if (row || column) {
      strips_.push_back({part, matrix, !row, result, 0, 0});
    }
  }

  float room() const { return area_.w - 4 * kPadding - name_ - cell_; }

  // Cells as small as their numbers allow, when that shows more of the row.
  void shrink() {
    float legible = figure::kNumberCell, longest = 1;
    for (const Strip& strip : strips_) {
      legible = std::max(legible, cells_.legibleCell(strip.part.array));
      longest = std::max(longest, static_cast<float>(strip.length()));
    }
    const float all = (area_.w - 4 * kPadding - name_) / (longest + 1);
    cell_ = std::clamp(all, std::min(std::ceil(legible), cell_), cell_);
  }

  void findRange(Strip& strip) {
    const Index shown = std::clamp<Index>(static_cast<Index>(room() / cell_ + 1e-3f), 1, strip.length());
    const bool one = strip.markedEnd() - strip.marked() == 1;
    const Index focus = one ? strip.marked() : strip.overSources() ? sourceInQuestion(shown) : 0;
    strip.begin = std::clamp<Index>(focus - shown / 2, 0, strip.length() - shown);
    strip.end = strip.begin + shown;
  }

  // The source with the largest number of the row that the step is about; between it and the row's own position where
  // both have room.
  Index sourceInQuestion(Index shown) const {
    const Index own = std::max<Index>(step_.row, 0);
    const Index largest = largestSource();
    if (largest < 0) {
      return own;
    }
    return std::abs(largest - own) < shown ? (largest + own + 1) / 2 : largest;
  }

  // In the last map of the step, of what is known and may be read; −1 where nothing is.
  Index largestSource() const {
    const auto strip = std::find_if(strips_.rbegin(), strips_.rend(), [](const Strip& s) { return !s.column && s.matrix->map; });
    if (strip == strips_.rend()) {
      return -1;
    }
    const core::Array array = strip->part.array;
    Index largest = -1;
    double most = 0;
    for (Index j = 0; j < strip->length(); ++j) {
      const figure::CellFigure cell = cells_.cell(array, strip->part.range.row_begin, j);
      if (cell.look == figure::CellLook::kValue && (largest < 0 || cell.value > most)) {
        largest = j;
        most = cell.value;
      }
    }
    return largest;
  }

  const Strip* sourceStrip() const {
    const auto found = std::find_if(strips_.begin(), strips_.end(), [](const Strip& s) { return s.overSources(); });
    return found == strips_.end() ? nullptr : &*found;
  }

  float left() const { return area_.x + 2 * kPadding + name_ + cell_ / 2; }

  // "sources 45 to 53 of 64"
  std::string shownPart(const Strip& strip) const {
    const Index first = frame_.session.example().first_index, all = strip.length();
    if (strip.end - strip.begin == all) {
      return "";
    }
    return tr("sources {0} to {1} of {2}", {strip.begin + first, strip.end - 1 + first, all});
  }

  void addTokens(const Strip& strip, float y) {
    const std::string part = figure::elided(memory_.metrics.measure, figure::Typeface::kBody, frame_.size(12.5f), shownPart(strip), name_ - 8);
    picture_.add(figure::Label{{area_.x + 2 * kPadding, y}, 0, 0, figure::Typeface::kBody, frame_.size(12.5f), frame_.colors.muted, part});
    recordText(frame_, part, {area_.x + 2 * kPadding, y, name_, frame_.size(16)}, {area_.x, y, area_.w, frame_.size(20)});
    for (Index j = strip.begin; j < strip.end; ++j) {
      const float size = frame_.size(12.5f);
      const auto at = static_cast<std::size_t>(j);
      const bool fits = memory_.metrics.measure(figure::Typeface::kBody, size, memory_.columns.labels[at]) <= cell_ - 2;
      const std::string text = fits ? memory_.columns.labels[at] : memory_.columns.numbers[at];
      picture_.add(figure::Label{{left() + (static_cast<float>(j - strip.begin) + 0.5f) * cell_, y}, 0.5f, 0,
                                 figure::Typeface::kBody, size, frame_.colors.muted, text});
    }
  }

  std::string nameOf(const Strip& strip) const {
    const Index at = strip.column ? strip.part.range.column_begin : strip.part.range.row_begin;
    const std::string title = figure::arrayTitle(strip.matrix->array) + "  ";
    if (strip.column) {
      return title + tr("column {0}", {at + frame_.session.example().first_index});
    }
    switch (strip.matrix->row_axis) {
      case figure::Axis::kDestinations: return title + memory_.row_labels[static_cast<std::size_t>(at)];
      case figure::Axis::kSources: return title + memory_.columns.labels[static_cast<std::size_t>(at)];
      case figure::Axis::kNone: break;
    }
    return strip.matrix->rows == 1 ? title : title + tr("row {0}", {at + frame_.session.example().first_index});
  }

  void addStrip(const Strip& strip, float y) {
    const Index fixed = strip.column ? strip.part.range.column_begin : strip.part.range.row_begin;
    const core::Array array = strip.part.array;
    figure::MatrixFigure row;
    row.placed = {array, false, 1, strip.end - strip.begin, figure::Axis::kNone, false, 1, {}, {}};
    row.placed.cells = {left(), y, cell_ * static_cast<float>(row.placed.columns), cell_};
    row.cell = cell_;
    row.metrics = memory_.metrics;
    row.scale = cells_.scaleOf(array);
    row.table = &cells_.tableOf(array, isDark(frame_.view));
    row.at = [this, &strip, fixed, array](Index, Index j) {
      return strip.column ? cells_.cell(array, strip.begin + j, fixed) : cells_.cell(array, fixed, strip.begin + j);
    };
    row.print = [this](double value, int form) { return cells_.print(value, form); };
    row.forms = cells_.forms();
    const float size = frame_.size(14);
    const std::string name = figure::elided(memory_.metrics.measure, figure::Typeface::kBody, size, nameOf(strip), name_ - 8);
    figure::addTitle(&picture_, memory_.metrics.measure, strip.result ? figure::Typeface::kStrong : figure::Typeface::kBody, size,
                     {area_.x + 2 * kPadding, y + (cell_ - size * 1.25f) / 2},
                     core::isParameter(array) ? frame_.colors.parameter : frame_.colors.text, name);
    figure::addCells(picture_, row, frame_.colors, {0, 1, 0, row.placed.columns});
    addMore(strip, row.placed.cells);
    addFrame(strip, row.placed);
  }

  // Dots where the row goes on.
  void addMore(const Strip& strip, const Box& box) {
    const auto dots = [&](float x) {
      picture_.add(figure::Label{{x, box.center().y}, 0.5f, 0.5f, figure::Typeface::kBody, frame_.size(14), frame_.colors.muted, "…"});
    };
    if (strip.begin > 0) {
      dots(box.x - cell_ / 4);
    }
    if (strip.end < strip.length()) {
      dots(box.right() + cell_ / 4);
    }
  }

  void addFrame(const Strip& strip, const figure::Placed& placed) {
    const Index begin = std::max(strip.marked(), strip.begin) - strip.begin;
    const Index end = std::min(strip.markedEnd(), strip.end) - strip.begin;
    const Box box = figure::partBox(placed, cell_, {0, 1, begin, end});
    picture_.add(figure::Frame{figure::grown(box, 1.5f), frame_.colors.now, strip.result ? 2.4f : 1.4f, 4});
  }

  Frame& frame_;
  StageMemory& memory_;
  StageCells cells_;
  Box area_;
  app::Step step_;
  float cell_, name_;
  std::vector<Strip> strips_;
  figure::Picture picture_;
};

}  // namespace

float drawLens(Frame& frame, StageMemory& memory, const Box& area) {
  memory.lens = false;
  const auto& step = frame.session.state().at;
  if (!step || !frame.view.camera.automatic) {
    return 0;
  }
  const bool large = isLarge(memory.equation, partsOf(memory.equation, *step));
  if (!large && (area.w < frame.size(kLeastWidth) || numbersFit(memory, frame.session))) {
    return 0;
  }
  const float height = Lens(frame, memory, area).draw();
  memory.lens = height > 0;
  return height;
}

}  // namespace attn::ui
