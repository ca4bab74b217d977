// Queries and keys that are made up, with structure that a map should show. Knows no map.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "core/buffer.h"
#include "core/result.h"
#include "map/head.h"

namespace attn::map {

// What may be put together.
enum class Part { kRandom, kTopics, kSink, kLocal, kRotary, kNeedle };

struct PartFacts {
  Part part;
  std::string_view id;    // as in links and files
  std::string_view says;  // one sentence, for trText
  Index least_width;      // what it needs to be seen; a smaller width is refused
};
std::span<const PartFacts> partFacts();

// A set of parts.
class Parts {
 public:
  Parts() = default;
  Parts(std::initializer_list<Part> parts);
  bool has(Part part) const { return (bits_ >> static_cast<unsigned>(part) & 1) != 0; }

 private:
  unsigned bits_ = 0;
};

struct Recipe {
  Index positions = 0, width = 0;  // T = S and d, both ≥ 1
  Parts parts;                     // nothing in it: all zeros
  std::uint64_t seed = 1;
};

// T×d each, row-major, for scores with scale 1/√d; the same bits on every machine (core/rng.h, steady.h).
class MadeUp {
 public:
  // Refuses, with a sentence, a width that is too small for a part, and a size that the memory does not hold.
  static core::Result<MadeUp> make(const Recipe& recipe);

  const float* q() const { return memory_.as<float>().data(); }
  const float* k() const { return q() + numbers_; }
  // With a needle: the row that reads it, and its source.
  Index needleRow() const { return needle_row_; }
  Index needleSource() const { return needle_source_; }

 private:
  core::Buffer memory_;
  Index numbers_ = 0, needle_row_ = 0, needle_source_ = 0;
};

}  // namespace attn::map
