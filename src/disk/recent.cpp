// One path a line. Read anew before each change, since another window may have written it.
#include "disk/recent.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "disk/file.h"

namespace attn::disk {
namespace {

constexpr std::uintmax_t kMostBytes = 64 << 10;  // eight paths; a larger file is something else

// The standard for these folders has relative ones ignored.
std::string absoluteFrom(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value == '/' ? value : "";
}

std::string linesOf(const std::vector<std::string>& paths) {
  std::string text;
  for (const std::string& path : paths) {
    if (path.find('\n') == std::string::npos) text += path + "\n";
  }
  return text;
}

std::vector<std::string> keepRecent(const std::string& file, const std::vector<std::string>& paths) {
  const std::vector<std::string> kept = recentIn(linesOf(paths));
  const std::string text = linesOf(kept);
  std::error_code failed;
  std::filesystem::create_directories(std::filesystem::path(file).parent_path(), failed);
  if (!file.empty()) (void)writeFile(file, {reinterpret_cast<const unsigned char*>(text.data()), text.size()});
  return kept;
}

}  // namespace

std::string recentFile() {
  if (const std::string state = absoluteFrom("XDG_STATE_HOME"); !state.empty()) return state + "/attnscope/recent";
  const std::string home = absoluteFrom("HOME");
  return home.empty() ? "" : home + "/.local/state/attnscope/recent";
}

std::vector<std::string> recentIn(std::string_view text) {
  std::vector<std::string> paths;
  for (std::size_t from = 0; from < text.size() && paths.size() < kMostRecent;) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string line(text.substr(from, end - from));
    const bool is_path = line.starts_with('/') && line.find('\0') == std::string::npos;
    if (is_path && std::find(paths.begin(), paths.end(), line) == paths.end()) paths.push_back(line);
    from = end + 1;
  }
  return paths;
}

std::vector<std::string> readRecent(const std::string& file) {
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed) || std::filesystem::file_size(file, failed) > kMostBytes) return {};
  const auto text = readFile(file);
  return text ? recentIn(text.value()) : std::vector<std::string>();
}

std::vector<std::string> addRecent(const std::string& file, const std::vector<std::string>& paths) {
  std::vector<std::string> all = paths;
  for (std::string& path : readRecent(file)) all.push_back(std::move(path));
  return keepRecent(file, all);
}

std::vector<std::string> dropRecent(const std::string& file, const std::string& path) {
  std::vector<std::string> all = readRecent(file);
  std::erase(all, path);
  return keepRecent(file, all);
}

}  // namespace attn::disk
