// Prints figures as a table, for people.
#include "bench/figures.h"

#include <algorithm>
#include <cstdio>
#include <fstream>

namespace attn::bench {
namespace {

std::string machineName() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.rfind("model name", 0) == 0) return line.substr(line.find(':') + 2);
  return "a machine without a name";
}

const char* verdict(const Figure& figure, double value, double bound) {
  const bool holds = figure.better == Figure::Better::kHigher ? value >= bound : value <= bound;
  return holds ? "holds" : "falls short";
}

}  // namespace

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

void printFigures(const std::vector<Figure>& figures) {
  std::printf("%s\n%-58s %10s %10s %-11s %10s %-11s %6s\n", machineName().c_str(), "", "median", "floor", "", "goal", "",
              "rounds");
  for (const Figure& figure : figures) {
    const double value = median(figure.values);
    std::printf("%-58s %10.3g %9s%.3g %-11s %9s%.3g %-11s %6zu\n", figure.name.c_str(), value,
                figure.better == Figure::Better::kHigher ? "≥ " : "≤ ", figure.floor, verdict(figure, value, figure.floor),
                figure.better == Figure::Better::kHigher ? "≥ " : "≤ ", figure.goal, verdict(figure, value, figure.goal),
                figure.values.size());
  }
}

}  // namespace attn::bench
