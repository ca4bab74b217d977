// Shapes in words. Knows nothing of what a matrix holds.
#include "core/tensor.h"

namespace attn::core {

std::string shapeText(Index rows, Index columns) { return std::to_string(rows) + "×" + std::to_string(columns); }

}  // namespace attn::core
