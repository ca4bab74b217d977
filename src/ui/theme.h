// Faces, sizes and which colours: the look of every panel. The only place in ui that knows ImGui's version.
#pragma once
#include <string>
#include <string_view>

#include "figure/inks.h"
#include "imgui.h"
#include "ui/view_state.h"

namespace attn::ui {

enum class Face { kBody, kStrong, kNumber };  // text, headings, figures of equal width

// CSS pixels at text scale 1. Numbers in cells choose their own size between kCellMin and kBody.
inline constexpr float kSmall = 13, kBody = 15, kTitle = 20, kCellMin = 10;
inline constexpr float kUnit = 8;  // the rhythm of all spacing
inline constexpr float kRounding = 4;

using Colors = figure::Inks;

bool isDark(const ViewState& view);
const Colors& colors(const ViewState& view);
// Fonts from the embedded faces. Before each ImGui::NewFrame: prepareFonts, which with ImGui before 1.92 rasterises
// them again when the pixel ratio or text scale changes; true when the font texture must then be made anew.
void loadFonts();
bool prepareFonts(const ViewState& view);
void applyStyle(const ViewState& view);  // ImGui's style from our colours and rhythm

ImU32 packed(figure::Color color, float alpha = 1);
// Sizes below are real: multiply by view.text_scale where text follows it. Text is shown as displayable() gives it.
ImVec2 measure(Face face, float size, std::string_view text);
void drawText(ImDrawList& list, Face face, float size, ImVec2 at, figure::Color color, std::string_view text,
              float alpha = 1);
void pushFace(Face face, float size);  // for ImGui's own text; popFace ends it
void popFace();

// The text with what the face lacks replaced by what stands for it (glyphs.h); invalid bytes as "\xF0".
std::string displayable(std::string_view utf8);
bool faceHas(char32_t code);  // false for control characters
bool facesTakePictures();     // false with ImGui before 1.92

}  // namespace attn::ui
