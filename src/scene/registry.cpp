// The scenes that exist. A scene is a declaration and a row here; their order is the catalogue's business.
#include <algorithm>

#include "core/language.h"
#include "scene/scene.h"
#include "scene/text_file.h"
#include "scene/texts.h"

namespace attn::scene {

using Computation = core::Check(const Inputs&, Outputs&, const Progress&);

Computation whyContext;
Computation tiredOrWide;
Computation queryKeyValue;
Computation contextNotWeights;
Computation planeOfVectors;
Computation scaling;
Computation saturation;
Computation softmaxOfScores;
Computation masksOfAllKinds;
Computation causality;
Computation trainingShift;
Computation severalHeads;
Computation splitIntoHeads;
Computation tokenOrder;
Computation positionVectors;
Computation costOfAttention;
Computation tileByTile;
Computation moduleScene;
Computation untrainedModule;
Computation crossAttention;
Computation residualStream;
Computation whatAMapShows;
Computation shapesDrill;
Computation checkYourself;
Computation predictFirst;
Computation implementYourself;
Computation compareBeforeAndAfter;
Computation threeActsThatLookAlike;
Computation eachInTurn;

const std::vector<Scene>& scenes() {
  static const std::vector<Scene> kScenes = {
      {"why-context", texts::why_context_json, whyContext},
      {"tired-or-wide", texts::tired_or_wide_json, tiredOrWide},
      {"query-key-value", texts::query_key_value_json, queryKeyValue},
      {"context-not-weights", texts::context_not_weights_json, contextNotWeights},
      {"plane", texts::plane_json, planeOfVectors},
      {"scaling", texts::scaling_json, scaling},
      {"saturation", texts::saturation_json, saturation},
      {"softmax", texts::softmax_json, softmaxOfScores},
      {"masks", texts::masks_json, masksOfAllKinds},
      {"causality", texts::causality_json, causality},
      {"training-shift", texts::training_shift_json, trainingShift},
      {"heads", texts::heads_json, severalHeads},
      {"split-heads", texts::split_heads_json, splitIntoHeads},
      {"order", texts::order_json, tokenOrder},
      {"positions", texts::positions_json, positionVectors},
      {"cost", texts::cost_json, costOfAttention},
      {"tiles", texts::tiles_json, tileByTile},
      {"module", texts::module_json, moduleScene},
      {"untrained", texts::untrained_json, untrainedModule},
      {"cross", texts::cross_json, crossAttention},
      {"residual", texts::residual_json, residualStream},
      {"what-a-map-shows", texts::what_a_map_shows_json, whatAMapShows},
      {"shapes", texts::shapes_json, shapesDrill},
      {"check-yourself", texts::check_yourself_json, checkYourself},
      {"task", texts::task_json, predictFirst},
      {"implement", texts::implement_json, implementYourself},
      {"compare", texts::compare_json, compareBeforeAndAfter},
      {"look-alikes", texts::look_alikes_json, threeActsThatLookAlike},
      {"what-if", texts::what_if_json, eachInTurn},
  };
  return kScenes;
}

const Scene* find(std::string_view id) {
  const std::vector<Scene>& all = scenes();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Scene& scene) { return scene.id == id; });
  return found == all.end() ? nullptr : &*found;
}

namespace {

core::Error unknownScene(std::string_view id) {
  std::string known;
  for (const Scene& scene : scenes()) known += (known.empty() ? "" : ", ") + std::string(scene.id);
  return {tr("There is no scene `{0}`; the scenes are {1}.", {id, known})};
}

}  // namespace

core::Result<Page> run(const Scene& scene, const Settings& settings, const Progress& progress) {
  return compose(scene.id, scene.text, settings, scene.compute, progress);
}

core::Result<Page> run(std::string_view id, const Settings& settings, const Progress& progress) {
  const Scene* scene = find(id);
  if (!scene) return unknownScene(id);
  return run(*scene, settings, progress);
}

core::Result<std::vector<lesson::Param>> paramsOf(std::string_view id) {
  const Scene* scene = find(id);
  if (!scene) return unknownScene(id);
  return readParams(scene->text);
}

}  // namespace attn::scene
