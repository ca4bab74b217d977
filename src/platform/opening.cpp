// What a command line asks to see, brought about. Reads files; knows no window.
#include "platform/opening.h"

#include "platform/file.h"

namespace attn::platform {

core::Check showMoment(Application& application, const Options& options) {
  if (options.file.empty()) {
    return options.link.empty() ? std::nullopt : application.dispatch(app::action::LoadLink{options.link});
  }
  auto text = readFile(options.file);
  if (!text) return text.error();
  return application.open(text.take(), fileName(options.file), options.link);
}

}  // namespace attn::platform
