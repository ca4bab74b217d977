// See models.h.
#include "study/models.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "io/array_file.h"
#include "io/byte_source.h"
#include "io/deflate.h"

namespace attn::study {
namespace {

std::string hexText(std::uint32_t number) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (int shift = 28; shift >= 0; shift -= 4) text += kDigits[(number >> shift) & 15];
  return text;
}

core::Result<Loaded> load(const std::string& name, const std::string& text) {
  const auto bytes = std::as_bytes(std::span(text));
  const io::MemorySource source(bytes);
  const core::Result<io::ArrayFile> file = io::openArrays(source, name);
  if (!file) return file.error();
  core::Result<model::DecoderFile> decoder = model::readDecoder(source, file.value());
  if (!decoder) return decoder.error();
  return Loaded{decoder.take(), hexText(io::crc32Of(bytes)), bytes.size()};
}

bool holds(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

const Loaded* Models::decoder(const std::string& name) {
  const auto found = decoders_.find(name);
  if (found != decoders_.end()) return &found->second;
  want(name);
  return nullptr;
}

const std::string* Models::text(const std::string& name) {
  const auto found = texts_.find(name);
  if (found != texts_.end()) return &found->second;
  want(name);
  return nullptr;
}

void Models::want(const std::string& name) {
  if (!holds(wanted_, name) && !holds(refused_, name)) wanted_.push_back(name);
}

void Models::give(const std::string& name, std::string bytes) {
  wanted_.erase(std::remove(wanted_.begin(), wanted_.end(), name), wanted_.end());
  if (!name.ends_with(".safetensors")) {
    texts_.insert_or_assign(name, std::move(bytes));
    return;
  }
  run_.reset();  // of the one that had this name, perhaps
  core::Result<Loaded> loaded = load(name, bytes);
  if (loaded) decoders_.insert_or_assign(name, loaded.take());
  else refuse(name, loaded.error().message);
}

void Models::refuse(const std::string& name, std::string sentence) {
  wanted_.erase(std::remove(wanted_.begin(), wanted_.end(), name), wanted_.end());
  refused_.push_back(name);
  refusal_ = std::move(sentence);
}

void Models::retry() {
  refused_.clear();
  refusal_.clear();
}

core::Result<Models::Run> Models::run(const Loaded& loaded, std::span<const core::Index> tokens) {
  if (run_ && run_of_ == &loaded && std::equal(tokens.begin(), tokens.end(), run_tokens_.begin(), run_tokens_.end())) return run_;
  core::Result<core::DecoderRun> run = core::runDecoder(loaded.file.decoder, tokens);
  if (!run) return run.error();
  run_ = std::make_shared<const core::DecoderRun>(run.take());
  run_of_ = &loaded;
  run_tokens_.assign(tokens.begin(), tokens.end());
  return run_;
}

}  // namespace attn::study
