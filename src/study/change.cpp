// See change.h.
#include "study/change.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "core/decoder_change.h"
#include "core/language.h"
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

core::Result<Index> readReplacement(const Loaded& loaded, const std::string& text) {
  const core::Result<Read> read = readText(loaded, text);
  if (!read) return core::Error{tr("What stands there instead: {0}", {read.error().message})};
  if (read.value().tokens.size() == 1) return read.value().tokens.front();
  return core::Error{tr("What stands there instead has more than one {0}; write one.", {loaded.unit()})};
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

std::string controlWords(const Running& running, HeadPlace control) {
  const std::string head = headName(control.layer, control.head);
  if (running.heads() > 1) return tr("As a control, the same is done to {0}, drawn at random among the other heads of its layer.", {head});
  if (running.layers() == 1) return tr("As a control, the same is done to {0}, for the model has no other head.", {head});
  return tr("As a control, the same is done to {0}, drawn at random among the heads of other layers, as its own has no other.", {head});
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
    const core::Result<Index> with = readReplacement(running.loaded, in.text("with"));
    if (!with) return with.error();
    change.with = with.value();
  }
  if (change.kind == Kind::kPatch) {
    core::Result<Read> other = readText(running.loaded, in.text("other"));
    if (!other) return core::Error{tr("The other text: {0}", {other.error().message})};
    change.other = other.take().tokens;
  }
  if (change.kind == Kind::kMean) change.mean = meanOf(running, in.text("mean_of"), change.layer, change.head, waiting);
  return change;
}

std::string wordsOf(const Change& change, const Running& running) {
  const std::string head = headName(change.layer, change.head);
  const auto source = [&] { return running.positionText(change.source); };
  switch (change.kind) {
    case Kind::kZero: return tr("What {0} writes becomes 0", {head});
    case Kind::kMean:
      return change.mean.rows() == 1 ? tr("What {0} writes becomes its mean, the same at every position", {head})
                                     : tr("What {0} writes becomes its mean at each position", {head});
    case Kind::kPatch: return tr("What {0} writes becomes what it writes in the other text, position by position", {head});
    case Kind::kForbid:
      return change.everywhere
                 ? tr("No later position may read {0} in all heads of all layers; the others of each row take its share", {source()})
                 : tr("No later position may read {0} in {1}; the others of each row take its share", {source(), head});
    case Kind::kZeroValue:
      return change.everywhere ? tr("{0} is read as before, and its value is 0 in all heads of all layers", {source()})
                               : tr("{0} is read as before, and its value is 0 in {1}", {source(), head});
    case Kind::kReplace: return tr("{0} becomes “{1}”", {source(), running.label(change.with)});
    default: return tr("Nothing is changed");
  }
}

std::string shortWordsOf(const Change& change, const Running& running) {
  const std::string head = headMark(change.layer, change.head);
  const Index source = change.source;
  switch (change.kind) {
    case Kind::kZero: return tr("with head {0} set to zero", {head});
    case Kind::kMean: return tr("with head {0} set to its mean", {head});
    case Kind::kPatch: return tr("with head {0} as in the other text", {head});
    case Kind::kForbid:
      return change.everywhere ? tr("with position {0} forbidden everywhere", {source})
                               : tr("with position {0} forbidden in head {1}", {source, head});
    case Kind::kZeroValue:
      return change.everywhere ? tr("with the value of position {0} set to zero everywhere", {source})
                               : tr("with the value of position {0} set to zero in head {1}", {source, head});
    case Kind::kReplace: return tr("with “{0}” at position {1}", {running.label(change.with), source});
    default: return tr("with nothing changed");
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
