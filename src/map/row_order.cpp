// See row_order.h.
#include "map/row_order.h"

#include <bit>
#include <cassert>

namespace attn::map {
namespace {

// A random bit for each node of the tree of halves (the end of splitmix64).
std::uint64_t coin(std::uint64_t node) {
  node += 0x9e3779b97f4a7c15;
  node = (node ^ (node >> 30)) * 0xbf58476d1ce4e5b9;
  node = (node ^ (node >> 27)) * 0x94d049bb133111eb;
  return (node ^ (node >> 31)) & 1;
}

}  // namespace

RowOrder::RowOrder(Index rows, std::uint64_t seed)
    : rows_(rows), bits_(std::bit_width(static_cast<std::uint64_t>(rows - 1))), seed_(seed << 32) {
  assert(rows >= 1);
}

Index RowOrder::next() {
  assert(!done());
  for (;;) {
    // The lowest bit of the turn chooses a half of all rows, the next one a half of that, …; a coin says which is first.
    std::uint64_t turn = turn_++, row = 1;
    for (int bit = 0; bit < bits_; ++bit, turn >>= 1) row = row << 1 | ((turn & 1) ^ coin(seed_ ^ row));
    row ^= std::uint64_t{1} << bits_;
    if (static_cast<Index>(row) < rows_) return ++given_, static_cast<Index>(row);
  }
}

}  // namespace attn::map
