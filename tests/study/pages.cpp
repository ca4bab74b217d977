// See pages.h.
#include "study/pages.h"

#include "lesson/page_json.h"
#include "study/models.h"
#include "study/study.h"
#include "support/array_files.h"

namespace attn::test {
namespace {

using lesson::Page;
using lesson::Settings;

// Models that are given what they want, from web/data.
class Pages {
 public:
  core::Result<Page> ask(const Settings& settings) {
    const scene::Scene scene = study::sceneOf(models_);
    core::Result<Page> page = scene::run(scene, settings);
    while (page && !models_.wanted().empty()) {
      const std::string path = models_.wanted().front();
      models_.give(path, arrayFile("../../../web/data/" + path));
      page = scene::run(scene, settings);
    }
    return page;
  }
  Page of(const Settings& settings) {
    core::Result<Page> page = ask(settings);
    REQUIRE_MESSAGE(page.ok(), (page ? "" : page.error().message));
    const core::Check wrong = lesson::checkPage(page.value());
    CHECK_MESSAGE(!wrong, (wrong ? wrong->message : ""));
    return page.take();
  }

 private:
  study::Models models_;
};

}  // namespace

Page pageOf(const Settings& settings) {
  static Pages kPages;
  return kPages.of(settings);
}

}  // namespace attn::test
