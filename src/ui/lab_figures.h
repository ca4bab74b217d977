// Taking away the figures of a scene, and what panels of exporting share. Knows no format of arrays.
#pragma once
#include <functional>

#include "ui/layout.h"
#include "ui/scene_view.h"
#include "ui/widgets.h"

namespace attn::ui {

void pickFormat(Frame& frame, Panel& panel, std::span<const Option> options, std::string& chosen);
void pickSize(Frame& frame, Panel& panel);  // of pictures of pixels

void copyText(Frame& frame, const std::string& text);
// With a scale: an SVG that becomes a picture of pixels.
void saveBytes(Frame& frame, const std::string& name, const std::string& bytes, int scale);

// The figures of the open scene, and its words.
void drawFigureExport(Frame& frame, Panel& panel);
// Draws the figure that has been asked for, and gives what was drawn away as a picture of `area` with its title.
void takeFigure(SceneView& view, const std::string& title, const Rect& area, const std::function<void()>& draw);

}  // namespace attn::ui
