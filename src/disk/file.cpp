// Reads with a cap; writes to a neighbour that then takes the name.
#include "disk/file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

#include "core/language.h"

namespace attn::disk {
namespace {

using core::Error;
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

std::string reason() { return std::strerror(errno); }

// What a path names once links are followed. Refuses what is there and is not a plain file: a device, a pipe, a folder.
core::Result<std::string> writable(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (fs::is_directory(status)) return Error{tr("\"{0}\" is a folder; name a file inside it.", {path})};
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    return Error{tr("\"{0}\" is not a plain file, so nothing is written over it; choose another name.", {path})};
  }
  if (!fs::is_symlink(fs::symlink_status(path, failed))) return path;
  if (!fs::exists(status)) return Error{tr("\"{0}\" is a link to a file that is not there; choose another name.", {path})};
  const fs::path target = fs::canonical(path, failed);
  if (failed) return Error{tr("\"{0}\" is a link that cannot be followed; choose another name.", {path})};
  return target.string();
}

// A fresh neighbour of `path` with the rights that a file of that name has or would get. Its name ends up in `part`.
File openPart(const std::string& path, std::string& part) {
  part = path + ".XXXXXX";
  const int descriptor = mkstemp(part.data());
  if (descriptor < 0) return {nullptr, &std::fclose};
  struct stat old;
  const mode_t mask = umask(0);
  umask(mask);
  (void)fchmod(descriptor, stat(path.c_str(), &old) == 0 ? old.st_mode & 0777 : 0666 & ~mask);
  return {fdopen(descriptor, "wb"), &std::fclose};
}

}  // namespace

core::Result<std::string> readFile(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status)) return Error{tr("There is no file \"{0}\"; check its name.", {path})};
  if (std::filesystem::is_directory(status)) {
    return Error{tr("\"{0}\" is a folder; name a document inside it.", {path})};
  }
  File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return Error{tr("\"{0}\" cannot be read ({1}); check who may read it.", {path, reason()})};
  std::string text;
  char block[65536];
  while (const std::size_t got = std::fread(block, 1, sizeof block, file.get())) {
    text.append(block, got);
    if (text.size() > kMaxDocument) {
      return Error{tr("\"{0}\" has more than 64 MiB, which is more than a document may have; open a smaller one.",
                      {path})};
    }
  }
  if (std::ferror(file.get())) return Error{tr("\"{0}\" could not be read to its end ({1}).", {path, reason()})};
  return text;
}

core::Check writeFile(const std::string& path, const std::function<core::Check(const Sink&)>& write) {
  const auto target = writable(path);
  if (!target) return target.error();
  std::string part;
  File file = openPart(target.value(), part);
  if (!file) return Error{tr("\"{0}\" cannot be written ({1}); choose a folder that you may write to.", {path, reason()})};
  const auto failure = [&] {
    return Error{tr("\"{0}\" could not be written ({1}); check the free space and the name.", {path, reason()})};
  };
  core::Check failed = write([&](std::span<const std::byte> bytes) -> core::Check {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size()) return std::nullopt;
    return failure();
  });
  const bool closed = std::fclose(file.release()) == 0;
  if (!failed && (!closed || std::rename(part.c_str(), target.value().c_str()) != 0)) failed = failure();
  if (failed) std::remove(part.c_str());
  return failed;
}

core::Check writeFile(const std::string& path, std::span<const unsigned char> bytes) {
  return writeFile(path, [&](const Sink& sink) { return sink(std::as_bytes(bytes)); });
}

core::Result<std::string> keepFile(const std::string& folder, const std::string& name, std::span<const unsigned char> bytes) {
  constexpr int kMost = 1000;
  const std::filesystem::path wanted = std::filesystem::path(folder) / name;
  std::error_code failed;
  std::filesystem::path path = std::filesystem::absolute(wanted, failed).lexically_normal();
  for (int n = 2; std::filesystem::exists(std::filesystem::symlink_status(path, failed)) && n < kMost; ++n) {
    path.replace_filename(wanted.stem().string() + "-" + std::to_string(n) + wanted.extension().string());
  }
  if (core::Check refused = writeFile(path.string(), bytes)) return *refused;
  return path.string();
}

std::string fileName(const std::string& path) { return std::filesystem::path(path).filename().string(); }

}  // namespace attn::disk
