// Folders by the standard library; what was opened last by disk/recent.h.
#include "platform/files.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <tuple>
#include <utility>

#include "core/language.h"
#include "disk/file.h"
#include "disk/recent.h"

namespace attn::platform {
namespace {

namespace fs = std::filesystem;

std::string absolutePath(const std::string& path) {
  std::error_code failed;
  const fs::path whole = fs::absolute(path, failed).lexically_normal();
  return (whole.has_filename() || !whole.has_relative_path() ? whole : whole.parent_path()).string();
}

bool isPlain(const std::string& path) {
  std::error_code failed;
  return fs::is_regular_file(path, failed);
}

std::string expanded(const std::string& folder, const std::string& written) {
  const char* home = std::getenv("HOME");
  if (home && (written == "~" || written.starts_with("~/"))) return home + written.substr(1);
  return written.starts_with('/') ? written : (folder.empty() ? "." : folder) + (folder == "/" ? "" : "/") + written;
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

void sort(std::vector<ui::FolderEntry>& entries) {
  std::sort(entries.begin(), entries.end(), [](const ui::FolderEntry& a, const ui::FolderEntry& b) {
    return std::tuple(!a.is_folder, lower(a.name), a.name) < std::tuple(!b.is_folder, lower(b.name), b.name);
  });
}

}  // namespace

ui::FolderView lookInto(const std::string& folder, const std::string& written) {
  const std::string path = expanded(folder, written);
  ui::FolderView seen;
  const std::size_t slash = path.rfind('/');
  seen.path = absolutePath(path.substr(0, slash + 1));
  seen.beginning = path.substr(slash + 1);
  std::error_code failed, ignored;
  fs::directory_iterator at(seen.path, failed);
  for (; !failed && at != fs::directory_iterator(); at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with('.') && !seen.beginning.starts_with('.')) continue;
    seen.entries.push_back({name, at->is_directory(ignored)});
  }
  if (failed) seen.refused = tr("\"{0}\" cannot be listed ({1}); choose another folder.", {seen.path, failed.message()});
  sort(seen.entries);
  return seen;
}

Files::Files(ui::ViewState& view, std::string kept) : view_(view), kept_(std::move(kept)) {
  const auto write = [](const std::string& path, const std::string& bytes) {
    return disk::writeFile(path, {reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()});
  };
  ui::offerFiles(view, {lookInto, [this](std::vector<std::string> paths) { asked_ = std::move(paths); }, write});
  view.file_menu->recent = disk::readRecent(kept_);
}

std::vector<std::string> Files::takeAsked() {
  std::vector<std::string> asked = std::exchange(asked_, {});
  std::erase_if(asked, [this](const std::string& path) {
    std::vector<std::string>& recent = view_.file_menu->recent;
    std::error_code failed;
    const bool gone = std::count(recent.begin(), recent.end(), path) > 0 && !fs::exists(path, failed);
    if (gone) {
      view_.said = tr("\"{0}\" is no longer there; it is off the list.", {path});
      recent = disk::dropRecent(kept_, path);
    }
    return gone;
  });
  return asked;
}

void Files::opened(const std::vector<std::string>& paths) {
  std::vector<std::string> plain;
  for (const std::string& path : paths) {
    if (isPlain(path)) plain.push_back(absolutePath(path));
  }
  if (!plain.empty()) view_.file_menu->recent = disk::addRecent(kept_, plain);
}

void Files::openedDocument(const std::string& path, const std::string& id) {
  opened({path});
  if (isPlain(path)) view_.file_menu->places[id] = absolutePath(path);
}

}  // namespace attn::platform
