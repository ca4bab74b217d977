// A text as the model reads it: how well it foresaw each token, what its heads attend to, and what may come next.
#include <cmath>

#include "core/decoder_outcome.h"
#include "core/language.h"
#include "core/number.h"
#include "scene/figures.h"
#include "study/next.h"
#include "study/parts.h"

namespace attn::study {
namespace {

lesson::Strip stripOf(const Running& running) {
  lesson::Strip strip;
  strip.title = tr("The text");
  strip.note = tr("Below each {0}: the probability that the model gave to it before it came.", {running.unit()});
  for (Index t = 0; t < running.length(); ++t) {
    const Index token = running.read.tokens[static_cast<std::size_t>(t)];
    lesson::Strip::Item item{running.label(token), "–", -1, t == running.at};
    if (t > 0) {
      item.weight = core::probabilities(running.run->logits.row(t - 1))(token);
      item.note = core::fixedText(item.weight, 2);
    }
    strip.items.push_back(std::move(item));
  }
  return strip;
}

}  // namespace

lesson::Maps mapsOf(const Running& running, const core::DecoderRun& run, std::string title) {
  lesson::Maps maps;
  maps.title = std::move(title);
  maps.note = tr("Destinations from the top, sources from the left; press one to see it large.");
  maps.rows = maps.columns = running.length();
  maps.line = running.heads();
  maps.keys = {"part", "layer", "head"};
  for (Index layer = 0; layer < running.layers(); ++layer) {
    for (Index head = 0; head < running.heads(); ++head) {
      maps.items.push_back({headName(layer, head), headMark(layer, head), "", scene::shadesOf(weightsOf(run, layer, head).cast<double>()),
                            {"head", std::to_string(layer), std::to_string(head)}});
    }
  }
  return maps;
}

void showText(const Running& running, Outputs& out, Shown& shown) {
  const core::Matrix<float>& logits = running.run->logits;
  const core::RowVector<double> next = core::probabilities(logits.row(running.at));
  const Index most = core::likeliest(logits.row(running.at), 1).front();
  shown.says = tr("After {0} the model expects “{1}” with probability {2}.",
                  {running.positionText(running.at), running.label(most), shareText(next(most))});
  out.text("expected", running.loaded.text(most));
  out.number("probability", next(most));
  shown.add(stripOf(running));
  if (running.length() > 1) {
    const double loss = core::lossOn(logits, running.read.tokens, 0, running.length() - 1).value();
    out.number("loss", loss);
    const double guessing = std::log(static_cast<double>(logits.cols()));
    shown.text(tr("Loss on this text: {0} nats per {1}, the mean of −ln of these probabilities; guessing among all {2} {3} alike would "
                  "cost {4}.", {core::fixedText(loss, 3), running.unit(), logits.cols(), running.units(), core::fixedText(guessing, 3)}));
  }
  shown.add(barsOfNext(running, logits, running.at));
  shown.add(tableOfNext(running, logits, running.at, tr("The same as numbers")), true);
  shown.add(mapsOf(running, *running.run, tr("All heads")));
  shown.note(tr("Each map is what one head of the model computes for this text: weights after the softmax, every row summing to 1. "
                "Model {0} (CRC-32 of its file).", {running.loaded.hash}));
}

}  // namespace attn::study
