// What attention costs in memory and in multiplications, from sizes alone. Nothing is computed or allocated; numbers
// are doubles because a count passes 2^63 sooner than a person stops turning a knob, and are exact up to 2^53.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/tensor.h"

namespace attn::core {

enum class NumberType : std::uint8_t { kFloat64, kFloat32, kFloat16, kBfloat16, kInt8 };
inline constexpr std::array<std::string_view, 5> kNumberTypeNames = {
    "float64", "float32", "float16", "bfloat16", "int8"};
double bytesPerNumber(NumberType type);

// "16 KiB", "4 MiB", "1.5 GiB", "512 B": binary units, at most three digits after the point, trailing zeros left out.
std::string bytesText(double bytes);

// One T×S grid (scores or weights of one head, one layer, one sequence).
double gridBytes(double T, double S, NumberType type);

struct CostShape {
  double T = 64;          // positions; self-attention
  double d_model = 64;
  double heads = 1, layers = 1, batch = 1;
  bool causal = false;                 // only for cells that need not be computed
  std::optional<double> window;        // w ≥ 1, counts the token itself; looks back only with causal, else both ways
  NumberType type = NumberType::kFloat32;
};

// The grids of all heads, layers and sequences, if all were kept (as training without recomputing does).
double allGridsBytes(const CostShape& shape);

// Keys and values of all layers and sequences, kept while generating: 2·T·d_model numbers each.
double cacheBytes(const CostShape& shape);

// Cells of one grid that the mask allows.
double allowedCells(const CostShape& shape);

// One grid stored as a band of min(w, T) columns per row (2w − 1 when it looks both ways); without a window the whole.
double bandBytes(const CostShape& shape);

// Multiply-adds of one pass over all layers and sequences, biases and softmax left out.
struct MultiplyAdds {
  double projections = 0;  // Q, K, V: 3·T·d_model²
  double scores = 0;       // cells·d_model over all heads
  double mixing = 0;       // the same again
  double output = 0;       // W_O: T·d_model²
  double total() const { return projections + scores + mixing + output; }
};
// With skip_blocked only the allowed cells are computed; otherwise all T² (a plain implementation masks afterwards).
MultiplyAdds multiplyAdds(const CostShape& shape, bool skip_blocked);

// Numbers that attention in tiles holds at a time for one head, in bytes: a tile of queries, keys, values, scores and
// output, with a running maximum and sum per row of the tile. Does not grow with T. (In fast memory; inputs and the
// result, of T·d numbers each, lie outside both ways.)
double tileBytes(double tile_rows, double tile_columns, double d_k, double d_v, NumberType type);

// The T at which scores and mixing take as many multiply-adds as all projections: 2·d_model.
inline double evenLength(double d_model) { return 2 * d_model; }

}  // namespace attn::core
