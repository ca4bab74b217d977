// The groups in order, and lines of controls from left to right.
#include "ui/reading_order.h"

#include <algorithm>
#include <array>

#include "core/language.h"

namespace attn::ui {
namespace {

struct ReadingGroup {
  std::string_view start, name;
  bool first = false;
};
constexpr std::array kGroups{
    ReadingGroup{"notice", trLater("Notice"), true},
    ReadingGroup{"scenes", trLater("Scenes"), true},
    ReadingGroup{"try", trLater("Try"), true},
    ReadingGroup{"page", trLater("In the page"), true},
    ReadingGroup{"transport", trLater("Stepping"), true},
    ReadingGroup{"order", trLater("Order"), true},
    ReadingGroup{"grain", trLater("Step by"), true},
    ReadingGroup{"row", trLater("Row"), true},
    ReadingGroup{"head", trLater("Head"), true},
    ReadingGroup{"mask", trLater("Mask"), true},
    ReadingGroup{"matrix", trLater("Cells"), true},
    ReadingGroup{"tab", trLater("Tabs")},
    ReadingGroup{"header", trLater("Page")},
    ReadingGroup{"history", trLater("Page")},
    ReadingGroup{"sheet", trLater("Panel")},
    ReadingGroup{"settings", trLater("Settings")},
    ReadingGroup{"decimals", trLater("Decimals")},
    ReadingGroup{"palette", trLater("Colours of weights")},
    ReadingGroup{"theme", trLater("Theme")},
    ReadingGroup{"language", trLater("Language")},
    ReadingGroup{"contents-order", trLater("Order of the contents")},
    ReadingGroup{"contents", trLater("Contents")},
    ReadingGroup{"stage", trLater("Picture")}};

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

std::string groupName(std::string_view id) {
  const std::size_t rank = rankOf(id);
  return rank < kGroups.size() ? tr(kGroups[rank].name) : std::string(id.substr(0, id.find('/')));
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
