// What a person may vary in a scene, and the bar that leads through the scenes. Knows no scene by name.
#pragma once
#include "lesson/catalogue.h"
#include "ui/layout.h"
#include "ui/scene_view.h"

namespace attn::ui {

// "Try", where no tab says so already: one control per param, and what came out.
void drawSceneControls(Frame& frame, Panel& panel, bool titled);

// "2,0,1" as places, and back; what is none is left out.
std::vector<Index> placesOf(std::string_view order, std::size_t count);
std::string orderText(const std::vector<Index>& places);
std::vector<std::string> split(std::string_view text);  // at commas

// The param that ← and → change; null when there is none.
const lesson::Param* mainParam(const SceneView& view);
// The param's value as people read it: the label of a choice, "on", "off".
std::string valueText(const SceneView& view, const lesson::Param& param);
// One step of a param's value, up or down; a logarithmic one is doubled or halved.
void stepParam(SceneView& view, const lesson::Param& param, int by);
bool canStep(const SceneView& view, const lesson::Param& param, int by);

float sceneBarHeight(Frame& frame, float width, bool compact);
void drawSceneBar(Frame& frame, const Rect& area, bool compact);

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

}  // namespace attn::ui
