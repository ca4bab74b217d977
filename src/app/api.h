// window.attnscope in terms of JSON strings: what the web platform exports and what embedding pages receive.
#pragma once
#include <string>

#include "app/session.h"

namespace attn::app {

// A flat object with the link's keys (all of them, defaults included) and "position", "steps", "playing", "notice".
std::string stateJson(const Session& session);

}  // namespace attn::app
