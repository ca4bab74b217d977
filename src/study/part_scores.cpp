// What the heads do on average over many texts, and where each does it most.
#include <algorithm>
#include <cmath>
#include <optional>

#include "core/language.h"
#include "core/number.h"
#include "core/statistics.h"
#include "scene/head_score_words.h"
#include "study/inputs.h"
#include "study/parts.h"
#include "study/switched_off.h"

namespace attn::study {
namespace {

using scene::HeadScore;
using scene::kHeadScores;

// Of one score of one head: over all texts, and the text in which it is largest.
struct Scored {
  core::Running over;
  std::size_t best = 0;
  double most = -1;
};

class ScoresPage {
 public:
  ScoresPage(const Running& running, const Inputs& in, Outputs& out, Shown& shown)
      : running_(running), in_(in), out_(out), shown_(shown),
        scored_(static_cast<std::size_t>(running.layers() * running.heads()) * kHeadScores.size()) {
    if (in.on("off")) off_.emplace(running, HeadPlace{chosenLayer(), chosenHead()}, in.seed("seed"));
  }

  core::Check show(const Progress& progress) {
    bool waiting = false;
    core::Result<Texts> texts = textsFor(running_, in_, off_ ? 3 : 1, waiting);
    if (waiting || !texts) return shown_.tell(texts ? tr(kFetchingLines) : texts.error().message), core::Check{};
    texts_ = texts.take();
    if (core::Check failed = measure(progress)) return failed;
    say();
    if (off_) off_->show(texts_, out_, shown_);
    std::string text = tr("Every score is a mean over the rows of a head in one text, then over {0}.", {texts_.name});
    if (texts_.tokens.size() > 1) text += " " + tr("Behind ± stands the standard deviation from text to text.");
    shown_.text(std::move(text));
    if (!texts_.note.empty()) shown_.note(texts_.note);
    shown_.add(table());
    if (!off_) addExamples();
    shown_.heading(tr("What the numbers mean"));
    shown_.text(tr("All lie between 0 and 1. w(i, j) is the weight that position i gives to position j."));
    shown_.add(definitions());
    return {};
  }

 private:
  Scored& at(Index layer, Index head, std::size_t score) {
    return scored_[static_cast<std::size_t>(layer * running_.heads() + head) * kHeadScores.size() + score];
  }

  core::Check measure(const Progress& progress) {
    for (std::size_t n = 0; n < texts_.tokens.size(); ++n) {
      if (!progress(static_cast<double>(n) / static_cast<double>(texts_.tokens.size()))) return core::Error{"stopped"};
      core::Result<core::DecoderRun> run = core::runDecoder(running_.decoder(), texts_.tokens[n]);
      if (run && off_) run = off_->add(texts_, texts_.tokens[n], run.value());
      if (!run) return run.error();
      for (Index layer = 0; layer < running_.layers(); ++layer)
        for (Index head = 0; head < running_.heads(); ++head) add(run.value(), n, layer, head);
    }
    return {};
  }

  void add(const core::DecoderRun& run, std::size_t text, Index layer, Index head) {
    const core::HeadScores scores = core::headScores(weightsOf(run, layer, head).cast<double>(), texts_.tokens[text]);
    for (std::size_t s = 0; s < kHeadScores.size(); ++s) {
      const double value = scores.*kHeadScores[s].value;
      if (std::isnan(value)) continue;
      Scored& one = at(layer, head, s);
      one.over.add(value);
      if (value > one.most) one.most = value, one.best = text;
    }
  }

  // The head with the highest mean.
  void say() {
    for (std::size_t s = 0; s < kHeadScores.size(); ++s) {
      core::Matrix<double> means(running_.layers(), running_.heads());
      for (Index layer = 0; layer < running_.layers(); ++layer)
        for (Index head = 0; head < running_.heads(); ++head) {
          const core::Running& over = at(layer, head, s).over;
          means(layer, head) = over.count() > 0 ? over.mean() : std::nan("");
        }
      out_.matrix(std::string(kHeadScores[s].id), means);
      if (kHeadScores[s].id != "previous" && kHeadScores[s].id != "repeat") continue;
      Index layer = 0, head = 0;
      const double most = means.array().isNaN().all() ? std::nan("") : means.maxCoeff<Eigen::PropagateNumbers>(&layer, &head);
      if (std::isnan(most)) continue;
      const std::string score = tr(kHeadScores[s].name), name = headName(layer, head), mean = core::fixedText(most, 3);
      shown_.says += shown_.says.empty() ? tr("Most on “{0}”: {1} ({2})", {score, name, mean})
                                         : "; " + tr("on “{0}”: {1} ({2})", {score, name, mean});
    }
    if (!shown_.says.empty()) shown_.says += ".";
  }

  lesson::Table table() {
    lesson::Table table;
    table.title = off_ ? tr("Scores of all heads on {0}, with {1} off", {texts_.name, headMark(chosenLayer(), chosenHead())})
                       : tr("Scores of all heads on {0}", {texts_.name});
    table.columns = {tr("head")};
    for (const HeadScore& score : kHeadScores) table.columns.push_back(tr(score.name));
    for (Index layer = 0; layer < running_.layers(); ++layer) {
      for (Index head = 0; head < running_.heads(); ++head) {
        std::vector<std::string> row = {headMark(layer, head)};
        for (std::size_t s = 0; s < kHeadScores.size(); ++s) row.push_back(text(at(layer, head, s).over));
        table.rows.push_back(std::move(row));
      }
    }
    table.marked = {chosenLayer() * running_.heads() + chosenHead()};
    return table;
  }

  static std::string text(const core::Running& over) {
    if (over.count() == 0) return "–";
    std::string text = core::fixedText(over.mean(), 3);
    if (over.count() > 1) text += " ± " + core::fixedText(over.sampleDeviation(), 3);
    return text;
  }

  Index chosenLayer() const { return std::min(in_.integer("layer"), running_.layers() - 1); }
  Index chosenHead() const { return std::min(in_.integer("head"), running_.heads() - 1); }

  // Texts in which the chosen head does something most, each a button that shows it there.
  void addExamples() {
    const Index layer = chosenLayer(), head = chosenHead();
    shown_.heading(tr("Examples of {0}", {headName(layer, head)}));
    shown_.text(tr("For each score the text in which this head has most of it; press one to see the head read it."));
    for (std::size_t s = 0; s < kHeadScores.size(); ++s) {
      const Scored& one = at(layer, head, s);
      if (one.most < 0) continue;
      const std::string text = textOf(running_.loaded, texts_.tokens[one.best]);
      shown_.add(lesson::Jump{tr("Most on “{0}” ({1}): {2}", {tr(kHeadScores[s].name), core::fixedText(one.most, 3), text}), "",
                              {"part", "text", "at"}, {"head", text, std::to_string(texts_.tokens[one.best].size() - 1)}});
    }
  }

  static lesson::Table definitions() {
    lesson::Table table;
    table.columns = {tr("score"), tr("what it says"), tr("how it is computed")};
    for (const HeadScore& score : kHeadScores)
      table.rows.push_back({tr(score.name), tr(score.words), tr(score.formula)});
    return table;
  }

  const Running& running_;
  const Inputs& in_;
  Outputs& out_;
  Shown& shown_;
  Texts texts_;
  std::vector<Scored> scored_;
  std::optional<SwitchedOff> off_;
};

}  // namespace

core::Check showScores(const Running& running, const Inputs& in, Outputs& out, Shown& shown, const Progress& progress) {
  return ScoresPage(running, in, out, shown).show(progress);
}

}  // namespace attn::study
