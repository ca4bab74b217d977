// See models.h.
#include "study/models.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/language.h"
#include "io/byte_source.h"
#include "study/inputs.h"

namespace attn::study {
namespace {

// A source that tells how far it has been read, of so many bytes, and refuses to be read on when it is asked to stop.
class Watched final : public io::ByteSource {
 public:
  Watched(const io::ByteSource& source, std::uint64_t all, const Progress& progress) : source_(source), all_(all), progress_(progress) {}
  std::uint64_t size() const override { return source_.size(); }
  core::Check read(std::uint64_t offset, std::span<std::byte> into) const override {
    read_ += into.size();
    stopped_ = stopped_ || !progress_(std::min(1.0, static_cast<double>(read_) / static_cast<double>(all_)));
    if (stopped_) return core::Error{"stopped"};
    return source_.read(offset, into);
  }
  bool isStopped() const { return stopped_; }

 private:
  const io::ByteSource& source_;
  std::uint64_t all_;
  const Progress& progress_;
  mutable std::uint64_t read_ = 0;
  mutable bool stopped_ = false;
};

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
  if (!name.ends_with(".safetensors") || name.starts_with(kSamples)) {
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

void Models::offer(const std::optional<OpenedFiles>& files) {
  if (files.has_value() == offered_.has_value() && (!files || files->version == offered_->version)) return;
  offered_ = files;
  opened_.reset();
  run_.reset();
  means_of_ = nullptr;
}

core::Result<const Loaded*> Models::opened(const Progress& progress) {
  if (!offered_) return core::Error{tr("No model is open; open a `model.safetensors` in the shape of GPT-2, with the `vocab.json` and "
                                       "`merges.txt` beside it, or choose the model that comes with attnscope.")};
  if (!opened_) {
    run_.reset();  // of another model: both may not fit
    const Watched source(*offered_->source, 2 * offered_->source->size(), progress);  // once for its numbers, once for its hash
    core::Result<Loaded> loaded = loadModel(source, *offered_->file, *offered_->companions);
    if (source.isStopped()) return core::Error{"stopped"};
    opened_.emplace(std::move(loaded));
  }
  if (!*opened_) return opened_->error();
  return &opened_->value();
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

const Models::Means* Models::lineMeans(const Loaded& loaded, const Progress& progress) {
  if (means_of_ == &loaded) return &means_;
  const Texts lines = heldOutLines(*this, loaded, loaded.runs());
  if (lines.tokens.empty()) return nullptr;
  means_of_ = nullptr;
  means_ = headMeans(loaded.file.decoder, lines.tokens, progress);
  if (means_.empty()) return nullptr;
  means_of_ = &loaded;
  return &means_;
}

}  // namespace attn::study
