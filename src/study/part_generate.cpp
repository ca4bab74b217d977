// The model goes on writing, one token at a time, with the keys and values of those before kept.
#include <algorithm>
#include <cmath>

#include "core/decoder_cache.h"
#include "core/decoder_outcome.h"
#include "core/language.h"
#include "core/number.h"
#include "core/rng.h"
#include "core/sample.h"
#include "scene/figures.h"
#include "scene/shown.h"
#include "study/next.h"
#include "study/parts.h"

namespace attn::study {
namespace {

constexpr Index kMostWritten = 63;  // as the control has it

class Writer {
 public:
  Writer(const Running& running, const Inputs& in, Outputs& out, Shown& shown)
      : running_(running), out_(out), shown_(shown), cache_(running.decoder()), random_(in.seed("seed")), tokens_(running.read.tokens),
        wanted_(in.integer("made")) {
    sampling_.temperature = in.number("temperature");
    if (const Index k = in.integer("top_k"); k > 0) sampling_.top_k = k;
  }

  core::Check show(const Progress& progress) {
    const Index room = running_.decoder().context() - running_.length(), more = std::min(wanted_, room);
    for (Index n = 0; n < running_.length() + more; ++n) {
      if (!progress(static_cast<double>(n) / static_cast<double>(running_.length() + more))) return core::Error{"stopped"};
      const bool given = n < running_.length();
      if (core::Check failed = given ? read(running_.read.tokens[static_cast<std::size_t>(n)]) : write()) return failed;
    }
    out_.limit("made", static_cast<double>(std::min<Index>(room, kMostWritten)));
    if (core::Check failed = askNext()) return failed;
    say(room);
    addText();
    addLastRow();
    shown_.add(bars());
    return addCheck();
  }

 private:
  core::Check read(Index token) {
    core::Result<core::DecoderRun> step = cache_.next(token);
    if (!step) return step.error();
    step_ = step.take();
    return {};
  }

  core::Check askNext() {
    core::Result<core::RowVector<double>> next = core::samplingDistribution(step_.logits.row(0), sampling_);
    if (!next) return next.error();
    next_ = next.take();
    return {};
  }

  core::Check write() {
    if (core::Check failed = askNext()) return failed;
    const Index token = core::drawn(next_, random_.uniform());
    chances_.push_back(next_(token));
    tokens_.push_back(token);
    return read(token);
  }

  void say(Index room) {
    std::string written;
    for (std::size_t t = running_.read.tokens.size(); t < tokens_.size(); ++t)
      written += running_.loaded.text(tokens_[t]);
    out_.text("written", written);
    shown_.says = chances_.empty() ? tr("Nothing has been written yet.") : tr("It went on: “{0}”.", {written});
    if (wanted_ <= room) return;
    shown_.note(tr("The model has {0} {0|place|places}, and all are taken; begin with a shorter text to let it write more.",
                   {running_.decoder().context()}));
  }

  void addText() {
    lesson::Strip strip;
    strip.title = tr("The text, and what the model wrote");
    strip.note = tr("Below each {0} that it wrote: the chance that it was drawn with.", {running_.unit()});
    const std::size_t given = running_.read.tokens.size();
    for (std::size_t t = 0; t < tokens_.size(); ++t) {
      lesson::Strip::Item item{running_.label(tokens_[t]), "", -1, t >= given};
      if (t >= given) item.weight = chances_[t - given], item.note = core::fixedText(item.weight, 2);
      strip.items.push_back(std::move(item));
    }
    shown_.add(std::move(strip));
  }

  // One row of weights for each head: all that the newest position needs.
  void addLastRow() {
    const Index count = cache_.length();
    lesson::Grid grid;
    grid.title = tr("One query row against {0} {0|key|keys}", {scene::grouped(static_cast<double>(count))});
    grid.note = tr("Each row is a head: the weights of the newest position over all keys that are kept. Keys and values of earlier "
                   "positions are not computed again; they take {0} bytes.", {scene::grouped(static_cast<double>(cache_.bytes()))});
    grid.scale = lesson::GridScale::kWeights;
    grid.rows = running_.layers() * running_.heads();
    grid.columns = count;
    for (Index layer = 0; layer < running_.layers(); ++layer) {
      for (Index head = 0; head < running_.heads(); ++head) {
        grid.row_labels.push_back(headMark(layer, head));
        const core::Matrix<float>& weights = weightsOf(step_, layer, head);
        for (Index j = 0; j < count; ++j) grid.values.push_back(static_cast<double>(weights(0, j)));
      }
    }
    for (const Index token : tokens_) grid.column_labels.push_back(running_.label(token));
    shown_.add(std::move(grid));
  }

  lesson::Plot bars() const {
    constexpr Index kShown = 10;
    std::vector<std::string> names;
    std::vector<double> chances;
    for (const Index token : core::likeliest(step_.logits.row(0), kShown)) {
      if (next_(token) <= 0) break;  // behind the k likeliest
      names.push_back(running_.label(token));
      chances.push_back(next_(token));
    }
    lesson::Plot plot = scene::namedBars(tr("What the next {0} is drawn from", {running_.unit()}), running_.unit(), tr("chance"),
                                         std::move(names), std::move(chances));
    plot.note = tr("softmax(logits / temperature) over the k likeliest; the ten largest chances.");
    return plot;
  }

  // The same position computed with nothing kept.
  core::Check addCheck() {
    const core::Result<core::DecoderRun> whole = core::runDecoder(running_.decoder(), tokens_);
    if (!whole) return whole.error();
    const bool same = whole.value().logits.bottomRows(1) == step_.logits;
    out_.flag("same", same);
    shown_.add(lesson::Claim{tr("Computed without keeping anything, the logits of this position are the same to the last bit."), same,
                             false});
    return {};
  }

  const Running& running_;
  Outputs& out_;
  Shown& shown_;
  core::DecoderCache cache_;
  core::Rng random_;
  core::Sampling sampling_;
  std::vector<Index> tokens_;
  Index wanted_;
  std::vector<double> chances_;
  core::DecoderRun step_;
  core::RowVector<double> next_;
};

}  // namespace

core::Check showGenerated(const Running& running, const Inputs& in, Outputs& out, Shown& shown, const Progress& progress) {
  return Writer(running, in, out, shown).show(progress);
}

}  // namespace attn::study
