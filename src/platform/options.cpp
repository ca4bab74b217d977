// The command line of the desktop program, as data. Knows no window and touches no file.
#include "platform/options.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace attn::platform {
namespace {

using core::Error;

constexpr int kMaxSide = 16384;

constexpr std::string_view kHelp =
    "attnscope [--link S] [FILE]\n"
    "attnscope render [FILE] [--link S] [--size 1280x800] [--scale 1] [--theme dark|light] [--text-scale 1] --out F.png\n"
    "\n"
    "Shows how one position of a sequence reads another, one step at a time. Without `render` a window opens.\n"
    "\n"
    "  FILE           an example document (JSON); without it the first built-in example\n"
    "  --link S       the moment to show: what the page has behind #\n"
    "  --help         this text\n"
    "  --version      the version\n"
    "\n"
    "`attnscope render --help` describes the pictures.\n";

constexpr std::string_view kRenderHelp =
    "attnscope render [FILE] [--link S] [--size 1280x800] [--scale 1] [--theme dark|light] [--text-scale 1] --out F.png\n"
    "\n"
    "Draws one picture of the screen without a display and writes it whole or not at all.\n"
    "\n"
    "  FILE           an example document (JSON); without it the first built-in example\n"
    "  --link S       the moment to show: what the page has behind #\n"
    "  --size WxH     CSS pixels, 160x160 to 16384x16384\n"
    "  --scale R      picture pixels per CSS pixel, 0.5 to 4\n"
    "  --theme T      dark or light (light unless said)\n"
    "  --text-scale R size of the text, 0.8 to 2\n"
    "  --out F.png    the picture\n";

core::Result<double> number(std::string_view option, std::string_view text, double low, double high) {
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (!copy.empty() && *end == '\0' && std::isfinite(value) && value >= low && value <= high) return value;
  char bounds[64];
  std::snprintf(bounds, sizeof bounds, "%g to %g", low, high);
  return Error{std::string(option) + ": \"" + copy + "\" is not a number from " + bounds + "."};
}

core::Check takeSize(Options& options, std::string_view text) {
  const std::string copy(text);
  int used = 0;
  if (std::sscanf(copy.c_str(), "%dx%d%n", &options.width, &options.height, &used) == 2 &&
      static_cast<std::size_t>(used) == copy.size() && options.width >= 160 && options.height >= 160 &&
      options.width <= kMaxSide && options.height <= kMaxSide) {
    return std::nullopt;
  }
  return Error{"--size: \"" + copy + "\" is not WIDTHxHEIGHT with sides from 160 to 16384, such as 1280x800."};
}

core::Check takeNumber(double& target, std::string_view option, std::string_view text, double low, double high) {
  auto value = number(option, text, low, high);
  if (!value) return value.error();
  target = value.value();
  return std::nullopt;
}

core::Check takeTheme(Options& options, std::string_view text) {
  if (text != "dark" && text != "light") {
    return Error{"--theme: \"" + std::string(text) + "\" is neither dark nor light."};
  }
  options.dark = text == "dark";
  return std::nullopt;
}

// An option with its value.
core::Check takeOption(Options& options, std::string_view name, std::string_view value) {
  if (name == "--link") return options.link = value, std::nullopt;
  if (options.command == Command::kRender) {
    if (name == "--size") return takeSize(options, value);
    if (name == "--scale") return takeNumber(options.scale, name, value, 0.5, 4);
    if (name == "--text-scale") return takeNumber(options.text_scale, name, value, 0.8, 2);
    if (name == "--theme") return takeTheme(options, value);
    if (name == "--out") return options.out = value, std::nullopt;
  }
  return Error{"There is no option " + std::string(name) + (options.command == Command::kRender ? " of render" : "") +
               "; --help lists those that there are."};
}

core::Check checkRender(const Options& options) {
  if (options.command != Command::kRender) return std::nullopt;
  if (options.out.empty()) return Error{"render needs --out F.png: where the picture goes."};
  if (options.width * options.scale > kMaxSide || options.height * options.scale > kMaxSide) {
    return Error{"--size times --scale is more than 16384 pixels on a side; make one of them smaller."};
  }
  return std::nullopt;
}

}  // namespace

core::Result<Options> parseOptions(std::span<const char* const> arguments) {
  Options options;
  std::size_t at = 0;
  if (!arguments.empty() && std::string_view(arguments[0]) == "render") options.command = Command::kRender, at = 1;
  for (; at < arguments.size(); ++at) {
    const std::string_view argument = arguments[at];
    if (argument == "--help" || argument == "--version") {
      (argument == "--help" ? options.help : options.version) = true;
      return options;
    }
    if (argument.starts_with("--")) {
      if (at + 1 == arguments.size()) return Error{std::string(argument) + " needs a value after it."};
      if (auto bad = takeOption(options, argument, arguments[++at])) return *bad;
    } else if (options.file.empty()) {
      options.file = argument;
    } else {
      return Error{"Only one FILE can be opened, and \"" + std::string(argument) + "\" is a second one."};
    }
  }
  if (auto bad = checkRender(options)) return *bad;
  return options;
}

std::string_view helpText(Command command) { return command == Command::kRender ? kRenderHelp : kHelp; }

}  // namespace attn::platform
