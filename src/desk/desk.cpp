// See desk.h.
#include "desk/desk.h"

#include <utility>
#include <vector>

#include "core/language.h"
#include "io/label.h"
#include "model/companions.h"
#include "study/study.h"
#include "survey/survey.h"

namespace attn::desk {

core::Result<scene::Scene> Desk::find(std::string_view id) {
  if (id == survey::kSceneId) return supplied(survey::sceneOf(files, [this](const std::string& path) { return bring(path); }));
  if (id == study::kSceneId) return supplied(aboutModels());
  if (const scene::Scene* found = scene::find(id)) return *found;
  return scene::paramsOf(id).error();
}

// Computed again as long as it wants what is there.
scene::Scene Desk::supplied(scene::Scene scene) {
  scene.compute = [this, compute = scene.compute](const scene::Inputs& in, scene::Outputs& out, const scene::Progress& progress) {
    core::Check failed = compute(in, out, progress);
    while (fetch()) {
      out = {};
      failed = compute(in, out, progress);
    }
    return failed;
  };
  return scene;
}

scene::Scene Desk::aboutModels() {
  scene::Scene scene = study::sceneOf(models);
  scene.compute = [this, compute = scene.compute](const scene::Inputs& in, scene::Outputs& out, const scene::Progress& progress) {
    offerCheckpoint();
    return compute(in, out, progress);
  };
  return scene;
}

// What is open and can be run.
void Desk::offerCheckpoint() {
  files.hideSample();
  const survey::FileSet* set = files.main();
  if (!set || !model::isCheckpoint(set->file)) return models.offer({});
  models.offer(study::OpenedFiles{set->source.get(), &set->file, &set->companions, files.openings()});
}

core::Result<const std::string*> Desk::bring(const std::string& path) {
  const std::string* bytes = models.text(path);
  if (!bytes && !models.refusal().empty()) return core::Error{models.refusal()};
  return bytes;
}

// What is wanted from the shelf; false when that is nothing.
bool Desk::fetch() {
  if (!shelf_) return false;
  const std::vector<std::string> wanted = models.wanted();
  for (const std::string& path : wanted) {
    if (const auto bytes = shelf_(path)) models.give(path, std::string(*bytes));
    else models.refuse(path, tr("{0} is not part of this program; build it again.", {io::ticked(path)}));
  }
  return !wanted.empty();
}

}  // namespace attn::desk
