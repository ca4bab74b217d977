// One matrix as a picture of its own: title, axes, cells, and what its colours mean. Knows neither attention nor files.
#pragma once
#include "figure/matrix_figure.h"

namespace attn::figure {

struct Sheet {
  Picture picture;
  Box area;
};

// Of the figure everything but places, sizes and textures is used; `palette` and `dark` say which table `figure.table` is.
// Numbers stand in the cells of what is small enough for them.
struct SheetLook {
  Palette palette = Palette::kViridis;
  bool dark = false;
  bool clipped = false;  // the highest colour stands for "this and more"
};
Sheet matrixSheet(MatrixFigure figure, const SheetLook& look);

}  // namespace attn::figure
