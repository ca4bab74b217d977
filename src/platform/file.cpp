// Files of the desktop programs: read whole with a cap, written whole or not at all. Knows no format.
#include "platform/file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <system_error>

namespace attn::platform {
namespace {

using core::Error;
using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

std::string reason() { return std::strerror(errno); }

}  // namespace

core::Result<std::string> readFile(const std::string& path) {
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status)) return Error{"There is no file \"" + path + "\"; check its name."};
  if (std::filesystem::is_directory(status)) {
    return Error{"\"" + path + "\" is a folder; name a document inside it."};
  }
  File file(std::fopen(path.c_str(), "rb"), &std::fclose);
  if (!file) return Error{"\"" + path + "\" cannot be read (" + reason() + "); check who may read it."};
  std::string text;
  char block[65536];
  while (const std::size_t got = std::fread(block, 1, sizeof block, file.get())) {
    text.append(block, got);
    if (text.size() > kMaxDocument) {
      return Error{"\"" + path + "\" has more than 64 MiB, which is more than a document may have; open a smaller one."};
    }
  }
  if (std::ferror(file.get())) return Error{"\"" + path + "\" could not be read to its end (" + reason() + ")."};
  return text;
}

core::Check writeFile(const std::string& path, std::span<const unsigned char> bytes) {
  const std::string part = path + ".part";
  File file(std::fopen(part.c_str(), "wb"), &std::fclose);
  if (!file) return Error{"\"" + path + "\" cannot be written (" + reason() + "); choose a folder that you may write to."};
  const bool wrote = std::fwrite(bytes.data(), 1, bytes.size(), file.get()) == bytes.size();
  const bool closed = std::fclose(file.release()) == 0;
  if (wrote && closed && std::rename(part.c_str(), path.c_str()) == 0) return std::nullopt;
  const std::string why = reason();
  std::remove(part.c_str());
  return Error{"\"" + path + "\" could not be written (" + why + "); check the free space and the name."};
}

std::string fileName(const std::string& path) { return std::filesystem::path(path).filename().string(); }

}  // namespace attn::platform
