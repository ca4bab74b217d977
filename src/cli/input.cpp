// A command's example, by its id or from its file.
#include "cli/input.h"

#include <filesystem>

#include "disk/file.h"

namespace attn::cli {
namespace {

std::string builtInIds() {
  std::string ids;
  for (const lesson::BuiltIn& built_in : lesson::builtIns()) {
    ids += (ids.empty() ? "" : ", ") + std::string(built_in.id);
  }
  return ids;
}

}  // namespace

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
  const core::Result<std::string> bytes = disk::readFile(id_or_path);
  if (!bytes) return bytes.error();
  core::Result<lesson::Example> example = lesson::parseExample(bytes.value(), id_or_path);
  if (!example) return core::Error{id_or_path + ": " + example.error().message};
  return example;
}

}  // namespace attn::cli
