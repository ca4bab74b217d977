// Which sources the query rows may read, tile by tile. Knows no scores.
#pragma once
#include <cstdint>

#include "core/buffer.h"
#include "core/result.h"
#include "core/streaming/kernel.h"
#include "core/streaming/streaming.h"

namespace attn::core::streaming {

struct Span {
  Index begin = 0, end = 0;  // none when begin ≥ end
};

// For the rows of a tile, as kernel.h has it; also for those that fill up the last group. A row that may read nothing of it
// has first > last; of another, a source that may be read lies within 32 columns of both.
struct TileMask {
  int* first = nullptr;
  int* last = nullptr;
  std::uint32_t* words = nullptr;
};

enum class Extent : std::uint8_t { kNothing, kSome, kAll };

class Reach {
 public:
  static Result<Reach> make(const Inputs& inputs);

  // What causal and window leave to the rows begin … end − 1 together; in order, both ends grow with the row.
  Span ofRows(Index begin, Index end) const;

  // Columns are counted from `source`, a multiple of 32. With kAll `words` is not filled, and the tile is a whole number of
  // panels.
  Extent fill(Index row, int rows, int filled_rows, Index source, int columns, const TileMask& mask) const;

 private:
  Span ofRow(Index row) const { return ofRows(row, row + 1); }
  bool paddingFree(Index source, int columns) const;
  void patternWords(Index row, Index source, int columns, std::uint32_t* words) const;
  bool fillRow(Index row, int at, Index source, int columns, const std::uint32_t* pattern, const TileMask& mask) const;

  Inputs in_;
  Buffer padding_;  // a bit for each source; empty without padding
};

}  // namespace attn::core::streaming
