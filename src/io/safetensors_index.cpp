// Reads the weight_map alone; the names in it are compared by the caller.
#include "io/safetensors_index.h"

#include <algorithm>
#include <cctype>
#include <span>

#include "core/buffer.h"
#include "core/language.h"
#include "io/json.h"
#include "io/label.h"

namespace attn::io {
namespace {

constexpr JsonLimits kLimits = {std::size_t(16) << 20, 1000, 200'000, 8};

}  // namespace

core::Result<std::vector<std::string>> safetensorsFiles(std::string_view json, std::string_view file_name) {
  const core::Result<Json> index = parseJson(json, kLimits);
  if (!index) return core::Error{tr("In {0}: {1}", {ticked(file_name), index.error().message})};
  const Json* map = index.value().find("weight_map");
  const auto* members = map ? map->as<Json::Members>() : nullptr;
  if (!members) {
    return core::Error{tr("{0} has no `weight_map` with the files of its tensors; open the .safetensors files "
                          "themselves.", {ticked(file_name)})};
  }
  if (members->empty()) return core::Error{tr("{0} lists no tensor; save the model again.", {ticked(file_name)})};
  std::vector<std::string> files;
  for (const JsonMember& member : *members) {
    const auto* file = member.value.as<std::string>();
    if (!file) {
      return core::Error{tr("{0} gives {1} as the file of {2}; save the model again.",
                            {ticked(file_name), member.value.kindText(), ticked(member.name)})};
    }
    files.push_back(*file);
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

bool isSafetensorsIndex(std::string_view file_name) {
  constexpr std::string_view kEnding = ".safetensors.index.json";
  return file_name.size() >= kEnding.size() &&
         std::equal(kEnding.begin(), kEnding.end(), file_name.end() - static_cast<std::ptrdiff_t>(kEnding.size()),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

core::Result<std::vector<std::string>> readSafetensorsIndex(const ByteSource& source, std::string_view file_name) {
  if (source.size() > kLimits.bytes) {
    return core::Error{tr("{0}: The index has {1}, more than the limit of {2}; open the files that it names.",
                          {ticked(file_name), core::bytesText(source.size()), core::bytesText(kLimits.bytes)})};
  }
  core::Result<core::Buffer> buffer = core::Buffer::allocate(static_cast<std::size_t>(source.size()));
  if (!buffer) return core::Error{ticked(file_name) + ": " + buffer.error().message};
  const std::span<std::byte> bytes = buffer.value().bytes();
  if (core::Check failed = source.read(0, bytes)) return core::Error{ticked(file_name) + ": " + failed->message};
  return safetensorsFiles({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, file_name);
}

}  // namespace attn::io
