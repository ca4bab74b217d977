// Leaves out what the scene refuses, computes the rest and writes it down.
#include "scene/answer.h"

#include "lesson/page_json.h"
#include "scene/text_file.h"

namespace attn::scene {

core::Result<std::string> answer(const Scene& scene, const Settings& settings, const Progress& progress) {
  auto params = readParams(scene.text);
  if (!params) return params.error();
  Settings taken;
  for (const auto& setting : settings)
    if (!applySettings(scene.id, {setting}, params.value())) taken.push_back(setting);
  auto page = run(scene, taken, progress);
  if (!page) return page.error();
  return lesson::pageJson(page.value());
}

}  // namespace attn::scene
