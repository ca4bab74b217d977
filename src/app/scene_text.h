// The open scene as plain text: what window.attnscope.text() gives there. Knows no figure.
#pragma once
#include <string>

#include "app/session.h"

namespace attn::app {

// Title, what to look for, the words and claims in their order, and what came out; before the first page, that it is
// being computed, or why there is none.
std::string sceneText(const Session& session);

}  // namespace attn::app
