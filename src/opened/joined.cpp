// Files behind one another: offsets moved, names told apart. See joined.h.
#include "opened/joined.h"

#include <algorithm>
#include <map>

#include "core/language.h"
#include "io/label.h"
#include "io/safetensors_index.h"

namespace attn::opened {
namespace {

class Chain final : public io::ByteSource {
 public:
  void add(std::unique_ptr<io::ByteSource> part) {
    begins_.push_back(size_);
    size_ += part->size();
    parts_.push_back(std::move(part));
  }
  std::uint64_t size() const override { return size_; }
  // An array lies in one file, so no reading goes over an end.
  core::Check read(std::uint64_t offset, std::span<std::byte> into) const override {
    const auto after = std::upper_bound(begins_.begin(), begins_.end(), offset);
    if (after == begins_.begin()) return {};
    const auto part = static_cast<std::size_t>(after - begins_.begin()) - 1;
    return parts_[part]->read(offset - begins_[part], into);
  }

 private:
  std::vector<std::unique_ptr<io::ByteSource>> parts_;
  std::vector<std::uint64_t> begins_;
  std::uint64_t size_ = 0;
};

struct Part {
  std::string name;
  std::unique_ptr<io::ByteSource> source;
  io::ArrayFile file;
};

// The sentence about the files of an index that were not opened with it; "" when all of them were.
core::Result<std::string> missingFiles(const io::ByteSource& source, const std::string& name,
                                       const std::vector<std::string>& given) {
  const core::Result<std::vector<std::string>> files = io::readSafetensorsIndex(source, name);
  if (!files) return files.error();
  std::vector<std::string> missing;
  for (const std::string& file : files.value())
    if (std::find(given.begin(), given.end(), file) == given.end()) missing.push_back(io::ticked(file));
  if (missing.empty()) return std::string();
  constexpr std::size_t kMostNamed = 20;
  return tr("{0}: It names files that were not opened with it: {1}; choose them all together to have every array.",
            {io::ticked(name), io::listed(missing, kMostNamed)});
}

std::uint64_t heldBy(const io::ArrayFile& file) {
  std::uint64_t bytes = 0;
  for (const core::Buffer& buffer : file.held) bytes += buffer.size();
  return bytes;
}

void append(Joined& joined, Chain& chain, Part part, const std::map<std::string, int>& counts) {
  const std::uint64_t begin = chain.size();
  const std::size_t held = joined.file.held.size();
  for (io::ArrayInfo& array : part.file.arrays) {
    array.begin += array.where == io::ArrayInfo::Where::kHeld ? held : begin;
    if (counts.at(array.name) > 1 && !array.name.empty()) array.name = part.name + ": " + array.name;
    if (array.name.empty()) array.name = part.name;
    joined.file.arrays.push_back(std::move(array));
  }
  for (core::Buffer& buffer : part.file.held) joined.file.held.push_back(std::move(buffer));
  for (std::string& note : part.file.notes) {
    joined.notes.push_back(part.name + ": " + note);
    joined.file.notes.push_back(std::move(note));
  }
  if (joined.file.format.empty()) joined.file.format = part.file.format;
  else if (joined.file.format != part.file.format) joined.file.format = tr("files of several formats");
  joined.names.push_back(part.name);
  chain.add(std::move(part.source));
}

// A file of one array that cannot be read is no file to open.
std::string refusal(const std::string& name, const io::ArrayFile& file) {
  const auto readable = [](const io::ArrayInfo& array) { return array.unreadable.empty(); };
  if (file.arrays.empty() || std::any_of(file.arrays.begin(), file.arrays.end(), readable)) return "";
  const io::ArrayInfo& first = file.arrays.front();
  return io::ticked(name) + ": " + (first.name.empty() ? "" : first.name + ": ") + first.unreadable;
}

}  // namespace

Joined openTogether(std::vector<NamedSource> sources, const io::ArrayLimits& limits) {
  Joined joined;
  std::vector<std::string> given;
  for (const NamedSource& each : sources) given.push_back(each.name);
  std::vector<Part> parts;
  io::ArrayLimits left = limits;
  for (NamedSource& each : sources) {
    if (io::isSafetensorsIndex(each.name) && sources.size() > 1) {
      core::Result<std::string> missing = missingFiles(*each.source, each.name, given);
      if (!missing) joined.refused.push_back(missing.error().message);
      else if (!missing.value().empty()) joined.refused.push_back(missing.take());
      continue;
    }
    core::Result<io::ArrayFile> file = io::openArrays(*each.source, each.name, left);
    std::string why_not = file ? refusal(each.name, file.value()) : file.error().message;
    if (!why_not.empty()) {
      joined.refused.push_back(std::move(why_not));
      continue;
    }
    left.held -= std::min(left.held, heldBy(file.value()));
    left.arrays -= std::min(left.arrays, file.value().arrays.size());
    parts.push_back({std::move(each.name), std::move(each.source), file.take()});
  }
  if (parts.empty()) return joined;
  std::map<std::string, int> counts;
  for (const Part& part : parts)
    for (const io::ArrayInfo& array : part.file.arrays) ++counts[array.name];
  auto chain = std::make_unique<Chain>();
  for (Part& part : parts) append(joined, *chain, std::move(part), counts);
  joined.source = std::move(chain);
  return joined;
}

}  // namespace attn::opened
