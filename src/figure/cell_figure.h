// The cells of one matrix as shapes. Knows no titles and no tokens.
#pragma once
#include "figure/matrix_figure.h"

namespace attn::figure {

void addCells(Picture& picture, const MatrixFigure& figure, const Inks& inks, const CellRange& range);

// The size at which a text of this width (measured at `measured_size`) fits into a cell; 0 when it does not.
float fittingSize(float width, float measured_size, float cell);

}  // namespace attn::figure
