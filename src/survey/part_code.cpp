#include "survey/parts.h"

namespace attn::survey {

void showCode(const Inputs&, Shown& shown) { shown.says = ""; }

void showEmpty(Shown& shown) {
  shown.says = "Nothing is open yet: choose a file, drop it here, or paste numbers.";
}

}  // namespace attn::survey
