// The catalogue in the order that the person has chosen, and where its links lead.
#include "ui/contents_order.h"

#include <algorithm>

#include "ui/presenting.h"

namespace attn::ui {
namespace {

using lesson::CatalogueEntry;
using lesson::CatalogueOrder;

Neighbours neighboursIn(const Frame& frame, const std::vector<CatalogueEntry>& entries) {
  const std::string& scene = frame.session.state().scene;
  const std::string& id = scene.empty() ? kWalkthrough : scene;
  auto at = std::find_if(entries.begin(), entries.end(), [&](const CatalogueEntry& e) { return e.id == id && e.link == frame.view.entry; });
  if (at == entries.end()) at = std::find_if(entries.begin(), entries.end(), [&](const CatalogueEntry& e) { return e.id == id; });
  Neighbours out;
  if (at == entries.end()) return out;
  out.count = entries.size();
  out.place = static_cast<std::size_t>(at - entries.begin());
  out.current = &*at;
  if (at != entries.begin()) out.previous = &*(at - 1);
  if (at + 1 != entries.end()) out.next = &*(at + 1);
  return out;
}

}  // namespace

const CatalogueOrder& chosenOrder(const Frame& frame) {
  const auto& all = lesson::catalogue();
  const auto at = std::find_if(all.begin(), all.end(), [&](const CatalogueOrder& o) { return o.id == frame.view.order; });
  return at == all.end() ? all.front() : *at;
}

// A lesson does not lead to every scene: from the others the teaching order leads on.
Neighbours neighbours(const Frame& frame) {
  if (hides(frame, app::Part::kContents)) return {};
  const CatalogueOrder& order = chosenOrder(frame);
  Neighbours all = neighboursIn(frame, order.entries);
  all.teaching = order.id == "teaching";
  if (all.current || all.teaching) return all;
  all = neighboursIn(frame, lesson::catalogue().front().entries);
  all.teaching = true;
  return all;
}

void openEntry(Frame& frame, const CatalogueEntry& entry) {
  frame.view.entry = entry.link;
  follow(frame, entry.link);
}

// A plain scene keeps what the walkthrough stands at; every other link is a whole moment of its own.
void follow(Frame& frame, const std::string& link) {
  const std::string start = "v=1&scene=";
  if (link == "v=1" || link.empty()) return frame.dispatch(app::action::OpenScene{"", {}});
  if (link.rfind(start, 0) == 0 && link.find('&', start.size()) == std::string::npos &&
      link.find('%') == std::string::npos)
    return frame.dispatch(app::action::OpenScene{link.substr(start.size()), {}});
  frame.dispatch(app::action::LoadLink{link, true});
}

}  // namespace attn::ui
