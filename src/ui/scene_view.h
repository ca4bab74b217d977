// What the views of a scene's blocks share: the page, what is set in it now, and what they keep between frames.
#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "figure/heatmap.h"
#include "figure/picture.h"
#include "lesson/page.h"
#include "ui/frame.h"
#include "ui/text.h"

namespace attn::ui {

using core::Index;

struct TableLayout;  // of scene_table.cpp

// Nothing of it is a choice that a link would carry.
struct SceneMemory {
  std::string scene;
  std::shared_ptr<const lesson::Page> page;  // what follows was made from it
  std::unordered_map<std::string, std::vector<std::string>> lines;  // wrapped texts
  std::unordered_map<std::size_t, std::shared_ptr<const figure::HeatmapData>> textures;  // of large grids, by block
  // By table, width and scale.
  std::map<std::tuple<const lesson::Table*, float, float>, std::shared_ptr<const TableLayout>> tables;

  std::string mirror;  // the page in words; "" when it must be written again
  app::Presentation presentation;  // that it was written for

  figure::Measure measure;
  std::set<std::size_t> answers;  // blocks whose answer is shown
  std::string held;               // the handle or item under the pressed pointer
  float grip_x = 0, grip_y = 0;   // from the held thing's place to the pointer
  Index target = -1;              // where a held item would go
  std::string map;                // the label of the small map that was pointed at or gone to last
  double map_since = -1;          // when a key went to it
  float scroll_by = 0;            // asked for by keys, in pixels; ±1e9 goes all the way
  bool show_figure = false;       // a control has changed something: a figure should be in view
  bool show_verdict = false;      // a prediction has been judged: the verdict should be
  bool controls_to_top = false;   // the page is about something else now, and its controls begin anew
  double waiting_since = -1;      // for the page being computed
  // A figure that is to be taken away: its block, as which kind of picture, and its shapes once they are drawn.
  std::optional<std::size_t> take;
  int take_scale = 0;             // 0: as SVG, else as pixels
  figure::Picture* taken = nullptr;
};

// Width and height that something takes.
struct Extent {
  float w = 0, h = 0;
};

struct SceneView {
  Frame& frame;
  const lesson::Page& page;
  SceneMemory& memory;

  const Colors& colors() const { return frame.colors; }
  float size(float at_scale_1) const { return frame.size(at_scale_1); }
  const lesson::Param* param(std::string_view key) const;
  // As it is set now, which the page may not show yet.
  std::string value(const lesson::Param& param) const;
  // Of the number with this key as it is set now; `shown` when there is none.
  double number(std::string_view key, double shown) const;
  void set(const lesson::Param& param, const std::string& value) const;
  bool onScreen(const Rect& rect) const;
  // The pointer is over the rectangle, in this panel, and nothing else takes it.
  bool hovers(const Rect& rect) const;
};

SceneMemory& sceneMemory(Frame& frame);

// A decimal number that reads back as the same, rounded to the param's step and kept within its range.
std::string settingText(const lesson::Param& param, double value);

// A key for a texture of a page, apart from those of the stage.
std::uint64_t newTextureKey();

// Paints the shapes; their words count as text within `bounds`.
void paintFigure(Frame& frame, const figure::Picture& picture, const Rect& bounds);

// Running text with indices in a picture: `at` is the point of the text's box at (anchor_x, anchor_y).
void addRich(figure::Picture& picture, const figure::Measure& measure, figure::Typeface face, float size, figure::Point at,
             float anchor_x, float anchor_y, figure::Color color, std::string_view text);
float richWidth(const figure::Measure& measure, figure::Typeface face, float size, std::string_view text);

// Broken at spaces; the lines are kept with the page.
const std::vector<std::string>& richLines(const SceneView& view, const TextStyle& style, std::string_view text,
                                          float width);
// The height that it took.
float richParagraph(const SceneView& view, const TextStyle& style, std::string_view text, float x, float y,
                    float width);
float richHeight(const SceneView& view, const TextStyle& style, std::string_view text, float width);

}  // namespace attn::ui
