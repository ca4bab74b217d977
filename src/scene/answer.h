// One request for a scene and the text that answers it: what crosses between whoever shows scenes and whoever computes
// them. Knows neither.
#pragma once
#include <string>
#include <string_view>

#include "core/result.h"
#include "scene/scene.h"

namespace attn::scene {

// The page as JSON. Settings come from links, which never fail: what the scene does not take has its preset. An error
// for a scene that does not exist, what cannot be computed, and "stopped".
core::Result<std::string> answer(std::string_view id, const Settings& settings, const Progress& progress);
core::Result<std::string> answer(const Scene& scene, const Settings& settings, const Progress& progress);

}  // namespace attn::scene
