// How far a mean of a few draws may be off. Knows nothing of what was drawn.
#pragma once
#include <cstddef>

namespace attn::map {

// Half the width of the interval that holds the mean of `all` numbers with probability 95 % when they are normal: `drawn`
// of them were drawn without putting back, with this sum of squared deviations from their own mean. 0 when all were
// drawn, infinite when one was. By Student's t and the correction for a finite whole (Cochran 1977, section 2.8).
double meanError(std::ptrdiff_t drawn, std::ptrdiff_t all, double squared_deviations);

}  // namespace attn::map
