// The pages about a trained model that runs here: one scene, "model", in parts. The model comes from Models, which whoever
// asks keeps.
#pragma once
#include <string_view>

#include "scene/scene.h"
#include "study/models.h"

namespace attn::study {

inline constexpr std::string_view kSceneId = "model";

// The scene about these models, which must live as long as it.
scene::Scene sceneOf(Models& models);

}  // namespace attn::study
