// What comes before and after the open scene, and going there. Knows no scene by name.
#pragma once
#include <string>

#include "lesson/catalogue.h"
#include "ui/frame.h"

namespace attn::ui {

// The entry of the catalogue that is no scene.
inline constexpr char kWalkthrough[] = "walkthrough";

// The order of the contents that the person has chosen.
const lesson::CatalogueOrder& chosenOrder(const Frame& frame);

// The scenes before and after the open one in the order of the contents; null at an end.
struct Neighbours {
  const lesson::CatalogueEntry* previous = nullptr;
  const lesson::CatalogueEntry* next = nullptr;
  const lesson::CatalogueEntry* current = nullptr;
  std::size_t place = 0, count = 0;  // "3 of 24"
  bool teaching = true;              // in the teaching order, not in a lesson's
};
Neighbours neighbours(const Frame& frame);
// Goes where the entry leads, and remembers which of those that lead there it was.
void openEntry(Frame& frame, const lesson::CatalogueEntry& entry);

// Goes where a link leads: a scene with settings, the walkthrough, or any other moment.
void follow(Frame& frame, const std::string& link);

}  // namespace attn::ui
