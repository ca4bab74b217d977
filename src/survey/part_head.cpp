#include "survey/parts.h"

namespace attn::survey {

core::Check showHead(const Chosen&, const Inputs&, Outputs&, Shown& shown) {
  shown.says = "";
  return {};
}

}  // namespace attn::survey
