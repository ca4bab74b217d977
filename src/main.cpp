// Composition root of the desktop program: arguments in, a window or a picture out. The page starts in platform/web.cpp.
#include <cstdio>

#include "platform/desktop.h"
#include "platform/headless.h"
#include "platform/language.h"
#include "platform/options.h"

namespace {

int fail(const attn::core::Error& error) {
  std::fprintf(stderr, "attnscope: %s\n", error.message.c_str());
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace attn::platform;
  const auto options = parseOptions({argv + 1, static_cast<std::size_t>(argc > 0 ? argc - 1 : 0)});
  if (!options) return fail(options.error());
  if (options.value().help) return std::fputs(helpText(options.value().command).data(), stdout) < 0;
  if (options.value().version) return std::puts("attnscope " ATTN_VERSION) < 0;
  const bool picture = options.value().command == Command::kRender;
  const std::string& language = options.value().language;
  if (const auto failed = setLanguage(!language.empty() ? language : picture ? "en" : languageOfSystem())) return fail(*failed);
  const auto failed = picture ? renderPicture(options.value()) : runWindow(options.value());
  return failed ? fail(*failed) : 0;
}
