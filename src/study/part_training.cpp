// The same text and the same heads at another stage of training, and the losses on the way.
#include "core/head_scores.h"
#include "core/number.h"
#include "scene/figures.h"
#include "study/parts.h"

namespace attn::study {
namespace {

lesson::Plot curves(const Running& running) {
  lesson::Plot plot;
  plot.title = "Losses along training";
  plot.note = "Nats per character. Held-out text: lines that were not trained on. Repeats: segments that stand twice, from their second copy on.";
  plot.x_label = "step";
  plot.y_label = "loss";
  const auto add = [&plot](const std::string& label, const std::vector<Measured>& curve, std::optional<double> Measured::*value) {
    lesson::Plot::Series series{label, lesson::Plot::Kind::kLine, {}, {}};
    for (const Measured& each : curve) {
      if (!(each.*value)) continue;
      series.x.push_back(static_cast<double>(each.step));
      series.y.push_back(*(each.*value));
    }
    if (!series.x.empty()) plot.series.push_back(std::move(series));
  };
  add("held-out text", running.facts.curve, &Measured::validation);
  add("repeats", running.facts.curve, &Measured::repeats);
  add("held-out text, no positions", running.facts.without_positions, &Measured::validation);
  add("repeats, no positions", running.facts.without_positions, &Measured::repeats);
  const double step = static_cast<double>(running.facts.checkpoints[running.checkpoint].step);
  plot.marks = {{"shown here", step, true}};
  return plot;
}

}  // namespace

void showTraining(Running& running, Outputs&, Shown& shown) {
  const long step = running.facts.checkpoints[running.checkpoint].step;
  shown.says = step == 0 ? "Before any training the weights are random, and so is what the heads attend to."
                         : "After " + scene::grouped(static_cast<double>(step)) + " steps of training.";
  shown.add(mapsOf(running));
  shown.add(curves(running));
}

}  // namespace attn::study
