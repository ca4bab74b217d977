// See student.h.
#include "map/student.h"

#include <array>
#include <cassert>
#include <cmath>
#include <limits>

namespace attn::map {
namespace {

// The 97.5 % point of Student's t for 1, 2, … degrees of freedom; beyond them a series in 1/n (Fisher and Cornish 1960),
// which is off by less than 0.1 % there.
double studentPoint(std::ptrdiff_t freedom) {
  constexpr std::array kPoints = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281};
  if (freedom <= static_cast<std::ptrdiff_t>(kPoints.size())) return kPoints[static_cast<std::size_t>(freedom - 1)];
  const double z = 1.959964, n = static_cast<double>(freedom), z3 = z * z * z, z5 = z3 * z * z;
  return z + (z3 + z) / (4 * n) + (5 * z5 + 16 * z3 + 3 * z) / (96 * n * n);
}

}  // namespace

double meanError(std::ptrdiff_t drawn, std::ptrdiff_t all, double squared_deviations) {
  assert(1 <= drawn && drawn <= all);
  if (drawn == all) return 0;
  if (drawn == 1) return std::numeric_limits<double>::infinity();
  const double n = static_cast<double>(drawn), left_out = 1 - n / static_cast<double>(all);
  return studentPoint(drawn - 1) * std::sqrt(squared_deviations / (n - 1) / n * left_out);
}

}  // namespace attn::map
