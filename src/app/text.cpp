// Values as the screen prints them. See explain.h.
#include "app/explain.h"
#include "app/printed.h"

namespace attn::app {

std::string valueText(const State& state, double value) { return Printer(state).text(value); }

}  // namespace attn::app
