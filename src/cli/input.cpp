// A command's example, by its id or from its file.
#include "cli/input.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <span>

#include "disk/file.h"
#include "disk/file_source.h"
#include "io/array_file.h"
#include "io/foreign.h"
#include "opened/document.h"

namespace attn::cli {
namespace {

std::string builtInIds() {
  std::string ids;
  for (const lesson::BuiltIn& built_in : lesson::builtIns()) {
    ids += (ids.empty() ? "" : ", ") + std::string(built_in.id);
  }
  return ids;
}

// The text of a document, or arrays with the names of its fields as one.
core::Result<std::string> documentFrom(const std::string& path) {
  core::Result<std::unique_ptr<io::ByteSource>> source = disk::openFile(path);
  char head[16] = {};
  if (source) {
    const std::size_t count = static_cast<std::size_t>(std::min<std::uint64_t>(sizeof head, source.value()->size()));
    const bool read = !source.value()->read(0, std::as_writable_bytes(std::span(head, count)));
    if (read && !io::foreignFormat({head, count}).empty()) {
      const core::Result<io::ArrayFile> file = io::openArrays(*source.value(), disk::fileName(path));
      if (!file) return file.error();
      return opened::documentJson(*source.value(), file.value(), disk::fileName(path), disk::kMaxDocument);
    }
  }
  return disk::readFile(path);
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
  const core::Result<std::string> document = documentFrom(id_or_path);
  if (!document) return document.error();
  core::Result<lesson::Example> example = lesson::parseExample(document.value(), id_or_path);
  if (!example) return core::Error{id_or_path + ": " + example.error().message};
  return example;
}

}  // namespace attn::cli
