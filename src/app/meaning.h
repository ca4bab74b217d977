// What a step means, in one sentence to the person. The document's own text for a stage takes the place of ours.
#pragma once
#include <string>

#include "app/session.h"

namespace attn::app {

std::string meaning(const Session& session, const Step& step);

// What the person has reached, and what to try next: said at the last step, with the keys for it or without.
std::string farewell(const Session& session, bool keys);

}  // namespace attn::app
