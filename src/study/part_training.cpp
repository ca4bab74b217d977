// The same text and the same heads at two stages of training, and the losses on the way.
#include "core/decoder_outcome.h"
#include "core/language.h"
#include "core/number.h"
#include "scene/head_score_words.h"
#include "study/parts.h"

namespace attn::study {
namespace {

std::string stageName(const Checkpoint& checkpoint) {
  if (checkpoint.step == 0) return tr("before any training");
  return tr("after {0} {0|step|steps}", {scene::grouped(static_cast<double>(checkpoint.step))});
}

lesson::Plot curves(const Running& running, std::size_t beside) {
  lesson::Plot plot;
  plot.title = tr("Losses along training");
  plot.note = tr("Nats per character. Held-out text: natural text that was not trained on. Repeats: random segments that stand twice, "
                 "from their second copy on. No positions: a twin of the model, trained alike but without position embeddings.");
  plot.x_label = tr("step");
  plot.y_label = tr("loss");
  const auto add = [&plot](const std::string& label, const std::vector<Measured>& curve, std::optional<double> Measured::*value) {
    lesson::Plot::Series series{label, lesson::Plot::Kind::kLine, {}, {}};
    for (const Measured& each : curve) {
      if (!(each.*value)) continue;
      series.x.push_back(static_cast<double>(each.step));
      series.y.push_back(*(each.*value));
    }
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  };
  const Facts& facts = running.stage->facts;
  add(tr("held-out text"), facts.curve, &Measured::validation);
  add(tr("repeats"), facts.curve, &Measured::repeats);
  add(tr("held-out text, no positions"), facts.without_positions, &Measured::validation);
  add(tr("repeats, no positions"), facts.without_positions, &Measured::repeats);
  for (const std::size_t each : {running.stage->checkpoint, beside})
    plot.marks.push_back({each == running.stage->checkpoint ? tr("chosen") : tr("beside"),
                          static_cast<double>(facts.checkpoints[each].step), true});
  return plot;
}

// Every score of every head, at both stages.
lesson::Table scoresOf(const Running& running, const core::DecoderRun& other, const std::string& now, const std::string& beside) {
  lesson::Table table;
  table.title = tr("What the heads do on this text");
  table.note = tr("First number: {0}. Second: {1}. “Scores of heads” says how each is computed.", {now, beside});
  table.columns = {tr("head")};
  for (const scene::HeadScore& score : scene::kHeadScores) table.columns.push_back(tr(score.name));
  for (Index layer = 0; layer < running.layers(); ++layer) {
    for (Index head = 0; head < running.heads(); ++head) {
      const auto scores = [&](const core::DecoderRun& run) {
        return core::headScores(weightsOf(run, layer, head).cast<double>(), running.read.tokens);
      };
      const core::HeadScores first = scores(*running.run), second = scores(other);
      std::vector<std::string> row = {headMark(layer, head)};
      for (const scene::HeadScore& score : scene::kHeadScores)
        row.push_back(scene::scoreText(first.*score.value) + " / " + scene::scoreText(second.*score.value));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

}  // namespace

core::Check showTraining(const Running& running, const Inputs& in, Outputs& out, Shown& shown) {
  const std::vector<Checkpoint>& stages = running.stage->facts.checkpoints;
  const std::size_t beside = std::min(static_cast<std::size_t>(in.integer("beside")), stages.size() - 1);
  out.limit("beside", static_cast<double>(stages.size() - 1));
  out.hint("beside", tr("The stage shown beside it: {0}.", {stageName(stages[beside])}));
  const Loaded* loaded = running.models.decoder(stages[beside].file);
  if (!loaded) {
    shown.tell(tr("The other stage of training is being fetched."));
    return {};
  }
  const core::Result<core::DecoderRun> other = core::runDecoder(loaded->file.decoder, running.read.tokens);
  if (!other) return other.error();
  const std::string now = stageName(stages[running.stage->checkpoint]), then = stageName(stages[beside]);
  shown.add(mapsOf(running, *running.run, tr("All heads {0}", {now})));
  lesson::Maps maps = mapsOf(running, other.value(), tr("All heads {0}", {then}));
  maps.keys.emplace_back("checkpoint");  // the head that is pressed, not the chosen stage's
  for (lesson::Maps::Item& item : maps.items) item.values.push_back(std::to_string(beside));
  shown.add(std::move(maps), true);
  shown.says = tr("The text has one character: there is nothing to foresee in it, and so no loss.");
  if (running.length() > 1) {
    const auto loss = [&](const core::DecoderRun& run) { return core::lossOn(run.logits, running.read.tokens, 0, running.length() - 1).value(); };
    const double first = loss(*running.run), second = loss(other.value());
    out.number("loss", first);
    out.number("loss_beside", second);
    shown.says = tr("The loss on this text is {0} {1}, and {2} {3}.", {core::fixedText(first, 3), now, core::fixedText(second, 3), then});
  }
  shown.add(scoresOf(running, other.value(), now, then));
  shown.add(curves(running, beside));
  return {};
}

}  // namespace attn::study
