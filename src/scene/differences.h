// What changed in an array between two computations: which cells and rows, by how much, where most. Knows no scene.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "scene/open_example.h"

namespace attn::scene {

// Every array that can be compared and that one of the two has, in the order of the computation: parameters, inputs and
// the results of stages.
std::vector<core::Array> comparedArrays(const OpenExample& open);

// One array of the open example and of what it is compared with, each as its head has it.
struct Difference {
  core::Array array = core::Array::kWeights;
  Matrix<double> before, after;  // empty where the computation has none
  bool comparable = false;       // both are there and have one shape
  Index changed = 0;             // cells that are not the same, bit for bit; NaN is the same as NaN
  std::vector<Index> rows;       // those with a changed cell
  double largest = 0;            // after − before, of the largest size; ±∞ where a cell was or became infinite
  Index row = 0, col = 0;        // where that is

  bool same() const { return comparable && changed == 0; }
};
Difference differenceOf(const OpenExample& open, core::Array array, Index head_before, Index head);

// after − before: 0 where they are the same, also where both are −∞.
double changeOf(double before, double after);

// What rows and columns of an array stand for.
bool rowsAreSources(core::Array array);
bool rowsArePositions(core::Array array);
bool columnsAreSources(core::Array array);
bool isOfHead(core::Array array);

// "weights of head 1", "input x": for the middle of a sentence; without the head where there is one only.
std::string arrayText(const OpenExample& open, core::Array array, Index head);
// "Scaled scores": for controls and tables.
std::string arrayLabel(core::Array array);
// "row 2 “sat”, column 1 “cat”", or "row 3, column 2", as the open example counts.
std::string placeText(const OpenExample& open, core::Array array, Index row, Index col);
std::string rowText(const OpenExample& open, core::Array array, Index row);
// "+0.25", "−∞", "0".
std::string signedText(double change);

}  // namespace attn::scene
