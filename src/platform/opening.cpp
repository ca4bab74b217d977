// What a command line asks to see, brought about. Reads files; knows no window.
#include "platform/opening.h"

#include <algorithm>

#include "lesson/example.h"
#include "disk/file.h"

namespace attn::platform {

namespace {

bool isBuiltIn(const std::string& id) {
  const auto built_ins = lesson::builtIns();
  return std::any_of(built_ins.begin(), built_ins.end(), [&](const auto& built_in) { return built_in.id == id; });
}

core::Check loadLink(Application& application, const std::string& link) {
  const auto failed = application.dispatch(app::action::LoadLink{link});
  if (const std::string file = application.session.documentFile(); !file.empty()) {
    application.session.notify("The link asks for " + file + " beside the page; name that file before --link.");
  }
  return failed;
}

}  // namespace

core::Check showMoment(Application& application, const Options& options) {
  if (isBuiltIn(options.file)) return loadLink(application, "ex=" + options.file + "&" + options.link);
  if (options.file.empty()) return options.link.empty() ? std::nullopt : loadLink(application, options.link);
  auto text = disk::readFile(options.file);
  if (!text) return text.error();
  return application.open(text.take(), disk::fileName(options.file), options.link);
}

}  // namespace attn::platform
