// The cells of one matrix as shapes. Knows no titles and no tokens.
#pragma once
#include "figure/matrix_figure.h"

namespace attn::figure {

void addCells(Picture& picture, const MatrixFigure& figure, const Inks& inks, const CellRange& range);

// What stands for a kind of cell in HeatmapData.
std::uint8_t markOf(CellLook look);

// Line heights in pixels at text scale 1; letters are about three quarters of it.
inline constexpr float kLargestNumber = 17, kSmallestNumber = 10;

// The size, `smallest` or more, at which a text of this width (measured at kLargestNumber) fits into a cell; else 0.
float fittingSize(float width, float cell, float smallest = kSmallestNumber, float largest = kLargestNumber);
// The smallest cell into which a text of this width (measured at kLargestNumber) fits.
float fittingCell(float width, float smallest = kSmallestNumber);

}  // namespace attn::figure
