// The rules of core/mask.h as ranges and bits. Knows no scores.
#include "core/streaming/reach.h"

#include <algorithm>
#include <cstring>

namespace attn::core::streaming {
namespace {

// Bits first … last − 1 of a row of words, those of word w.
std::uint32_t bitsOfWord(Index first, Index last, int w) {
  const Index lo = std::clamp<Index>(first - 32 * w, 0, 32), hi = std::clamp<Index>(last - 32 * w, 0, 32);
  return static_cast<std::uint32_t>(((std::uint64_t{1} << hi) - 1) & ~((std::uint64_t{1} << lo) - 1));
}

int wordsOf(int columns) { return (columns + 31) / 32; }

}  // namespace

Result<Reach> Reach::make(const Inputs& inputs) {
  Reach reach;
  reach.in_ = inputs;
  if (!inputs.rules.padding) return reach;
  const auto words = static_cast<std::size_t>(inputs.S / 32 + 1);
  auto bits = Buffer::allocate(words * sizeof(std::uint32_t));
  if (!bits) return bits.error();
  const auto all = bits.value().as<std::uint32_t>();
  std::fill(all.begin(), all.end(), 0);
  for (Index j = 0; j < inputs.S; ++j)
    if (inputs.rules.padding[j]) all[static_cast<std::size_t>(j / 32)] |= std::uint32_t{1} << (j % 32);
  reach.padding_ = bits.take();
  return reach;
}

Span Reach::ofRows(Index begin, Index end) const {
  const Rules& rules = in_.rules;
  const Index shift = rules.align == Align::kBottomRight ? in_.S - in_.T : 0;
  Span span{0, in_.S};
  if (rules.causal) span.end = std::min(span.end, end + shift);
  if (!rules.window) return span;
  const Index window = std::min(*rules.window, in_.T + in_.S);  // no wider one reads more
  span.begin = std::max(span.begin, begin + shift - window + 1);
  span.end = std::min(span.end, end - 1 + shift + window);
  return span;
}

bool Reach::paddingFree(Index source, int columns) const {
  if (padding_.size() == 0) return true;
  const auto words = padding_.as<std::uint32_t>().subspan(static_cast<std::size_t>(source / 32));
  for (int w = 0; w < wordsOf(columns); ++w)
    if (words[static_cast<std::size_t>(w)] != bitsOfWord(0, columns, w)) return false;
  return true;
}

// What padding and pattern leave to a row.
void Reach::patternWords(Index row, Index source, int columns, std::uint32_t* words) const {
  const int count = wordsOf(columns);
  if (padding_.size() > 0)
    std::memcpy(words, padding_.as<std::uint32_t>().data() + source / 32, static_cast<std::size_t>(count) * sizeof *words);
  else
    std::fill(words, words + count, ~std::uint32_t{0});
  if (!in_.rules.allowed) return;
  const Pattern& pattern = *in_.rules.allowed;
  const std::uint8_t* allowed = pattern.allowed + row / pattern.rows * ((in_.S - 1) / pattern.columns + 1);
  for (Index block = source / pattern.columns; block * pattern.columns < source + columns; ++block) {
    if (allowed[block]) continue;
    const Index first = std::max<Index>(block * pattern.columns - source, 0);
    const Index last = std::min<Index>(block * pattern.columns - source + pattern.columns, columns);
    for (Index w = first / 32; w < wordsOf(static_cast<int>(last)); ++w)
      words[w] &= ~bitsOfWord(first, last, static_cast<int>(w));
  }
}

// Whether the row may read anything.
bool Reach::fillRow(Index row, int at, Index source, int columns, const std::uint32_t* pattern,
                    const TileMask& mask) const {
  const Span span = ofRow(row);
  const Index first = std::clamp<Index>(span.begin - source, 0, columns);
  const Index last = std::clamp<Index>(span.end - source, first, columns);
  std::uint32_t* const words = mask.words + at * kMaskWords;
  std::fill(words, words + kMaskWords, 0);
  mask.first[at] = columns;
  mask.last[at] = 0;
  if (first >= last) return false;
  Index low = first / 32, high = (last - 1) / 32;
  std::copy(pattern + low, pattern + high + 1, words + low);
  words[low] &= bitsOfWord(first, last, static_cast<int>(low));
  words[high] &= bitsOfWord(first, last, static_cast<int>(high));
  while (low <= high && words[low] == 0) ++low;
  while (low < high && words[high] == 0) --high;
  if (low > high) return false;
  mask.first[at] = static_cast<int>(std::max(first, 32 * low));
  mask.last[at] = static_cast<int>(std::min(last, 32 * high + 32));
  return true;
}

Extent Reach::fill(Index row, int rows, int filled_rows, Index source, int columns, const TileMask& mask) const {
  const Span low = ofRow(row), high = ofRow(row + rows - 1);
  const bool whole = high.begin <= source && low.end >= source + columns;
  if (whole && columns % kSourceStep == 0 && !in_.rules.allowed && paddingFree(source, columns)) {
    std::fill(mask.first, mask.first + filled_rows, 0);
    std::fill(mask.last, mask.last + filled_rows, columns);
    return Extent::kAll;
  }
  bool any = false;
  std::uint32_t pattern[kMaskWords];
  for (int r = 0; r < rows; ++r) {
    const bool same = r > 0 && (!in_.rules.allowed || (row + r) % in_.rules.allowed->rows != 0);
    if (!same) patternWords(row + r, source, columns, pattern);
    if (fillRow(row + r, r, source, columns, pattern, mask)) any = true;
  }
  for (int r = rows; r < filled_rows; ++r) {
    std::fill(mask.words + r * kMaskWords, mask.words + (r + 1) * kMaskWords, 0);
    mask.first[r] = columns;
    mask.last[r] = 0;
  }
  return any ? Extent::kSome : Extent::kNothing;
}

}  // namespace attn::core::streaming
