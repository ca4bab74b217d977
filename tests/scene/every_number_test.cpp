// The numbers of every scene as the terminal prints them and as the screen and the mirror get them, written out so that
// tests/web/builds.test.mjs can compare one build with another. Compares nothing itself.
#include <doctest/doctest.h>

#include <cstdio>

#include "lesson/page_json.h"
#include "scene/scene.h"

namespace {

using namespace attn;

TEST_CASE("print every scene" * doctest::skip()) {
  for (const scene::Scene& scene : scene::scenes()) {
    const core::Result<lesson::Page> page = scene::run(scene.id, {});
    CHECK_MESSAGE(page.ok(), (page ? "" : page.error().message));
    if (!page) continue;
    std::printf("{\"terminal\": %s, \"page\": %s}\n", lesson::sceneJson(page.value()).c_str(),
                lesson::pageJson(page.value()).c_str());
  }
}

}  // namespace
