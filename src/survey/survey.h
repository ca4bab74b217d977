// The pages about opened files: one scene, "arrays", in parts. What it shows comes from Files, which whoever asks keeps.
#pragma once
#include <string>
#include <string_view>

#include "core/result.h"
#include "scene/scene.h"
#include "survey/files.h"
#include "survey/samples.h"

namespace attn::survey {

inline constexpr std::string_view kSceneId = "arrays";

// The scene about these files, which must live as long as it. Computing it also says what Files should read next; samples
// are brought as they are asked for.
scene::Scene sceneOf(Files& files, Bring bring);

}  // namespace attn::survey
