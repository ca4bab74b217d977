// The groups in order, and lines of controls from left to right.
#include "ui/reading_order.h"

#include <algorithm>
#include <array>

namespace attn::ui {
namespace {

struct ReadingGroup {
  std::string_view start, name;
  bool first = false;
};
constexpr std::array kGroups{
    ReadingGroup{"notice", "Notice", true},     ReadingGroup{"scenes", "Scenes", true},      ReadingGroup{"try", "Try", true},
    ReadingGroup{"page", "In the page", true},  ReadingGroup{"transport", "Stepping", true}, ReadingGroup{"order", "Order", true},
    ReadingGroup{"grain", "Step by", true},     ReadingGroup{"row", "Row", true},            ReadingGroup{"head", "Head", true},
    ReadingGroup{"mask", "Mask", true},         ReadingGroup{"matrix", "Cells", true},       ReadingGroup{"tab", "Tabs"},
    ReadingGroup{"header", "Page"},             ReadingGroup{"history", "Page"},             ReadingGroup{"sheet", "Panel"},
    ReadingGroup{"settings", "Settings"},       ReadingGroup{"decimals", "Decimals"},        ReadingGroup{"palette", "Colours of weights"},
    ReadingGroup{"theme", "Theme"},             ReadingGroup{"contents-order", "Order of the contents"},
    ReadingGroup{"contents", "Contents"},       ReadingGroup{"stage", "Picture"}};

constexpr float kSameLine = 12;  // CSS pixels between the middles of controls that stand on one line

std::size_t rankOf(std::string_view id) {
  const std::string_view start = id.substr(0, id.find('/'));
  const auto at = std::find_if(kGroups.begin(), kGroups.end(), [&](const ReadingGroup& each) { return each.start == start; });
  return static_cast<std::size_t>(at - kGroups.begin());
}

// Equal for groups of one name, which the eye takes as one, and for everything in the open sheet.
std::size_t placeOf(const Control& control) {
  const std::size_t rank = rankOf(control.in_sheet ? "sheet" : control.id);
  return rank > 0 && rank < kGroups.size() && kGroups[rank].name == kGroups[rank - 1].name ? rank - 1 : rank;
}

float middle(const Control* control) { return control->rect.y + control->rect.h / 2; }

using ControlList = std::vector<const Control*>;

// Lines from above, each from the left.
void readAsLines(ControlList::iterator begin, ControlList::iterator end) {
  std::stable_sort(begin, end, [](const Control* a, const Control* b) { return middle(a) < middle(b); });
  while (begin != end) {
    const float top = middle(*begin);
    const auto next = std::find_if(begin, end, [&](const Control* each) { return middle(each) > top + kSameLine; });
    std::stable_sort(begin, next, [](const Control* a, const Control* b) { return a->rect.x < b->rect.x; });
    begin = next;
  }
}

}  // namespace

bool isControl(const Control& control) {
  return control.role != Role::kCell && control.role != Role::kHeading && control.role != Role::kText;
}

std::string_view groupName(std::string_view id) {
  const std::size_t rank = rankOf(id);
  return rank < kGroups.size() ? kGroups[rank].name : id.substr(0, id.find('/'));
}

bool comesFirst(std::string_view id) {
  const std::size_t rank = rankOf(id);
  return rank < kGroups.size() && kGroups[rank].first;
}

std::vector<const Control*> inReadingOrder(const Recorder& recorder) {
  ControlList all;
  for (const Control& each : recorder.controls())
    if (isControl(each)) all.push_back(&each);
  const auto before = [](const Control* a, const Control* b) { return placeOf(*a) < placeOf(*b); };
  std::stable_sort(all.begin(), all.end(), before);
  for (auto at = all.begin(); at != all.end();) {
    const std::size_t place = placeOf(**at);
    const auto next = std::find_if(at, all.end(), [&](const Control* each) { return placeOf(*each) != place; });
    readAsLines(at, next);
    at = next;
  }
  return all;
}

}  // namespace attn::ui
