// In which order rows are sampled, so that a picture is of the whole from the first rows on. Knows nothing of what is
// computed of them.
#pragma once
#include <cstdint>

#include "map/head.h"

namespace attn::map {

// A permutation of 0 … rows − 1: in every block of 2^n rows that begins at a multiple of 2^n, the first row of each half
// comes before the second one of any, and so on; which rows those are is drawn at random (the base-2 sequence of
// van der Corput 1935, scrambled as in Owen 1995). So at every size of pixels each pixel has had about as many rows as
// the others, at random places.
class RowOrder {
 public:
  RowOrder(Index rows, std::uint64_t seed);

  bool done() const { return given_ == rows_; }
  Index given() const { return given_; }
  Index next();  // only when not done()

 private:
  Index rows_, given_ = 0;
  int bits_ = 0;
  std::uint64_t seed_, turn_ = 0;
};

}  // namespace attn::map
