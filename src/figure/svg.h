// A picture as the text of an SVG file: shapes as shapes, words as words that can be searched and edited. Knows no file
// and no array.
#pragma once
#include <string>

#include "figure/picture.h"

namespace attn::figure {

struct SvgPage {
  Box area;            // of the picture, in its own coordinates
  Color ground;
  std::string title, description;  // for whoever cannot see it
};

// Numbers have at most two decimals, so that the same picture is always the same text. Faces are named with others after
// them; where none is there, letters are a little wider or narrower. A heatmap of more than kMostSvgCells cells becomes
// rectangles of blocks of cells, each with the mean of what can be seen of them, and the description says so.
inline constexpr int kMostSvgCells = 20000;
std::string svgOf(const Picture& picture, const SvgPage& page);

}  // namespace attn::figure
