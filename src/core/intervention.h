// What is done to a computed array before the next stage reads it. Knows no text and changes no parameter.
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/mask.h"
#include "core/stage.h"
#include "core/tensor.h"

namespace attn::core {

struct Intervention {
  enum class Kind : std::uint8_t {
    kSet,          // a row or a cell of `array` takes the `values`
    kUniform,      // a row of the weights becomes 1/n on each of its n allowed sources
    kPermute,      // the weights of a row are dealt anew among its allowed sources, by `seed`
    kAblate,       // z of a head becomes 0
    kMeanAblate,   // every row of z of a head becomes the mean of its rows
  };
  Kind kind = Kind::kSet;
  Array array = Array::kWeights;  // kSet: x (behind a norm), q, k, v, scores, masked, weights or z; otherwise weights
  std::optional<Index> head;      // a query head; nothing: all. k and v are those of the key/value head that it uses
  std::optional<Index> row;       // nothing: all rows
  std::optional<Index> col;       // nothing: the whole row
  std::vector<double> values;     // kSet: one for a cell, as many as the row has for a row
  std::uint64_t seed = 0;         // kPermute
  std::size_t edit = 0;           // which edit of the list it came from
  bool operator==(const Intervention&) const = default;
};

// Whether the array has a column for each source: scores, masked and weights.
bool isOverSources(Array array);

// Carries out kSet, kUniform or kPermute on its array, in place. Rows and columns lie inside.
// `mask` is asked only for the weights.
template <class Scalar>
void intervene(const Intervention& one, Matrix<Scalar>& array, const Mask& mask);

}  // namespace attn::core
