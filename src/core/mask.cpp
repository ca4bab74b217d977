// Turns a mask's rules into a reason for each blocked cell. Knows nothing of scores.
#include "core/mask.h"

#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "core/language.h"

namespace attn::core {
namespace {

constexpr std::array<std::pair<BlockReason, std::string_view>, 5> kReasonNames = {{
    {kBlockedByCausal, "causal"},
    {kBlockedByWindow, "window"},
    {kBlockedByPadding, "padding"},
    {kBlockedByAllowed, "allowed"},
    {kBlockedByEdit, "edit"},
}};

void apply(const CellRule& rule, Mask& mask) {
  for (Index i = rule.row.value_or(0); i < (rule.row ? *rule.row + 1 : mask.rows()); ++i)
    for (Index j = rule.col.value_or(0); j < (rule.col ? *rule.col + 1 : mask.columns()); ++j) {
      if (rule.allow) mask.allow(i, j);
      else mask.block(i, j, kBlockedByEdit);
    }
}

}  // namespace

Index Mask::allowedInRow(Index i) const { return (reasons_.row(i).array() == std::uint8_t{0}).count(); }

Check checkMask(const MaskSpec& spec, Index destinations, Index sources) {
  const auto rows = static_cast<std::size_t>(destinations);
  const auto columns = static_cast<std::size_t>(sources);
  if (spec.window && *spec.window < 1)
    return Error{tr("mask.window: {0} is not a window: give a whole number from 1 (1 = each token reads only itself)",
                    {*spec.window})};
  if (!spec.padding.empty() && spec.padding.size() != columns)
    return Error{tr("mask.padding: {0} {0|entry does|entries do} not fit {1} {1|source|sources}: mask.padding needs "
                    "one entry per source (S)", {spec.padding.size(), columns})};
  for (const CellRule& rule : spec.rules)
    if (rule.row.value_or(0) < 0 || rule.row.value_or(0) >= destinations || rule.col.value_or(0) < 0 ||
        rule.col.value_or(0) >= sources)
      return Error{tr("mask: a rule for one cell lies outside the {0} cells", {shapeText(destinations, sources)})};
  if (spec.allowed.empty()) return std::nullopt;
  if (spec.allowed.size() != rows)
    return Error{tr("mask.allowed: {0} {0|row does|rows do} not fit {1} {1|destination|destinations}: mask.allowed "
                    "needs one row per destination (T)", {spec.allowed.size(), rows})};
  for (std::size_t i = 0; i < rows; ++i)
    if (spec.allowed[i].size() != columns)
      return Error{tr("mask.allowed: row {0} has {1} {1|entry|entries} but there are {2} {2|source|sources}: "
                      "mask.allowed needs one column per source (S)", {i, spec.allowed[i].size(), columns})};
  return std::nullopt;
}

Result<Mask> makeMask(const MaskSpec& spec, Index destinations, Index sources) {
  if (Check bad = checkMask(spec, destinations, sources)) return *bad;
  Mask mask(destinations, sources);
  for (Index i = 0; i < destinations; ++i) {
    const Index p = alignedPosition(spec.align, i, destinations, sources);
    for (Index j = 0; j < sources; ++j) {
      const auto row = static_cast<std::size_t>(i), column = static_cast<std::size_t>(j);
      if (spec.causal && j > p) mask.block(i, j, kBlockedByCausal);
      if (spec.window && std::abs(p - j) >= *spec.window) mask.block(i, j, kBlockedByWindow);
      if (!spec.padding.empty() && !spec.padding[column]) mask.block(i, j, kBlockedByPadding);
      if (!spec.allowed.empty() && !spec.allowed[row][column]) mask.block(i, j, kBlockedByAllowed);
    }
  }
  for (const CellRule& rule : spec.rules) apply(rule, mask);
  return mask;
}

std::string blockReasonText(std::uint8_t reasons) {
  std::string text;
  for (const auto& [reason, name] : kReasonNames) {
    if ((reasons & reason) == 0) continue;
    if (!text.empty()) text += '+';
    text += name;
  }
  return text;
}

}  // namespace attn::core
