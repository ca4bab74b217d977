// What the code for one instruction set is given: some query rows and some sources, laid out for it. Plain data only, and
// no function: what is compiled for a wider instruction set must leave nothing that other files could be linked with.
#pragma once
#include <cstddef>
#include <cstdint>

namespace attn::core::streaming {

inline constexpr int kMostSources = 512;              // of one tile
inline constexpr int kMaskWords = kMostSources / 32;  // of one row of a tile
inline constexpr int kSourceStep = 64;                // tiles begin at multiples of it; every panel's width divides it
inline constexpr int kRowStep = 96;                   // blocks of rows begin at multiples of it; every group's rows divide it

// One block of query rows against one block of sources. Scores are in units of ln 2: weights are powers of two.
// Rows are taken in groups of Kernel::rows; the last group is filled up with rows of zeros that may read nothing.
struct Tile {
  int rows = 0;           // of the block, without what fills it up
  int d_k = 0;            // 1 … 256
  int value_vectors = 0;  // ⌈d_v ÷ Kernel::lanes⌉
  const float* queries = nullptr;  // [group][d_k][Kernel::rows], scaled
  const float* keys = nullptr;     // [panel][d_k][Kernel::panel], from the tile's first source on
  // Vectors of a row in panels of as many as the kernel takes at once, then one of those left: [panel][source][width];
  // of all sources.
  const float* values = nullptr;
  std::ptrdiff_t sources = 0;  // of `values`
  std::ptrdiff_t source = 0;   // the tile's first
  // For each row, what it may read of the tile's columns 0 … kMostSources − 1 lies in first ≤ column < last.
  const int* first = nullptr;
  const int* last = nullptr;
  // kMaskWords for each row, bit n of word w: column 32·w + n may be read. None: each row reads all that its group does,
  // and that is a whole number of panels.
  const std::uint32_t* mask = nullptr;
  bool guard = false;   // some value is not finite, so that not even 0 times it may be added
  float cap = 0;        // c > 0: the score is c·tanh(product); 0: the product
  float slope = 0;      // slope·|position + row − column| is taken off
  float position = 0;   // of the block's first row, counted from the tile's first source
  // What each row has so far, and has then: 2^score summed over sources, relative to its largest.
  float* output = nullptr;  // [row][value_vectors·lanes]: Σ 2^(score − max)·v
  float* max = nullptr;     // −∞ at first
  float* sum = nullptr;     // [row][lanes]: a row's sum in as many parts
};

struct Kernel {
  const char* name;
  int lanes;    // numbers in a vector
  int rows;     // of a group
  int panel;    // sources whose keys lie side by side
  int vectors;  // of values taken at once
  int sources;  // of a tile, at most
  void (*attend)(const Tile&);
  void (*exp2)(float* numbers, std::ptrdiff_t vectors);  // in place; what weights are computed with
};

// Null where this program was compiled without it. Ask instruction_set.h what the machine has.
const Kernel* kernelPlain();
const Kernel* kernel128();
const Kernel* kernel256();
const Kernel* kernel512();

}  // namespace attn::core::streaming
