// The command line of the desktop program, as data. Knows no window and touches no file.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace attn::platform {

enum class Command { kWindow, kRender };

struct Options {
  Command command = Command::kWindow;
  bool help = false, version = false;  // say it and do nothing else
  std::vector<std::string> files;  // to open, or one built-in example
  std::string link;  // the moment to show, "" the opening state
  std::string language;  // its code, "" unless said
  // render only
  int width = 1280, height = 800;  // CSS pixels
  double scale = 1;                // framebuffer pixels per CSS pixel, 0.5–4
  double text_scale = 1;           // 0.8–2
  bool dark = false;
  std::string out;
};

// Arguments without the program's name. A wrong one is an error that names it and says what is accepted.
core::Result<Options> parseOptions(std::span<const char* const> arguments);

std::string_view helpText(Command command);

}  // namespace attn::platform
