// window.attnscope in terms of JSON strings: what the web platform exports and what embedding pages receive.
#pragma once
#include <string>

#include "app/session.h"

namespace attn::app {

// One object, flat but for `set`. The link's keys, defaults included: v, scene, set ({key: value}), ex, mask, order,
// grain, row, head, stage ("" before the first step), at (the step's own row), col and term (−1: all, or none), cursor
// ("" or "weights.2.1"), exact, dec, palette, spaces. And title, position, steps, playing, speed, run_on, computing (a
// scene), progress (0–1; −1 not known), can_undo, can_redo, notice.
std::string stateJson(const Session& session);

}  // namespace attn::app
