// Figures with what they must and what they should reach. Knows nothing of what was measured.
#pragma once
#include <string>
#include <vector>

namespace attn::bench {

struct Figure {
  std::string name;
  double floor = 0, goal = 0;
  enum class Better { kHigher, kLower } better = Better::kHigher;
  std::vector<double> values;  // one of each round; the median counts
};

// The middle one; of an even number the lower of the two.
double median(std::vector<double> values);

// The machine's name, then for each figure its median, floor and goal, and "holds" or "falls short" of each.
void printFigures(const std::vector<Figure>& figures);

}  // namespace attn::bench
