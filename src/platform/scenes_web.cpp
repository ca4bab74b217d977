// The scenes as a module of their own, for the page's worker: settings in, a page as JSON out. Draws nothing and knows no
// session.
#include <emscripten.h>

#include <string>

#include "io/json.h"
#include "scene/answer.h"

namespace {

using namespace attn;

// Counts changes of what crosses the border; web/scenes.js holds the same number.
constexpr int kSceneInterface = 1;

std::string result;
bool failed = false;

lesson::Settings settingsIn(std::string_view json) {
  lesson::Settings settings;
  const auto parsed = io::parseJson(json);
  const auto* members = parsed ? parsed.value().as<io::Json::Members>() : nullptr;
  if (!members) return settings;
  for (const io::JsonMember& member : *members)
    if (const auto* text = member.value.as<std::string>()) settings.emplace_back(member.name, *text);
  return settings;
}

}  // namespace

// Given by web/scene_worker.js.
EM_JS(void, report_progress, (double done), { Module['progress'](done); });

#define ATTN_EXPORT extern "C" EMSCRIPTEN_KEEPALIVE

ATTN_EXPORT int scenes_interface() { return kSceneInterface; }

// The page, or a sentence when scenes_failed(). The text stays until the next call.
ATTN_EXPORT const char* scenes_run(const char* id, const char* settings) {
  auto answer = scene::answer(id, settingsIn(settings), [](double done) { return report_progress(done), true; });
  failed = !answer;
  result = failed ? answer.error().message : answer.take();
  return result.c_str();
}
ATTN_EXPORT int scenes_failed() { return failed; }
