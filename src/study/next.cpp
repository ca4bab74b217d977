// See next.h.
#include "study/next.h"

#include "core/decoder_outcome.h"
#include "core/language.h"
#include "core/number.h"
#include "scene/figures.h"

namespace attn::study {
namespace {

constexpr Index kShown = 10;

}  // namespace

lesson::Plot barsOfNext(const Running& running, const core::Matrix<float>& logits, Index row) {
  const core::RowVector<double> probabilities = core::probabilities(logits.row(row));
  std::vector<std::string> names;
  std::vector<double> values;
  for (const Index token : core::likeliest(logits.row(row), kShown)) {
    names.push_back(running.label(token));
    values.push_back(probabilities(token));
  }
  lesson::Plot plot = scene::namedBars(tr("What may come next"), running.unit(), tr("probability"), std::move(names), std::move(values));
  plot.note = tr("The ten likeliest {0} after {1}.", {running.units(), running.positionText(row)});
  return plot;
}

lesson::Table tableOfNext(const Running& running, const core::Matrix<float>& logits, Index row, std::string title) {
  const core::RowVector<double> probabilities = core::probabilities(logits.row(row));
  lesson::Table table;
  table.title = std::move(title);
  table.note = tr("Probabilities are the softmax of the logits over all {0} {1}.", {logits.cols(), running.units()});
  table.columns = {running.unit(), tr("logit"), tr("probability")};
  const bool follows = row + 1 < running.length();
  for (const Index token : core::likeliest(logits.row(row), kShown)) {
    if (follows && token == running.read.tokens[static_cast<std::size_t>(row + 1)])
      table.marked.push_back(static_cast<Index>(table.rows.size()));
    table.rows.push_back({running.label(token), core::fixedText(static_cast<double>(logits(row, token)), 3), shareText(probabilities(token))});
  }
  return table;
}

core::Result<Index> tokenAskedAbout(const Running& running, const scene::Inputs& in) {
  const std::string& about = in.text("about");
  if (about.empty()) return core::likeliest(running.run->logits.row(running.at), 1).front();
  const core::Result<Read> read = readText(running.loaded, about);
  if (!read) return core::Error{tr("What is asked about: {0}", {read.error().message})};
  if (read.value().tokens.size() != 1) return core::Error{tr("Ask about one {0}; there is more than one.", {running.unit()})};
  return read.value().tokens.front();
}

std::string shareText(double probability) {
  constexpr double kLeast = 0.0005;
  return probability < kLeast && probability > 0 ? "<0.001" : core::fixedText(probability, 3);
}

}  // namespace attn::study
