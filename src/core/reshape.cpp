// Rows and columns by their origins. See reshape.h.
#include "core/reshape.h"

#include <algorithm>

namespace attn::core {
namespace {

using Grid = Matrix<double>;

// The new place of an old index; kNew when it is gone.
Index placeOf(const Origins& from, Index old) {
  const auto found = std::find(from.begin(), from.end(), old);
  return found == from.end() ? kNew : found - from.begin();
}

Grid rowsFrom(const Grid& old, const Origins& from, Index like) {
  Grid out = Grid::Zero(static_cast<Index>(from.size()), old.cols());
  for (Index i = 0; i < out.rows(); ++i) {
    const Index origin = from[static_cast<std::size_t>(i)] == kNew ? like : from[static_cast<std::size_t>(i)];
    if (origin != kNew) out.row(i) = old.row(origin);
  }
  return out;
}

Grid columnsFrom(const Grid& old, const Origins& from) {
  Grid out = Grid::Zero(old.rows(), static_cast<Index>(from.size()));
  for (Index j = 0; j < out.cols(); ++j)
    if (const Index origin = from[static_cast<std::size_t>(j)]; origin != kNew) out.col(j) = old.col(origin);
  return out;
}

Origins unchanged(Index count) {
  Origins all;
  for (Index i = 0; i < count; ++i) all.push_back(i);
  return all;
}

// Columns 0 … width − 1 of an array that had `old`.
Origins widened(Index old, Index width) {
  Origins all = unchanged(std::min(old, width));
  all.resize(static_cast<std::size_t>(width), kNew);
  return all;
}

std::vector<double> valuesFrom(const std::vector<double>& old, const Origins& from) {
  std::vector<double> out;
  for (const Index origin : from) out.push_back(origin == kNew ? 0 : old[static_cast<std::size_t>(origin)]);
  return out;
}

// Moves an index along; false when what it named is gone.
bool follow(std::optional<Index>& index, const Origins& from) {
  if (!index) return true;
  index = placeOf(from, *index);
  return *index != kNew;
}

// One that is about rows of destinations or sources, and of columns of sources.
bool followPositions(Intervention& one, const Origins& rows, const Origins& sources) {
  const bool of_sources = one.kind == Intervention::Kind::kSet && (one.array == Array::kK || one.array == Array::kV);
  if (!follow(one.row, of_sources ? sources : rows)) return false;
  if (one.kind != Intervention::Kind::kSet || !isOverSources(one.array)) return true;
  if (!one.col) one.values = valuesFrom(one.values, sources);
  return follow(one.col, sources);
}

void reorderMask(MaskSpec& mask, const Origins& rows, const Origins& sources) {
  std::vector<CellRule> kept;
  for (CellRule rule : mask.rules)
    if (follow(rule.row, rows) && follow(rule.col, sources)) kept.push_back(rule);
  mask.rules = std::move(kept);
  const auto flags = [&sources](const std::vector<bool>& old) {
    std::vector<bool> out;
    for (const Index origin : sources) out.push_back(origin == kNew || old[static_cast<std::size_t>(origin)]);
    return out;
  };
  if (!mask.padding.empty()) mask.padding = flags(mask.padding);
  if (mask.allowed.empty()) return;
  std::vector<std::vector<bool>> allowed;
  for (const Index origin : rows)
    allowed.push_back(origin == kNew ? std::vector<bool>(sources.size(), true)
                                     : flags(mask.allowed[static_cast<std::size_t>(origin)]));
  mask.allowed = std::move(allowed);
}

template <class T>
std::vector<T> picked(const std::vector<T>& old, const Origins& from) {
  std::vector<T> out;
  for (const Index origin : from) out.push_back(old[static_cast<std::size_t>(origin)]);
  return out;
}

// Lists of one for all, or one per head.
template <class T>
void reorderPerHead(std::vector<T>& list, const Origins& from, Index heads) {
  if (static_cast<Index>(list.size()) == heads && heads > 0) list = picked(list, from);
}

Index valueWidth(const Problem<double>& p, std::size_t head) { return (p.wv.empty() ? p.v : p.wv)[head].cols(); }

void widenVectors(std::vector<RowVector<double>>& list, Index width) {
  for (RowVector<double>& vector : list) {
    const Index old = vector.size();
    vector.conservativeResize(width);
    if (width > old) vector.tail(width - old).setZero();
  }
}

// Interventions on one of `arrays` lose or gain columns.
void widenInterventions(std::vector<Intervention>& all, std::initializer_list<Array> arrays, Index width) {
  std::vector<Intervention> kept;
  for (Intervention one : all) {
    const bool concerned = one.kind == Intervention::Kind::kSet &&
                           std::find(arrays.begin(), arrays.end(), one.array) != arrays.end();
    if (concerned && one.col && *one.col >= width) continue;
    if (concerned && !one.col) one.values = valuesFrom(one.values, widened(static_cast<Index>(one.values.size()), width));
    kept.push_back(std::move(one));
  }
  all = std::move(kept);
}

}  // namespace

void reorderPositions(Problem<double>& p, const Origins& from, Index like) {
  const Origins sources = p.cross ? unchanged(p.S) : from;
  const auto rows = [&](std::optional<Grid>& array) {
    if (array) array = rowsFrom(*array, from, like);
  };
  rows(p.x);
  rows(p.state);
  for (Grid& q : p.q) q = rowsFrom(q, from, like);
  if (!p.cross)
    for (auto* list : {&p.k, &p.v})
      for (Grid& array : *list) array = rowsFrom(array, from, like);
  for (Grid& bias : p.bias) bias = columnsFrom(rowsFrom(bias, from, kNew), sources);
  reorderMask(p.mask, from, sources);
  std::vector<Intervention> kept;
  for (Intervention one : p.interventions)
    if (followPositions(one, from, sources)) kept.push_back(std::move(one));
  p.interventions = std::move(kept);
  p.T = static_cast<Index>(from.size());
  p.S = static_cast<Index>(sources.size());
}

void reorderHeads(Problem<double>& p, const Origins& from) {
  const Index heads = p.heads();
  if (p.wo) {
    Origins rows;
    for (std::size_t n = 0; n < from.size(); ++n) {
      const bool copy = placeOf(from, from[n]) != static_cast<Index>(n);
      Index start = 0;
      for (Index h = 0; h < from[n]; ++h) start += valueWidth(p, static_cast<std::size_t>(h));
      for (Index j = 0; j < valueWidth(p, static_cast<std::size_t>(from[n])); ++j)
        rows.push_back(copy ? kNew : start + j);
    }
    p.wo = rowsFrom(*p.wo, rows, kNew);
  }
  for (auto* list : {&p.wq, &p.wk, &p.wv, &p.q, &p.k, &p.v})
    if (!list->empty()) *list = picked(*list, from);
  for (auto* list : {&p.bq, &p.bk, &p.bv})
    if (!list->empty()) *list = picked(*list, from);
  reorderPerHead(p.bias, from, heads);
  reorderPerHead(p.sink, from, heads);
  reorderPerHead(p.alibi, from, heads);
  std::vector<Intervention> kept;
  for (Intervention one : p.interventions)
    if (follow(one.head, from)) kept.push_back(std::move(one));
  p.interventions = std::move(kept);
}

void setKeyWidth(Problem<double>& p, Index width) {
  const Index old = (p.wq.empty() ? p.q : p.wq)[0].cols();
  for (auto* list : {&p.wq, &p.wk, &p.q, &p.k})
    for (Grid& array : *list) array = columnsFrom(array, widened(old, width));
  widenVectors(p.bq, width);
  widenVectors(p.bk, width);
  widenInterventions(p.interventions, {Array::kQ, Array::kK}, width);
}

void setValueWidth(Problem<double>& p, Index width) {
  const Index group = p.heads() / p.keyValueHeads();
  if (p.wo) {
    Origins rows;
    Index start = 0;
    for (Index h = 0; h < p.heads(); ++h) {
      const Index old = valueWidth(p, static_cast<std::size_t>(h / group));
      for (const Index origin : widened(old, width)) rows.push_back(origin == kNew ? kNew : start + origin);
      start += old;
    }
    p.wo = rowsFrom(*p.wo, rows, kNew);
  }
  for (auto* list : {&p.wv, &p.v})
    for (Grid& array : *list) array = columnsFrom(array, widened(array.cols(), width));
  widenVectors(p.bv, width);
  widenInterventions(p.interventions, {Array::kV, Array::kZ}, width);
}

void makeOutputExplicit(Problem<double>& p) {
  if (p.wo) return;
  const Index group = p.heads() / p.keyValueHeads();
  Index width = 0;
  for (Index h = 0; h < p.heads(); ++h) width += valueWidth(p, static_cast<std::size_t>(h / group));
  p.wo = Grid::Identity(width, width);
}

}  // namespace attn::core
