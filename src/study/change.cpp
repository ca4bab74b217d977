// See change.h.
#include "study/change.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/decoder_change.h"
#include "core/rng.h"
#include "study/inputs.h"

namespace attn::study {
namespace {

using core::Intervention;
using core::LayerIntervention;
using Kind = Change::Kind;

constexpr std::array<std::pair<std::string_view, Kind>, 7> kKinds = {{
    {"none", Kind::kNone}, {"zero", Kind::kZero}, {"mean", Kind::kMean}, {"patch", Kind::kPatch},
    {"forbid", Kind::kForbid}, {"zero-value", Kind::kZeroValue}, {"replace", Kind::kReplace},
}};

core::Result<Index> oneToken(const Loaded& loaded, const std::string& text, const char* what) {
  const core::Result<Read> read = readText(loaded, text);
  if (!read) return core::Error{std::string(what) + ": " + read.error().message};
  if (read.value().tokens.size() != 1) return core::Error{std::string(what) + " has more than one " + loaded.unit() + "; write one."};
  return read.value().tokens.front();
}

void append(std::vector<LayerIntervention>& to, std::vector<LayerIntervention> more) {
  std::move(more.begin(), more.end(), std::back_inserter(to));
}

// What the change does in the layers that it names, without what is frozen.
std::vector<Intervention> actsOf(const Change& change, Index T, Index d, const core::DecoderRun* other) {
  const std::optional<Index> head = change.everywhere ? std::nullopt : std::optional(change.head);
  switch (change.kind) {
    case Kind::kZero: return {core::zeroOutput(change.head)};
    case Kind::kMean:
      if (change.mean.rows() == 1) return {core::setOutput(change.head, {}, change.mean.row(0))};
      return core::setOutputs(change.head, change.mean.topRows(std::min(T, change.mean.rows())));
    case Kind::kPatch: {
      const auto& block = other->blocks[static_cast<std::size_t>(change.layer)];
      const core::Matrix<float>& z = block.attention.heads[static_cast<std::size_t>(change.head)].z;
      return core::setOutputs(change.head, z.topRows(std::min(T, z.rows())).cast<double>());
    }
    case Kind::kForbid: {
      std::vector<Intervention> acts;
      for (Index t = change.source + 1; t < T; ++t) acts.push_back(core::forbidSource(head, change.source, t));
      return acts;
    }
    case Kind::kZeroValue:
      if (change.source >= T) return {};
      return {core::zeroValue(head, change.source, d)};
    default: return {};
  }
}

}  // namespace

Change zeroed(HeadPlace head) {
  Change change;
  change.kind = Kind::kZero;
  change.layer = head.layer, change.head = head.head;
  return change;
}

HeadPlace controlHead(const Running& running, HeadPlace head, std::uint64_t seed) {
  core::Rng random(seed);
  const auto another = [&random](Index own, Index count) { return count > 1 ? (own + 1 + random.below(count - 1)) % count : own; };
  if (running.heads() > 1) head.head = another(head.head, running.heads());
  else head.layer = another(head.layer, running.layers());
  return head;
}

std::string controlWords(const Running& running) {
  if (running.heads() > 1) return "drawn at random among the other heads of its layer";
  return running.layers() > 1 ? "drawn at random among the heads of other layers, as its own has no other" : "for the model has no other head";
}

core::Matrix<double> meanOf(const Running& running, const std::string& over, Index layer, Index head, bool& waiting) {
  const auto l = static_cast<std::size_t>(layer), h = static_cast<std::size_t>(head);
  if (over == "text") return running.run->blocks[l].attention.heads[h].z.cast<double>().colwise().mean();
  const auto* means = running.models.lineMeans(running.loaded, running.progress);
  if (!means) return waiting = true, core::Matrix<double>();
  const HeadMeans& of_head = (*means)[l][h];
  return over == "lines" ? core::Matrix<double>(of_head.pooled) : of_head.by_position;
}

void hideUnusedControls(const Running& running, const scene::Inputs& in, scene::Outputs& out) {
  const std::string& act = in.text("act");
  const bool of_source = act == "forbid" || act == "zero-value", of_head = act == "zero" || act == "mean" || act == "patch";
  const bool of_one_head = of_head || (of_source && !in.on("everywhere"));
  const std::pair<const char*, bool> uses[] = {
      {"layer", of_one_head}, {"head", of_one_head}, {"everywhere", of_source}, {"source", of_source || act == "replace"},
      {"with", act == "replace"}, {"other", act == "patch"}, {"mean_of", act == "mean"},
      {"frozen", act != "none" && !(act == "forbid" && in.on("everywhere"))}, {"outcome", act != "none"}};
  for (const auto& [key, used] : uses)
    if (!used) out.hide(key);
  out.limit("source", static_cast<double>(running.length() - 1));
}

core::Result<Change> readChange(const Running& running, const scene::Inputs& in, bool& waiting) {
  Change change;
  for (const auto& [id, kind] : kKinds)
    if (id == in.text("act")) change.kind = kind;
  change.layer = std::min(in.integer("layer"), running.layers() - 1);
  change.head = std::min(in.integer("head"), running.heads() - 1);
  change.everywhere = in.on("everywhere");
  change.frozen = in.on("frozen");
  change.source = std::min(in.integer("source"), running.length() - 1);
  if (change.kind == Kind::kReplace) {
    const core::Result<Index> with = oneToken(running.loaded, in.text("with"), "What stands there instead");
    if (!with) return with.error();
    change.with = with.value();
  }
  if (change.kind == Kind::kPatch) {
    core::Result<Read> other = readText(running.loaded, in.text("other"));
    if (!other) return core::Error{"The other text: " + other.error().message};
    change.other = other.take().tokens;
  }
  if (change.kind == Kind::kMean) change.mean = meanOf(running, in.text("mean_of"), change.layer, change.head, waiting);
  return change;
}

std::string wordsOf(const Change& change, const Running& running) {
  const std::string head = headName(change.layer, change.head);
  const auto source = [&] { return running.positionText(change.source); };
  const std::string where = change.everywhere ? "in all heads of all layers" : "in " + head;
  switch (change.kind) {
    case Kind::kZero: return "What " + head + " writes becomes 0";
    case Kind::kMean:
      return "What " + head + " writes becomes its mean" + (change.mean.rows() == 1 ? ", the same at every position" : " at each position");
    case Kind::kPatch: return "What " + head + " writes becomes what it writes in the other text, position by position";
    case Kind::kForbid: return "No later position may read " + source() + " " + where + "; the others of each row take its share";
    case Kind::kZeroValue: return source() + " is read as before, and its value is 0 " + where;
    case Kind::kReplace: return source() + " becomes " + running.quoted(change.with);
    default: return "Nothing is changed";
  }
}

std::string shortWordsOf(const Change& change, const Running& running) {
  const std::string head = headMark(change.layer, change.head), source = std::to_string(change.source);
  const std::string where = change.everywhere ? "everywhere" : "in head " + head;
  switch (change.kind) {
    case Kind::kZero: return "with head " + head + " set to zero";
    case Kind::kMean: return "with head " + head + " set to its mean";
    case Kind::kPatch: return "with head " + head + " as in the other text";
    case Kind::kForbid: return "with position " + source + " forbidden " + where;
    case Kind::kZeroValue: return "with the value of position " + source + " set to zero " + where;
    case Kind::kReplace: return "with " + running.quoted(change.with) + " at position " + source;
    default: return "with nothing changed";
  }
}

std::vector<Index> changedTokens(const Change& change, std::vector<Index> tokens) {
  if (change.kind == Kind::kReplace && change.source < static_cast<Index>(tokens.size()))
    tokens[static_cast<std::size_t>(change.source)] = change.with;
  return tokens;
}

core::Result<core::DecoderRun> runChanged(const Change& change, const core::Decoder& decoder, std::span<const Index> tokens,
                                          const core::DecoderRun& plain) {
  const auto T = static_cast<Index>(tokens.size()), layers = static_cast<Index>(decoder.blocks.size());
  std::optional<core::DecoderRun> other;
  if (change.kind == Kind::kPatch) {
    core::Result<core::DecoderRun> run = core::runDecoder(decoder, change.other);
    if (!run) return run.error();
    other = run.take();
  }
  const Index d = decoder.width() / decoder.blocks.front().heads;
  const std::vector<Intervention> acts = actsOf(change, T, d, other ? &*other : nullptr);
  const Index first = change.everywhere || change.kind == Kind::kReplace ? 0 : change.layer;
  const Index end = change.everywhere ? layers : change.layer + 1;
  std::vector<LayerIntervention> all;
  if (change.frozen) {
    const bool from_there = change.kind == Kind::kZeroValue || change.kind == Kind::kReplace;
    append(all, core::frozenPatterns(plain, from_there ? first : first + 1));
  }
  append(all, core::inLayers(first, end, acts));
  const std::vector<Index> changed = changedTokens(change, {tokens.begin(), tokens.end()});
  return core::runDecoder(decoder, changed, all);
}

}  // namespace attn::study
