// See models.h.
#include "study/models.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "io/byte_source.h"
#include "study/inputs.h"

namespace attn::study {
namespace {

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
  const io::MemorySource source(std::as_bytes(std::span(bytes.data(), bytes.size())));
  core::Result<Loaded> loaded = loadModel(source, name);
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

const Models::Means* Models::lineMeans(const Loaded& loaded) {
  if (means_of_ == &loaded) return &means_;
  const Texts lines = heldOutLines(*this, loaded);
  if (lines.tokens.empty()) return nullptr;
  means_ = headMeans(loaded.file.decoder, lines.tokens);
  means_of_ = &loaded;
  return &means_;
}

}  // namespace attn::study
