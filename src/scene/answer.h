// One request for a scene and the text that answers it: what crosses between whoever shows scenes and whoever computes
// them. Knows neither.
#pragma once
#include <string>

#include "core/result.h"
#include "scene/scene.h"

namespace attn::scene {

// The page as JSON. Settings come from links, which never fail: what the scene does not take has its preset. An error
// for what cannot be computed, and "stopped".
core::Result<std::string> answer(const Scene& scene, const Settings& settings, const Progress& progress);

}  // namespace attn::scene
