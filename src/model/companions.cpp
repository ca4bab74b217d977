// See companions.h.
#include "model/companions.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>

namespace attn::model {
namespace {

using Text = std::string Companions::*;

constexpr std::pair<std::string_view, Text> kNames[] = {
    {"config.json", &Companions::config}, {"vocab.json", &Companions::vocabulary}, {"merges.txt", &Companions::merges}};

std::string beginningOf(const io::ByteSource& source) {
  constexpr std::uint64_t kBytes = 4096;
  std::string text(static_cast<std::size_t>(std::min(kBytes, source.size())), '\0');
  return source.read(0, std::as_writable_bytes(std::span(text))) ? "" : text;
}

}  // namespace

std::optional<Text> companionOf(const io::ByteSource& source, const std::string& name) {
  for (const auto& [end, text] : kNames)
    if (name.ends_with(end)) return text;
  const std::string beginning = beginningOf(source);
  const auto has = [&beginning](std::string_view part) { return beginning.find(part) != std::string::npos; };
  if (beginning.starts_with("#version:")) return &Companions::merges;
  if (!beginning.starts_with("{")) return std::nullopt;
  if (has("\"n_head\"") && has("\"n_embd\"")) return &Companions::config;
  if (has("\"!\": 0,") || has("\"!\":0,")) return &Companions::vocabulary;  // the first token of every GPT-2
  return std::nullopt;
}

bool isCheckpoint(const io::ArrayFile& file) {
  const auto has = [&file](std::string_view name) {
    return std::any_of(file.arrays.begin(), file.arrays.end(), [name](const io::ArrayInfo& array) {
      return array.name == name || array.name == std::string("transformer.").append(name);
    });
  };
  return has("wte.weight") && has("wpe.weight");
}

}  // namespace attn::model
