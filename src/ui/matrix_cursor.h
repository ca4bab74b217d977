// Moving what the person points at: the cell cursor, the matrix it is in, the row and the head.
#pragma once
#include "ui/frame.h"

namespace attn::ui {

void moveCursor(Frame& frame, core::Index rows, core::Index columns);  // kept inside the matrix
void changeMatrix(Frame& frame, int by);  // to the next array that the picture shows
void chooseRowBy(Frame& frame, core::Index by);
void chooseHeadBy(Frame& frame, core::Index by);

}  // namespace attn::ui
