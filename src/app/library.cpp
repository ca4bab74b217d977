// Opened documents by a name made from their content. Opens no files.
#include <cstdint>
#include <utility>

#include "app/link.h"
#include "app/session.h"
#include "lesson/packed_document.h"

namespace attn::app {
namespace {

// FNV-1a, 64 bits: a short name for a content, not a proof of it.
std::string contentId(std::string_view content) {
  std::uint64_t hash = 14695981039346656037u;
  for (unsigned char byte : content) hash = (hash ^ byte) * 1099511628211u;
  std::string id = "doc-";
  for (int shift = 60; shift >= 0; shift -= 4) id += "0123456789abcdef"[(hash >> shift) & 15];
  return id;
}

bool builtIn(std::string_view id) {
  for (const auto& example : lesson::builtIns())
    if (example.id == id) return true;
  return false;
}

// What does not fit by its beginning does not fit at all: packing all of a large document takes most of a second.
constexpr std::size_t kBeginning = 128 * 1024;

std::string packIfItFits(std::string_view document) {
  if (document.size() > kBeginning && lesson::packDocument(document.substr(0, kBeginning)).size() > 2 * kMaxLink) return "";
  std::string packed = lesson::packDocument(document);
  return packed.size() <= kMaxLink ? packed : "";
}

}  // namespace

const lesson::Example& Library::add(lesson::Example example) {
  std::string id = contentId(example.document);
  for (auto found = examples_.find(id); found != examples_.end(); found = examples_.find(id)) {
    if (found->second->document == example.document) return *found->second;
    id += "x";  // two contents with one hash: the later one takes another name
  }
  example.id = id;
  const auto& added = examples_[id] = std::make_unique<const lesson::Example>(std::move(example));
  opened_.push_back(added.get());
  return *added;
}

const lesson::Example* Library::find(std::string_view id) const {
  if (const auto found = examples_.find(id); found != examples_.end()) return found->second.get();
  if (!builtIn(id)) return nullptr;
  auto example = lesson::builtInExample(id);
  if (!example) return nullptr;
  return (examples_[std::string(id)] = std::make_unique<const lesson::Example>(example.take())).get();
}

bool Library::isOpened(std::string_view id) const { return !builtIn(id) && find(id) != nullptr; }

std::string Library::beside(std::string_view id) const {
  const auto found = beside_.find(id);
  return found == beside_.end() ? "" : found->second;
}

const std::string& Library::packed(std::string_view id) const {
  if (const auto found = packed_.find(id); found != packed_.end()) return found->second;
  const lesson::Example* example = isOpened(id) ? find(id) : nullptr;
  return packed_[std::string(id)] = example ? packIfItFits(example->document) : "";
}

}  // namespace attn::app
