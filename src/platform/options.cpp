// The command line of the desktop program, as data. Knows no window and touches no file.
#include "platform/options.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace attn::platform {
namespace {

using core::Error;

constexpr int kMaxSide = 16384;

constexpr std::string_view kHelp =
    "attnscope [--link S] [--language CODE] [ID|FILE…]\n"
    "attnscope render [ID|FILE…] [--link S] [--size 1280x800] [--scale 1] [--theme dark|light] [--text-scale 1]\n"
    "                 [--language CODE] --out F.png\n"
    "\n"
    "Shows how one position of a sequence reads another, one step at a time. Without `render` a window opens.\n"
    "\n"
    "  ID             a built-in example, such as cat-sat-down; without it the first\n"
    "  FILE           an example document (JSON), or files of arrays: .npy, .npz, .safetensors, .pt, .json, .csv, text\n"
    "  --link S       the moment to show: what the page has behind #\n"
    "  --language C   en or de; without it that of the system, or English\n"
    "  --help         this text\n"
    "  --version      the version\n"
    "\n"
    "`attnscope render --help` describes the pictures.\n";

constexpr std::string_view kRenderHelp =
    "attnscope render [ID|FILE…] [--link S] [--size 1280x800] [--scale 1] [--theme dark|light] [--text-scale 1]\n"
    "                 [--language CODE] --out F.png\n"
    "\n"
    "Draws one picture of the screen without a display and writes it whole or not at all.\n"
    "\n"
    "  ID             a built-in example, such as cat-sat-down; without it the first\n"
    "  FILE           an example document (JSON), or files of arrays: .npy, .npz, .safetensors, .pt, .json, .csv, text\n"
    "  --link S       the moment to show: what the page has behind #\n"
    "  --size WxH     CSS pixels, 160x160 to 16384x16384\n"
    "  --scale R      picture pixels per CSS pixel, 0.5 to 4\n"
    "  --theme T      dark or light (light unless said)\n"
    "  --text-scale R size of the text, 0.8 to 2\n"
    "  --language C   en or de (en unless said)\n"
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

core::Check takeOut(Options& options, std::string_view path) {
  const std::size_t name = std::min(path.size(), path.find_last_of('/') + 1);
  std::string ending(path.substr(std::min(path.size(), path.find_last_of('.'))));
  for (char& c : ending) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool has_ending = path.substr(name).find_last_of('.') != std::string_view::npos;
  if (has_ending && ending != ".png") {
    return Error{"--out: only PNG is written, and \"" + std::string(path) + "\" is named otherwise; end it in .png."};
  }
  options.out = path;
  return std::nullopt;
}

struct Option {
  std::string_view name;
  bool render_only;
  core::Check (*take)(Options&, std::string_view value);
};

constexpr Option kOptions[] = {
    {"--link", false, [](Options& o, std::string_view v) { return o.link = v, core::Check(); }},
    {"--language", false, [](Options& o, std::string_view v) { return o.language = v, core::Check(); }},
    {"--size", true, takeSize},
    {"--scale", true, [](Options& o, std::string_view v) { return takeNumber(o.scale, "--scale", v, 0.5, 4); }},
    {"--text-scale", true,
     [](Options& o, std::string_view v) { return takeNumber(o.text_scale, "--text-scale", v, 0.8, 2); }},
    {"--theme", true, takeTheme},
    {"--out", true, takeOut},
};

const Option* findOption(Command command, std::string_view name) {
  for (const Option& option : kOptions) {
    if (option.name == name && (command == Command::kRender || !option.render_only)) return &option;
  }
  return nullptr;
}

Error unknownOption(Command command, std::string_view name) {
  const bool render = command == Command::kRender;
  std::string names;
  for (const Option& option : kOptions) {
    if (render || !option.render_only) names += std::string(option.name) + ", ";
  }
  return {"There is no option " + std::string(name) + (render ? " of render" : "") + "; there are " + names +
          "--help and --version."};
}

// The option at `at`, whose value is the argument after it; `given` are the options so far.
core::Check takeOption(Options& options, std::span<const char* const> arguments, std::size_t at,
                       std::vector<std::string_view>& given) {
  const std::string_view name = arguments[at];
  const Option* option = findOption(options.command, name);
  if (!option) return unknownOption(options.command, name);
  if (at + 1 == arguments.size()) return Error{std::string(name) + " needs a value after it."};
  if (std::find(given.begin(), given.end(), name) != given.end()) {
    return Error{"The option " + std::string(name) + " stands twice; give it once."};
  }
  given.push_back(name);
  return option->take(options, arguments[at + 1]);
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
  std::vector<std::string_view> given;
  if (!arguments.empty() && std::string_view(arguments[0]) == "render") options.command = Command::kRender, at = 1;
  for (; at < arguments.size(); ++at) {
    const std::string_view argument = arguments[at];
    if (argument == "--help" || argument == "-h" || argument == "--version") {
      (argument == "--version" ? options.version : options.help) = true;
      return options;
    }
    if (argument.starts_with("-")) {
      if (auto bad = takeOption(options, arguments, at++, given)) return *bad;
    } else {
      options.files.emplace_back(argument);
    }
  }
  if (auto bad = checkRender(options)) return *bad;
  return options;
}

std::string_view helpText(Command command) { return command == Command::kRender ? kRenderHelp : kHelp; }

}  // namespace attn::platform
