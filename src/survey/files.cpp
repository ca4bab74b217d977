// Opening, and reading on bit by bit. See files.h.
#include "survey/files.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

#include "core/language.h"
#include "io/label.h"
#include "io/source_text.h"
#include "model/bpe.h"

namespace attn::survey {
namespace {

constexpr std::chrono::milliseconds kStep{20};
constexpr std::size_t kMostNamed = 3;  // files in the label of a set
constexpr std::size_t kElements = 1 << 16;  // of a scan, between two looks at the clock

std::vector<std::pair<std::size_t, io::ElementType>> shortsOf(const io::ArrayFile& file) {
  std::vector<std::pair<std::size_t, io::ElementType>> shorts;
  for (std::size_t n = 0; n < file.arrays.size(); ++n) {
    const io::ElementType type = file.arrays[n].type;
    const bool is_short = type == io::ElementType::kU16 || type == io::ElementType::kI16;
    if (is_short && file.arrays[n].unreadable.empty()) shorts.emplace_back(n, type);
  }
  return shorts;
}

// True when that changes how an array is read.
bool changeShorts(FileSet& set, bool as_bfloat) {
  if (std::exchange(set.as_bfloat, as_bfloat) == as_bfloat) return false;
  for (const auto& [n, type] : set.shorts) {
    io::ArrayInfo& array = set.file.arrays[n];
    array.type = as_bfloat ? io::ElementType::kBF16 : type;
    array.note = as_bfloat ? tr("stored as {0}, read as bfloat16", {io::typeName(type)}) : "";
  }
  return !set.shorts.empty();
}

std::vector<opened::NamedSource> splitCompanions(std::vector<opened::NamedSource>& sources) {
  const auto first = std::stable_partition(sources.begin(), sources.end(), [](const opened::NamedSource& each) {
    return !model::companionOf(*each.source, each.name);
  });
  std::vector<opened::NamedSource> companions(std::make_move_iterator(first), std::make_move_iterator(sources.end()));
  sources.erase(first, sources.end());
  return companions;
}

std::unique_ptr<FileSet> setOf(opened::Joined joined) {
  auto set = std::make_unique<FileSet>();
  set->label = io::listed(joined.names, kMostNamed);
  set->source = std::move(joined.source);
  set->file = std::move(joined.file);
  set->notes = std::move(joined.notes);
  set->shorts = shortsOf(set->file);
  return set;
}

}  // namespace

Files::Outcome Files::open(Slot slot, std::vector<opened::NamedSource> sources) {
  if (slot == Slot::kMain) hideSample();
  std::vector<opened::NamedSource> companions = slot == Slot::kMain ? splitCompanions(sources) : std::vector<opened::NamedSource>();
  const bool alone = sources.empty();
  opened::Joined joined = opened::openTogether(std::move(sources));
  Outcome outcome{"", std::move(joined.refused)};
  if (!joined.source) {
    if (alone) takeCompanions(std::move(companions), main_.get(), outcome);
    return outcome;
  }
  std::unique_ptr<FileSet> set = setOf(std::move(joined));
  outcome.label = set->label;
  if (!companions.empty()) takeCompanions(std::move(companions), set.get(), outcome);
  if (slot == Slot::kOther) {
    other_ = std::move(set);
    return outcome;
  }
  main_ = std::move(set);
  ++openings_;
  forget();
  return outcome;
}

core::Check Files::showSample(const std::string& name, std::string_view bytes) {
  if (sample_ == name) return {};
  std::vector<opened::NamedSource> sources;
  sources.push_back({name, std::make_unique<io::MemorySource>(std::as_bytes(std::span(bytes.data(), bytes.size())))});
  opened::Joined joined = opened::openTogether(std::move(sources));
  if (!joined.source) return core::Error{std::move(joined.refused.front())};
  if (sample_.empty()) aside_ = std::move(main_);
  main_ = setOf(std::move(joined));
  sample_ = name;
  forget();
  return {};
}

void Files::hideSample() {
  if (sample_.empty()) return;
  sample_.clear();
  main_ = std::move(aside_);
  forget();
}

void Files::takeCompanions(std::vector<opened::NamedSource> sources, FileSet* checkpoint, Outcome& outcome) {
  const bool fits = checkpoint && model::isCheckpoint(checkpoint->file);
  for (const opened::NamedSource& each : sources) {
    const core::Result<io::SourceText> text =
        fits ? io::readText(*each.source, each.name, model::Bpe::kMostFileBytes)
             : core::Error{tr("{0} lies beside a model in the shape of GPT-2, and none is open; open its `model.safetensors` "
                              "together with it.", {io::ticked(each.name)})};
    if (!text) {
      outcome.sentences.push_back(text.error().message);
      continue;
    }
    checkpoint->companions.**model::companionOf(*each.source, each.name) = std::string(text.value().text());
    if (checkpoint != main_.get()) continue;
    outcome.label = main_->label;
    outcome.added = true;
    ++openings_;
  }
}

void Files::forget() {
  wantNothing();
  read_head_ = nullptr;
  scan_.reset();
  data_.reset();
  scanned_ = 0;
  head_facts_.clear();
  array_facts_.assign(main_ ? main_->file.arrays.size() : 0, {});
}

void Files::readShorts(bool as_bfloat) {
  if (other_) changeShorts(*other_, as_bfloat);
  if (main_ && changeShorts(*main_, as_bfloat)) forget();
}

const ArrayFacts* Files::factsOf(std::size_t array) const {
  return array < array_facts_.size() && array_facts_[array].done ? &array_facts_[array] : nullptr;
}

const HeadFacts* Files::headFacts(const std::string& reading, const opened::Place& place) const {
  if (reading != head_reading_) return nullptr;
  const auto found = head_facts_.find({place.layer, place.batch, place.head});
  return found == head_facts_.end() ? nullptr : &found->second;
}

void Files::begin(const std::string& reading) {
  if (head_reading_ == reading) return;
  head_reading_ = reading;
  head_facts_.clear();
  read_head_ = nullptr;
}

void Files::keep(const std::string& reading, const opened::Place& place, HeadFacts facts) {
  begin(reading);
  head_facts_[{place.layer, place.batch, place.head}] = std::move(facts);
}

void Files::wantHeads(std::string reading, std::vector<opened::Place> places, HeadReader read) {
  wantNothing();
  begin(reading);
  std::erase_if(places, [&](const opened::Place& place) { return headFacts(reading, place) != nullptr; });
  std::reverse(places.begin(), places.end());
  wanted_heads_ = std::move(places);
  if (wanted_heads_.empty()) read_head_ = nullptr;
  else if (!read_head_) read_head_ = std::move(read);
}

void Files::wantArrays() {
  wantNothing();
  read_head_ = nullptr;
  wants_arrays_ = true;
}

void Files::wantNothing() {
  wanted_heads_.clear();
  wants_arrays_ = false;
}

bool Files::isWanting() const {
  return !wanted_heads_.empty() || (wants_arrays_ && scanned_ < array_facts_.size());
}

bool Files::step() {
  bool news = false;
  const auto end = std::chrono::steady_clock::now() + kStep;
  while (isWanting() && std::chrono::steady_clock::now() < end) news = (wanted_heads_.empty() ? stepArrays() : stepHeads()) || news;
  return news;
}

bool Files::stepHeads() {
  const opened::Place place = wanted_heads_.back();
  wanted_heads_.pop_back();
  keep(head_reading_, place, read_head_(place));
  if (wanted_heads_.empty()) read_head_ = nullptr;
  return true;
}

// True when an array is through.
bool Files::stepArrays() {
  ArrayFacts& facts = array_facts_[scanned_];
  const io::ArrayInfo& info = main_->file.arrays[scanned_];
  if (!scan_) {
    core::Result<std::unique_ptr<io::ByteSource>> data =
        info.unreadable.empty() ? io::dataOf(*main_->source, main_->file, scanned_, io::ArrayLimits().held)
                                : core::Error{info.unreadable};
    if (data) {
      data_ = data.take();
      core::Result<io::Scan> scan = io::Scan::over(*data_, info);
      if (scan) scan_.emplace(scan.take());
      else facts.failure = scan.error().message;
    } else {
      facts.failure = data.error().message;
    }
  }
  if (scan_ && scan_->step(kElements)) return false;
  if (scan_) {
    facts.summary = scan_->summary();
    if (scan_->failure()) facts.failure = scan_->failure()->message;
  }
  facts.done = true;
  scan_.reset();
  data_.reset();
  ++scanned_;
  return true;
}

}  // namespace attn::survey
