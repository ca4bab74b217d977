// Prefix sums over stages and rows. See timeline.h for what counts as a step.
#include "app/timeline.h"

#include <algorithm>
#include <cassert>

namespace attn::app {
namespace {

using core::Stage;

// Phases of the softmax and of the normalisation, as Step::term counts them.
constexpr Index kMaximum = 0, kExponential = 1, kSum = 2, kDivision = 3;
constexpr Index kMean = 0, kVariance = 1, kNormalised = 2;

bool takesAllRows(Stage stage) { return stage == Stage::kNorm || stage == Stage::kK || stage == Stage::kV; }
bool readsSources(Stage stage) { return stage == Stage::kWeights || stage == Stage::kZ; }

Index projectionTerms(const core::Problem<double>& problem, Stage stage) {
  const auto& weights = stage == Stage::kQ ? problem.wq : stage == Stage::kK ? problem.wk : problem.wv;
  const auto& bias = stage == Stage::kQ ? problem.bq : stage == Stage::kK ? problem.bk : problem.bv;
  return weights.empty() ? 1 : weights[0].rows() + (bias.empty() ? 0 : 1);
}

Index termsIn(const core::Trace<double>& trace, const core::HeadTrace<double>& head, Stage stage) {
  switch (stage) {
    case Stage::kQ: case Stage::kK: case Stage::kV: return projectionTerms(trace.problem, stage);
    case Stage::kScores: return head.q.cols();
    case Stage::kZ: return head.v.rows();
    case Stage::kY: return (trace.problem.wo ? trace.problem.wo->rows() : 1) + (trace.problem.bo ? 1 : 0);
    default: return 1;
  }
}

}  // namespace

Timeline::Timeline(const core::Trace<double>& trace, Order order, Grain grain, Index row, Index head)
    : order_(order), grain_(grain), row_(row), stages_(core::stagesOf(trace.problem)) {
  const auto& in_view = trace.heads[static_cast<std::size_t>(head)];
  const core::Mask& mask = trace.mask;
  sources_ = mask.columns();
  first_masked_row_ = order == Order::kRow ? row : 0;
  const Index walked = order == Order::kRow ? 1 : mask.rows();
  allowed_.resize(static_cast<std::size_t>(walked * sources_));
  for (Index i = 0; i < walked; ++i) {
    Index count = 0;
    for (Index j = 0; j < sources_; ++j) {
      const bool may = mask.allowed(first_masked_row_ + i, j);
      allowed_[static_cast<std::size_t>(i * sources_ + j)] = may;
      count += may;
    }
    allowed_in_row_.push_back(count);
  }
  for (Stage stage : stages_) {
    const auto result = core::arrayOf(trace, head, core::resultOf(stage));
    addSegment(stage, result.rows, result.columns, termsIn(trace, in_view, stage));
  }
}

void Timeline::addSegment(Stage stage, Index all_rows, Index columns, Index terms) {
  Segment segment;
  segment.stage = stage;
  segment.columns = columns;
  segment.terms = terms;
  segment.start = size();
  const bool one_row = order_ == Order::kRow && !takesAllRows(stage);
  segment.first_row = one_row ? row_ : 0;
  segment.rows = one_row ? 1 : all_rows;
  segment.whole = !one_row && (grain_ == Grain::kStage || (grain_ == Grain::kRow && order_ == Order::kRow));
  if (segment.whole) {
    segment.size = 1;
  } else if (grain_ == Grain::kStage || grain_ == Grain::kRow || !readsSources(stage)) {
    segment.per_row = rowLength(segment, segment.first_row);
    segment.size = segment.per_row * segment.rows;
  } else {
    segment.row_starts.push_back(0);
    for (Index i = 0; i < segment.rows; ++i)
      segment.row_starts.push_back(segment.row_starts.back() + rowLength(segment, segment.first_row + i));
    segment.size = segment.row_starts.back();
  }
  segments_.push_back(std::move(segment));
}

// Steps of one row when the segment is not one whole step.
Index Timeline::rowLength(const Segment& segment, Index row) const {
  if (grain_ == Grain::kStage || grain_ == Grain::kRow || silent(segment, row)) return 1;
  if (grain_ == Grain::kCell) return segment.columns;
  if (segment.stage == Stage::kNorm) return 2 + segment.columns;
  if (segment.stage == Stage::kWeights)
    return 2 + sources_ + allowed_in_row_[static_cast<std::size_t>(row - first_masked_row_)];
  return segment.columns * segment.terms;
}

bool Timeline::silent(const Segment& segment, Index row) const {
  return readsSources(segment.stage) && allowed_in_row_[static_cast<std::size_t>(row - first_masked_row_)] == 0;
}

bool Timeline::allowed(Index row, Index col) const {
  return allowed_[static_cast<std::size_t>((row - first_masked_row_) * sources_ + col)] != 0;
}

Index Timeline::allowedBefore(Index row, Index col) const {
  Index count = 0;
  for (Index j = 0; j < col; ++j) count += allowed(row, j);
  return count;
}

const Timeline::Segment* Timeline::find(Stage stage) const {
  for (const Segment& segment : segments_)
    if (segment.stage == stage) return &segment;
  return nullptr;
}

Index Timeline::size() const { return segments_.empty() ? 0 : segments_.back().start + segments_.back().size; }

Index Timeline::rowStart(const Segment& segment, Index row) const {
  const Index i = row - segment.first_row;
  if (segment.row_starts.empty()) return segment.start + i * segment.per_row;
  return segment.start + segment.row_starts[static_cast<std::size_t>(i)];
}

Index Timeline::rowEnd(const Segment& segment, Index row) const { return rowStart(segment, row + 1); }

std::optional<Step> Timeline::at(Index position) const {
  if (position <= 0 || segments_.empty()) return std::nullopt;
  const Index number = std::min(position, size()) - 1;
  std::size_t s = 0;
  while (number >= segments_[s].start + segments_[s].size) ++s;
  const Segment& segment = segments_[s];
  if (segment.whole) return Step{segment.stage, -1, -1, -1};
  const Index inside = number - segment.start;
  if (segment.row_starts.empty())
    return stepInRow(segment, segment.first_row + inside / segment.per_row, inside % segment.per_row);
  const auto next = std::upper_bound(segment.row_starts.begin(), segment.row_starts.end(), inside);
  const Index i = next - segment.row_starts.begin() - 1;
  return stepInRow(segment, segment.first_row + i, inside - segment.row_starts[static_cast<std::size_t>(i)]);
}

Step Timeline::stepInRow(const Segment& segment, Index row, Index offset) const {
  const Stage stage = segment.stage;
  if (grain_ == Grain::kStage || grain_ == Grain::kRow || silent(segment, row)) return {stage, row, -1, -1};
  if (grain_ == Grain::kCell) return {stage, row, offset, -1};
  if (stage == Stage::kNorm) {
    if (offset < kNormalised) return {stage, row, -1, offset};
    return {stage, row, offset - kNormalised, kNormalised};
  }
  if (stage != Stage::kWeights) return {stage, row, offset / segment.terms, offset % segment.terms};
  if (offset == 0) return {stage, row, -1, kMaximum};
  if (offset <= sources_) return {stage, row, offset - 1, kExponential};
  if (offset == sources_ + 1) return {stage, row, -1, kSum};
  Index col = 0;
  for (Index left = offset - sources_ - 2; left > 0 || !allowed(row, col); ++col) left -= allowed(row, col);
  return {stage, row, col, kDivision};
}

Index Timeline::positionOf(const std::optional<Step>& step) const {
  if (!step || segments_.empty()) return 0;
  const Segment* segment = find(step->stage);
  if (!segment) {
    Index end = 0;
    for (const Segment& before : segments_)
      if (before.stage < step->stage) end = before.start + before.size;
    return end;
  }
  const Index end = segment->start + segment->size;
  if (segment->whole || step->row < 0 || step->row >= segment->first_row + segment->rows) return end;
  if (step->row < segment->first_row) return segment->start;
  return rowStart(*segment, step->row) + doneInRow(*segment, *step);
}

// How many steps of the row are done when `step` is.
Index Timeline::doneInRow(const Segment& segment, const Step& step) const {
  const Index all = rowEnd(segment, step.row) - rowStart(segment, step.row);
  if (grain_ == Grain::kStage || grain_ == Grain::kRow || silent(segment, step.row)) return 1;
  const bool phased = segment.stage == Stage::kNorm || segment.stage == Stage::kWeights;
  if (step.col >= segment.columns || (step.col < 0 && !(phased && step.term >= 0))) return all;
  if (phased && (grain_ == Grain::kTerm || step.term >= 0)) return phaseDone(segment, step);
  if (grain_ == Grain::kCell) return step.col + 1;
  if (step.term < 0) return (step.col + 1) * segment.terms;
  return step.col * segment.terms + std::min(step.term, segment.terms - 1) + 1;
}

// The same for the two stages that go in phases. At the grain `cell` the first cell includes all that comes before the
// first division.
Index Timeline::phaseDone(const Segment& segment, const Step& step) const {
  const bool norm = segment.stage == Stage::kNorm;
  if (grain_ == Grain::kCell) {
    const Index last = norm ? kNormalised : kDivision;
    return step.term < 0 || step.term >= last ? std::max<Index>(step.col, 0) + 1 : 1;
  }
  const Index col = std::max<Index>(step.col, 0);
  if (norm) return step.term == kMean ? 1 : step.term == kVariance ? 2 : col + kNormalised + 1;
  if (step.term == kMaximum) return 1;
  if (step.term == kExponential) return 2 + col;
  if (step.term == kSum) return 2 + sources_;
  // A whole weight, or its division: done once all weights up to it are known.
  const Index divisions = allowedBefore(step.row, col + 1);
  return divisions > 0 ? 2 + sources_ + divisions : 2 + col;
}

Index Timeline::previousStage(Index position) const {
  Index end = 0;
  for (const Segment& segment : segments_)
    if (segment.start + segment.size < position) end = segment.start + segment.size;
  return end;
}

Index Timeline::nextStage(Index position) const {
  for (const Segment& segment : segments_)
    if (segment.start + segment.size > position) return segment.start + segment.size;
  return size();
}

bool Timeline::endsStage(Index position) const {
  for (const Segment& segment : segments_)
    if (segment.start + segment.size == position) return true;
  return false;
}

bool Timeline::walks(Stage stage, Index row) const {
  const Segment* segment = find(stage);
  return segment && row >= segment->first_row && row < segment->first_row + segment->rows;
}

Index Timeline::termsOf(Stage stage) const {
  const Segment* segment = find(stage);
  return segment ? segment->terms : 1;
}

// The position at which this cell itself has its value.
Index Timeline::cellDone(const Segment& segment, Index row, Index col) const {
  Step step{segment.stage, row, col, -1};
  if (grain_ == Grain::kTerm && segment.stage == Stage::kWeights && !silent(segment, row) && !allowed(row, col))
    step.term = kExponential;
  return rowStart(segment, row) + doneInRow(segment, step);
}

// Asked for every cell that is drawn, so the current step is worked out only for cells of its own row.
CellReach Timeline::reach(Index position, Stage stage, Index row, Index col) const {
  const Segment* segment = find(stage);
  if (!segment) return {Reach::kKnown, 0, false};
  if (!walks(stage, row)) return {};
  const Index end = segment->start + segment->size;
  if (position <= segment->start) return {};
  if (position > end) return {Reach::kKnown, 0, false};
  if (segment->whole) return {Reach::kKnown, 0, true};
  const Index start_of_row = rowStart(*segment, row), end_of_row = rowEnd(*segment, row);
  if (position <= start_of_row) return {};
  if (position > end_of_row) return {Reach::kKnown, 0, false};
  const Index done = position - start_of_row;
  CellReach result;
  const Step step = stepInRow(*segment, row, done - 1);
  result.now = step.col < 0 || step.col == col;
  if (position == end_of_row || position >= cellDone(*segment, row, col)) {
    result.reach = Reach::kKnown;
  } else if (grain_ == Grain::kTerm && stage == Stage::kWeights) {
    result.terms = done >= 2 + col ? 1 : 0;
  } else if (grain_ == Grain::kTerm && stage != Stage::kNorm) {
    result.terms = std::clamp<Index>(done - col * segment->terms, 0, segment->terms);
  }
  if (result.terms > 0) result.reach = Reach::kPartial;
  return result;
}

}  // namespace attn::app
