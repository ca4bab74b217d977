// Round numbers along an axis, even or logarithmic, and where they stand. Knows no picture.
#pragma once
#include <string>
#include <vector>

namespace attn::figure {

struct PlotAxis {
  double low = 0, high = 1;  // low < high; both above 0 when logarithmic
  bool logarithmic = false;
  bool whole = false;  // counts something: no tick between two whole numbers
  double place(double value) const;  // 0 at low, 1 at high
  double valueAt(double place) const;
};

// An axis that holds every finite value (above 0 when logarithmic), a little beyond both ends; where the values nearly
// reach 0, from 0 itself. For no value at all 0–1, or 1–10.
PlotAxis axisFor(const std::vector<double>& values, bool logarithmic);

struct Tick {
  double value = 0;
  std::string text;  // "" for a small tick between two that are named
};
// At most `most` named ticks (at least two): 1, 2 or 5 times a power of ten apart; on a logarithmic axis powers of ten,
// with 2 and 5 between them where there is room; 10³, 10⁴, … on one that reaches a million.
std::vector<Tick> ticksOf(const PlotAxis& axis, int most);

}  // namespace attn::figure
