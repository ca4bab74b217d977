// The groups in order, and lines of controls from left to right.
#include "ui/reading_order.h"

#include <algorithm>
#include <array>

namespace attn::ui {
namespace {

struct Group {
  std::string_view start, name;
  bool first = false;
};
constexpr std::array kGroups{
    Group{"notice", "Notice", true},     Group{"scenes", "Scenes", true},      Group{"try", "Try", true},
    Group{"page", "In the page", true},  Group{"transport", "Stepping", true}, Group{"order", "Order", true},
    Group{"grain", "Step by", true},     Group{"row", "Row", true},            Group{"head", "Head", true},
    Group{"mask", "Mask", true},         Group{"matrix", "Cells", true},       Group{"tab", "Tabs"},
    Group{"header", "Page"},             Group{"history", "Page"},             Group{"sheet", "Panel"},
    Group{"settings", "Settings"},       Group{"decimals", "Decimals"},        Group{"palette", "Colours of weights"},
    Group{"theme", "Theme"},             Group{"contents-order", "Order of the contents"},
    Group{"contents", "Contents"},       Group{"stage", "Picture"}};

constexpr float kSameLine = 12;  // CSS pixels between the middles of controls that stand on one line

std::size_t rankOf(std::string_view id) {
  const std::string_view start = id.substr(0, id.find('/'));
  const auto at = std::find_if(kGroups.begin(), kGroups.end(), [&](const Group& each) { return each.start == start; });
  return static_cast<std::size_t>(at - kGroups.begin());
}

// Equal for groups of one name, which the eye takes as one, and for everything in the open sheet.
std::size_t placeOf(const Control& control) {
  const std::size_t rank = rankOf(control.in_sheet ? "sheet" : control.id);
  return rank > 0 && rank < kGroups.size() && kGroups[rank].name == kGroups[rank - 1].name ? rank - 1 : rank;
}

float middle(const Control* control) { return control->rect.y + control->rect.h / 2; }

using Controls = std::vector<const Control*>;

// Lines from above, each from the left.
void readAsLines(Controls::iterator begin, Controls::iterator end) {
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
  Controls all;
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
