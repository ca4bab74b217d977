// Three tasks: find a head, show what another one needs of it, and find a bright square that does not matter. Their answers
// are computed, and hidden until they are asked for.
#include <algorithm>
#include <cmath>

#include "core/decoder_outcome.h"
#include "core/head_scores.h"
#include "core/language.h"
#include "core/number.h"
#include "core/statistics.h"
#include "study/change.h"
#include "study/inputs.h"
#include "study/parts.h"

namespace attn::study {
namespace {

constexpr Index kSegments = 32;
constexpr std::uint64_t kSeed = 1;

struct Place {
  Index layer = 0, head = 0;
  double value = -1;
};

class Tasks {
 public:
  Tasks(const Running& running, Outputs& out, Shown& shown) : running_(running), out_(out), shown_(shown) {}

  core::Check show(const Progress& progress) {
    const std::size_t runs = running_.loaded.runs() / static_cast<std::size_t>(running_.heads() + 2);  // of each segment
    texts_ = repeats(running_.loaded, std::clamp(static_cast<Index>(runs), Index(1), kSegments), kSeed);
    if (core::Check failed = measureHeads(progress)) return failed;
    if (core::Check failed = switchOff(progress)) return failed;
    shown_.says = tr("Three tasks; each says where to look, and keeps its answer until you ask.");
    findHead();
    needOfIt();
    return brightSquare(progress);
  }

 private:
  // The heads that read most of the token before, and of what followed the same token before.
  core::Check measureHeads(const Progress& progress) {
    const auto count = static_cast<std::size_t>(running_.layers() * running_.heads());
    std::vector<core::Running> before(count), after(count);
    for (const std::vector<Index>& tokens : texts_.tokens) {
      if (!progress(0)) return core::Error{"stopped"};
      const core::Result<core::DecoderRun> run = core::runDecoder(running_.decoder(), tokens);
      if (!run) return run.error();
      for (std::size_t n = 0; n < count; ++n) {
        const Index heads = running_.heads(), layer = static_cast<Index>(n) / heads, head = static_cast<Index>(n) % heads;
        const core::HeadScores scores = core::headScores(weightsOf(run.value(), layer, head).cast<double>(), tokens);
        if (!std::isnan(scores.previous)) before[n].add(scores.previous);
        if (!std::isnan(scores.repeat)) after[n].add(scores.repeat);
      }
    }
    previous_ = most(before);
    induction_ = most(after);
    return {};
  }

  Place most(const std::vector<core::Running>& means) const {
    Place place;
    for (std::size_t n = 0; n < means.size(); ++n) {
      if (means[n].mean() <= place.value) continue;
      place = {static_cast<Index>(n) / running_.heads(), static_cast<Index>(n) % running_.heads(), means[n].mean()};
    }
    return place;
  }

  // Loss on the second copies, and how much the induction head finds: as it is, and with every head of the first layer off.
  core::Check switchOff(const Progress& progress) {
    losses_.assign(static_cast<std::size_t>(running_.heads()), {});
    for (std::size_t n = 0; n < texts_.tokens.size(); ++n) {
      if (!progress(static_cast<double>(n) / static_cast<double>(texts_.tokens.size()))) return core::Error{"stopped"};
      const std::vector<Index>& tokens = texts_.tokens[n];
      const core::Result<core::DecoderRun> plain = core::runDecoder(running_.decoder(), tokens);
      if (!plain) return plain.error();
      whole_.add(lossOf(texts_, plain.value(), tokens));
      found_.add(found(plain.value(), tokens));
      for (Index head = 0; head < running_.heads(); ++head) {
        const core::Result<core::DecoderRun> run =
            runChanged(zeroed({previous_.layer, head}), running_.decoder(), tokens, plain.value());
        if (!run) return run.error();
        losses_[static_cast<std::size_t>(head)].add(lossOf(texts_, run.value(), tokens));
        if (head == previous_.head) found_without_.add(found(run.value(), tokens));
      }
    }
    return {};
  }

  double found(const core::DecoderRun& run, const std::vector<Index>& tokens) const {
    return core::headScores(weightsOf(run, induction_.layer, induction_.head).cast<double>(), tokens).repeat;
  }

  void findHead() {
    shown_.heading(tr("1. Find the head that reads the {0} before", {running_.unit()}));
    shown_.text(tr("Look at the scores of all heads on random segments: which gives most of its weight to the {0} before?",
                   {running_.unit()}));
    shown_.add(lesson::Jump{tr("Look at the scores"), "", {"part", "inputs"}, {"scores", "repeats"}});
    out_.number("previous", previous_.value);
    out_.text("previous_head", headMark(previous_.layer, previous_.head));
    shown_.add(lesson::Question{tr("Which head is it, and how much of its weight goes there?"),
                                tr("{0}: {1} on {2}.", {headName(previous_.layer, previous_.head), core::fixedText(previous_.value, 3),
                                                        texts_.name})});
  }

  void needOfIt() {
    const std::string head = headName(previous_.layer, previous_.head), induction = headName(induction_.layer, induction_.head);
    shown_.heading(tr("2. Show that the induction head needs it"));
    shown_.text(tr("An induction head finds, at a {0} that came before, what followed it then. On random segments that stand twice "
                   "nothing else helps to foresee the second copy. Measure the scores with the head off that you have found, and see "
                   "what becomes of the loss and of what the others find; another head of its layer is switched off beside it as a "
                   "control.", {running_.unit()}));
    shown_.add(lesson::Jump{tr("Measure with a head off"), "", {"part", "inputs", "off", "seed"}, {"scores", "repeats", "1", std::to_string(kSeed)}});
    out_.number("repeat", found_.mean());
    out_.number("repeat_without", found_without_.mean());
    out_.number("loss", whole_.mean());
    std::string others;
    for (Index h = 0; h < running_.heads(); ++h) {
      const double loss = losses_[static_cast<std::size_t>(h)].mean();
      if (h == previous_.head) out_.number("loss_without", loss);
      else others += (others.empty() ? "" : ", ") + headMark(previous_.layer, h) + ": " + core::fixedText(loss, 2);
    }
    const double without = losses_[static_cast<std::size_t>(previous_.head)].mean();
    shown_.add(lesson::Question{
        tr("What does the loss on the second copies become, and what does the induction head still find?"),
        tr("Over {0}, the loss on the second copies is {1} nats; without {2} it is {3}. Without another head of its layer instead: {4}. "
           "Of all heads {5} gives most weight to what followed the same {6}: {7} as it is, {8} without {2}.",
           {texts_.name, core::fixedText(whole_.mean(), 2), head, core::fixedText(without, 2), others, induction, running_.unit(),
            core::fixedText(found_.mean(), 3), core::fixedText(found_without_.mean(), 3)})});
  }

  // Of all weights of at least one half in the row of the chosen position: the one whose source matters least.
  core::Check brightSquare(const Progress& progress) {
    constexpr double kBright = 0.5;
    shown_.heading(tr("3. Find a bright square that does not matter"));
    shown_.text(tr("In the map of a head on the text, take a source that {0} gives at least half of its weight, set the value of that "
                   "source to 0 in this head alone, and see whether the model still expects the same {1}.",
                   {running_.positionText(running_.at), running_.unit()}));
    const Index token = core::likeliest(running_.run->logits.row(running_.at), 1).front();
    const auto before = static_cast<double>(running_.run->logits(running_.at, token));
    Place least;
    Index source = 0;
    double change = INFINITY, weight = 0;
    std::size_t runs = 0;
    for (Index layer = 0; layer < running_.layers(); ++layer) {
      for (Index head = 0; head < running_.heads(); ++head) {
        Index j = 0;
        const auto most = static_cast<double>(running_.weights(layer, head).row(running_.at).maxCoeff(&j));
        if (most < kBright || runs++ >= running_.loaded.runs()) continue;
        if (!progress(1)) return core::Error{"stopped"};
        Change empty;
        empty.kind = Change::Kind::kZeroValue;
        empty.layer = layer, empty.head = head, empty.source = j;
        const core::Result<core::DecoderRun> run = runChanged(empty, running_.decoder(), running_.read.tokens, *running_.run);
        if (!run) return run.error();
        const double by = static_cast<double>(run.value().logits(running_.at, token)) - before;
        if (std::abs(by) < std::abs(change)) least = {layer, head, most}, source = j, change = by, weight = most;
      }
    }
    if (least.value < 0) {
      shown_.note(tr("At this position no head gives half of its weight to one source; choose another position."));
      return {};
    }
    out_.number("bright", weight);
    out_.number("bright_change", change);
    shown_.add(lesson::Jump{tr("Look at all heads"), "", {"part"}, {"text"}});
    shown_.add(lesson::Jump{tr("Set a value to 0 and measure"), "", {"part", "act", "outcome"}, {"change", "zero-value", "logit"}});
    shown_.add(lesson::Question{
        tr("Which bright square matters least here?"),
        tr("In {0}, {1} with weight {2}: without its value the logit of “{3}”, {4}, changes by {5}.",
           {headName(least.layer, least.head), running_.positionText(source), core::fixedText(weight, 3), running_.label(token),
            core::fixedText(before, 2), core::fixedText(change, 4)})});
    return {};
  }

  const Running& running_;
  Outputs& out_;
  Shown& shown_;
  Texts texts_;
  Place previous_, induction_;
  core::Running whole_, found_, found_without_;
  std::vector<core::Running> losses_;  // with each head of the previous-token head's layer off
};

}  // namespace

core::Check showTasks(const Running& running, Outputs& out, Shown& shown, const Progress& progress) {
  return Tasks(running, out, shown).show(progress);
}

}  // namespace attn::study
