// What softmax needs of each row: its largest score and its sum of exponentials. Knows no cells and no pixels.
#pragma once
#include <span>

#include "core/buffer.h"
#include "core/result.h"
#include "map/head.h"

namespace attn::map {

// Of T rows: the weight of a score s (in units of log 2) is 2^(s − top)·share. A row that may read nothing has share 0.
class RowStatistics {
 public:
  // Known of no row yet. Refuses when there is no memory for T rows.
  static core::Result<RowStatistics> make(Index rows);

  Index rows() const { return static_cast<Index>(memory_.size() / sizeof(Row)); }
  bool known(Index row) const { return at(row).share >= 0; }
  float top(Index row) const { return at(row).top; }
  float share(Index row) const { return at(row).share; }  // 1 ÷ the sum of 2^(s − top); < 0: not known
  void set(Index row, float top, double sum);  // sum 0: the row may read nothing

 private:
  struct Row {
    float top, share;
  };
  const Row& at(Index row) const { return memory_.as<Row>()[static_cast<std::size_t>(row)]; }

  core::Buffer memory_;
};

// The running maximum and sum of one row, whose scores come block by block (Milakov and Gimelshein 2018).
struct RunningRow {
  float top = 0;
  double sum = 0;  // of the exponentials so far, for this top; the caller adds those of each block, as it pools them
  bool begun = false;

  // A block's scores become 2^(score − top), with the largest one so far as top; n as in exponentials().
  void take(float* scores, Index n);
};

// Finds those of `rows` that are not known yet, at the cost of all their pairs. Refuses when there is no memory to work in.
core::Check findStatistics(const Head& head, Range rows, RowStatistics& statistics);

}  // namespace attn::map
