// Reads with pread, so that nothing of the file is held.
#include "disk/file_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/language.h"

namespace attn::disk {
namespace {

// Reads at a place instead of mapping the file: a file that shrinks is then an error, where a mapping is a crash.
class FileSource final : public io::ByteSource {
 public:
  FileSource(int file, std::uint64_t size, std::string path) : file_(file), size_(size), path_(std::move(path)) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override { close(file_); }

  std::uint64_t size() const override { return size_; }
  core::Check read(std::uint64_t offset, std::span<std::byte> into) const override {
    while (!into.empty()) {
      const ssize_t count = pread(file_, into.data(), into.size(), static_cast<off_t>(offset));
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return core::Error{tr("{0} cannot be read ({1}); check the file.", {path_, std::strerror(errno)})};
      if (count == 0) return core::Error{tr("{0} has become shorter since it was opened; open it again.", {path_})};
      offset += static_cast<std::uint64_t>(count);
      into = into.subspan(static_cast<std::size_t>(count));
    }
    return {};
  }

 private:
  int file_;
  std::uint64_t size_;
  std::string path_;
};

}  // namespace

core::Result<std::unique_ptr<io::ByteSource>> openFile(const std::string& path) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0)
    return core::Error{tr("{0} cannot be opened ({1}); check its name and permissions.", {path, std::strerror(errno)})};
  struct stat status = {};
  if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
    const bool folder = S_ISDIR(status.st_mode);
    close(file);
    return core::Error{folder ? tr("{0} is a folder; name a file in it.", {path})
                              : tr("{0} is not a plain file; save it as one first.", {path})};
  }
  return std::unique_ptr<io::ByteSource>(
      std::make_unique<FileSource>(file, static_cast<std::uint64_t>(status.st_size), path));
}

}  // namespace attn::disk
