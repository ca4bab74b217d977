// What differs between two Traces, array by array. Knows no edits and no words.
#pragma once
#include <optional>
#include <vector>

#include "core/trace.h"

namespace attn::core {

// Of two arrays of one shape, cell by cell; two NaN are the same.
struct Change {
  Index cells = 0;              // that are not bit for bit the same
  std::vector<Index> rows;      // that hold such cells
  double largest = 0;           // after − before where their distance is largest; NaN where one of them is not finite
  Index row = 0, col = 0;       // of the largest
  bool none() const { return cells == 0; }
};

// Whether two numbers are bit for bit the same, or both NaN.
bool sameNumber(double a, double b);

// Nothing when the shapes differ.
std::optional<Change> changeOf(ArrayView before, ArrayView after);

// Every array of the one must have the shape that it has in the other, and both the same arrays.
bool sameShapes(const Trace<double>& before, Index head_before, const Trace<double>& after, Index head_after);

// A Trace whose arrays are after − before, for pictures of differences: head `head_after` against `head_before`, the
// others against their own or that one. A cell is blocked where it is in both; a row has a distribution when it has one
// in either. Only with sameShapes.
Trace<double> differenceOf(const Trace<double>& before, Index head_before, const Trace<double>& after, Index head_after);

}  // namespace attn::core
