// Files for the terminal program: the only place in it that opens one.
#include "cli/input.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "io/json.h"

namespace attn::cli {
namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::string builtInIds() {
  std::string ids;
  for (const lesson::BuiltIn& built_in : lesson::builtIns()) {
    ids += (ids.empty() ? "" : ", ") + std::string(built_in.id);
  }
  return ids;
}

}  // namespace

core::Result<std::string> readFile(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    return core::Error{path + " is a folder; name a file in it."};
  }
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  if (!file) {
    return core::Error{path + " cannot be opened (" + std::strerror(errno) + "); check its name and permissions."};
  }
  constexpr std::size_t kLimit = io::JsonLimits().bytes;
  std::string bytes;
  char block[1 << 16];
  while (const std::size_t count = std::fread(block, 1, sizeof block, file.get())) {
    if (bytes.size() + count > kLimit) {
      return core::Error{path + " has more than " + std::to_string(kLimit >> 20) + " MiB; open a smaller document."};
    }
    bytes.append(block, count);
  }
  if (std::ferror(file.get())) {
    return core::Error{path + " cannot be read (" + std::strerror(errno) + "); check the file."};
  }
  return bytes;
}

core::Result<lesson::Example> readExample(const std::string& id_or_path) {
  for (const lesson::BuiltIn& built_in : lesson::builtIns()) {
    if (built_in.id == id_or_path) return lesson::builtInExample(id_or_path);
  }
  if (id_or_path.empty()) return core::Error{"The name of the example is empty; the examples are " + builtInIds() + "."};
  std::error_code ignored;
  if (!std::filesystem::exists(id_or_path, ignored)) {
    return core::Error{"There is no built-in example and no file " + id_or_path + "; the examples are " + builtInIds() +
                       "."};
  }
  const core::Result<std::string> bytes = readFile(id_or_path);
  if (!bytes) return bytes.error();
  core::Result<lesson::Example> example = lesson::parseExample(bytes.value(), id_or_path);
  if (!example) return core::Error{id_or_path + ": " + example.error().message};
  return example;
}

}  // namespace attn::cli
