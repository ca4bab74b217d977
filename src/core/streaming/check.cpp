// The sentences for inputs that do not fit, where core/problem.h has one, that one.
#include "core/streaming/check.h"

#include <cmath>
#include <string>

#include "core/language.h"

namespace attn::core::streaming {
namespace {

Check checkWidth(const char* name, Index width) {
  if (width >= 1 && width <= kWidestHead) return {};
  return Error{tr("{0}: {1} {1|number|numbers} per head; 1 to {2} are possible here", {name, width, kWidestHead})};
}

Check checkNumbers(const char* name, const float* numbers, Index heads) {
  for (Index h = 0; numbers && h < heads; ++h)
    if (!std::isfinite(numbers[h]))
      return Error{tr("{0}: it must be a finite number", {name + std::string("[") + std::to_string(h) + "]"})};
  return {};
}

Check checkRules(const Rules& rules, Index heads) {
  if (rules.window && *rules.window < 1)
    return Error{tr("mask.window: {0} is not a window: give a whole number from 1 (1 = each token reads only itself)",
                    {*rules.window})};
  if (rules.scale && !std::isfinite(*rules.scale)) return Error{tr("scale: it must be a finite number")};
  if (rules.softcap && !(std::isfinite(*rules.softcap) && *rules.softcap > 0))
    return Error{tr("softcap: scores are capped at it, so it must be a finite number above 0")};
  if (Check bad = checkNumbers("sink", rules.sink, heads)) return bad;
  return checkNumbers("alibi", rules.alibi, heads);
}

}  // namespace

Check checkInputs(const Inputs& inputs) {
  if (inputs.T < 1) return Error{tr("tokens: the list is empty, give at least one token")};
  if (inputs.S < 1) return Error{tr("sources: the list is empty, give at least one source token")};
  if (Check bad = checkWidth("d_k", inputs.d_k)) return bad;
  if (Check bad = checkWidth("d_v", inputs.d_v)) return bad;
  if (inputs.heads < 1 || inputs.key_value_heads < 1 || inputs.heads % inputs.key_value_heads != 0)
    return Error{tr("{0}: {1} {1|query head|query heads} cannot share {2} {2|key/value head|key/value heads} "
                    "evenly; {2} must divide {1}", {"k", inputs.heads, inputs.key_value_heads})};
  return checkRules(inputs.rules, inputs.heads);
}

}  // namespace attn::core::streaming
