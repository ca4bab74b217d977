// A head switched off on many texts: what that does to the loss of each, beside another head as a control.
#include <algorithm>
#include <numeric>

#include "core/language.h"
#include "core/number.h"
#include "core/statistics.h"
#include "scene/shown.h"
#include "study/change.h"
#include "study/inputs.h"
#include "study/parts.h"

namespace attn::study {
namespace {

struct Line {
  double before = 0, after = 0, control = 0;
  double change() const { return after - before; }
};

class LinesPage {
 public:
  LinesPage(const Running& running, const Inputs& in, Outputs& out, Shown& shown)
      : running_(running), in_(in), out_(out), shown_(shown) {}

  core::Check show(const Progress& progress) {
    hideUnusedControls(running_, in_, out_);
    bool waiting = false;
    constexpr std::size_t kRuns = 3;  // as it is, changed, and with the control head changed
    core::Result<Texts> texts = textsFor(running_, in_, kRuns, waiting);
    if (!texts) return tell(texts.error().message);
    core::Result<Change> change = waiting ? core::Result<Change>(Change{}) : readChange(running_, in_, waiting);
    if (!change) return tell(change.error().message);
    if (waiting) return tell(tr(kFetchingLines));
    if (!change.value().ofHead()) {
      shown_.add(lesson::Jump{tr("Switch {0} off", {headName(change.value().layer, change.value().head)}), "", {"act"}, {"zero"}});
      return tell(tr("Here a head is changed on many texts at once; choose a change of what a head writes."));
    }
    texts_ = texts.take();
    change_ = change.take();
    chooseControl();
    if (core::Check failed = measure(progress)) return failed;
    shown_.text(tr("{0}, on {1}.", {wordsOf(change_, running_), texts_.name}) + " " +
                controlWords(running_, {control_.layer, control_.head}));
    if (!texts_.note.empty()) shown_.note(texts_.note);
    if (texts_.twice) shown_.note(tr("The loss is that on the second copies: nothing helps to foresee the first ones."));
    summarise();
    shown_.add(lineTable());
    return {};
  }

 private:
  core::Check tell(std::string sentence) {
    shown_.tell(std::move(sentence));
    return {};
  }

  void chooseControl() {
    const HeadPlace drawn = controlHead(running_, {change_.layer, change_.head}, in_.seed("seed"));
    control_ = change_;
    control_.layer = drawn.layer, control_.head = drawn.head;
    bool waiting = false;
    if (change_.kind == Change::Kind::kMean)
      control_.mean = meanOf(running_, in_.text("mean_of"), control_.layer, control_.head, waiting);
  }

  core::Check measure(const Progress& progress) {
    for (std::size_t n = 0; n < texts_.tokens.size(); ++n) {
      if (!progress(static_cast<double>(n) / static_cast<double>(texts_.tokens.size()))) return core::Error{"stopped"};
      const std::vector<Index>& tokens = texts_.tokens[n];
      const core::Result<core::DecoderRun> plain = core::runDecoder(running_.decoder(), tokens);
      if (!plain) return plain.error();
      Line line{lossOf(texts_, plain.value(), tokens), 0, 0};
      for (const auto& [change, loss] : {std::pair(&change_, &line.after), std::pair(&control_, &line.control)}) {
        const core::Result<core::DecoderRun> run = runChanged(*change, running_.decoder(), tokens, plain.value());
        if (!run) return run.error();
        *loss = lossOf(texts_, run.value(), tokens);
      }
      lines_.push_back(line);
    }
    return {};
  }

  void summarise() {
    core::Running before, after, change, control;
    std::size_t best = 0, worst = 0;
    for (std::size_t n = 0; n < lines_.size(); ++n) {
      before.add(lines_[n].before);
      after.add(lines_[n].after);
      change.add(lines_[n].change());
      control.add(lines_[n].control - lines_[n].before);
      if (lines_[n].change() < lines_[best].change()) best = n;
      if (lines_[n].change() > lines_[worst].change()) worst = n;
    }
    out_.number("before", before.mean());
    out_.number("after", after.mean());
    out_.number("change", change.mean());
    out_.number("control", control.mean());
    const auto number = [](double value) { return core::fixedText(value, 4); };
    lesson::Table table;
    table.title = texts_.twice ? tr("Loss on the second copies of {0}", {texts_.name}) : tr("Loss over {0}", {texts_.name});
    table.note = tr("Nats per {0}. Standard deviation from text to text; lowest and highest of single texts.", {running_.unit()});
    table.columns = {"", tr("mean"), tr("standard deviation"), tr("lowest"), tr("highest")};
    for (const auto& [name, all] : {std::pair(tr("as it is"), &before), {tr("with the change"), &after}, {tr("difference"), &change},
                                    {tr("difference, control head"), &control}})
      table.rows.push_back({name, number(all->mean()), number(all->sampleDeviation()), number(all->min()), number(all->max())});
    table.marked = {2};
    shown_.add(std::move(table));
    shown_.text(tr("Lowest difference: “{0}” ({1}). Highest: “{2}” ({3}).",
                   {textOf(running_.loaded, texts_.tokens[best]), number(lines_[best].change()),
                    textOf(running_.loaded, texts_.tokens[worst]), number(lines_[worst].change())}));
    const std::string was = core::fixedText(before.mean(), 3), is = core::fixedText(after.mean(), 3);
    const std::string instead = core::fixedText(before.mean() + control.mean(), 3);
    shown_.says = texts_.twice ? tr("Mean loss on the second copies {0} → {1} over {2}; with the control head changed instead, {3}.",
                                    {was, is, texts_.name, instead})
                               : tr("Mean loss {0} → {1} over {2}; with the control head changed instead, {3}.",
                                    {was, is, texts_.name, instead});
  }

  lesson::Table lineTable() const {
    std::vector<std::size_t> order(lines_.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) { return lines_[a].change() > lines_[b].change(); });
    lesson::Table table;
    table.title = tr("Every text");
    table.note = tr("The highest difference first.");
    table.columns = {tr("text"), tr("loss as it is"), tr("with the change"), tr("difference"), tr("difference, control head")};
    for (const std::size_t n : order) {
      const Line& line = lines_[n];
      table.rows.push_back({textOf(running_.loaded, texts_.tokens[n]), core::fixedText(line.before, 4), core::fixedText(line.after, 4),
                            core::fixedText(line.change(), 4), core::fixedText(line.control - line.before, 4)});
    }
    return table;
  }

  const Running& running_;
  const Inputs& in_;
  Outputs& out_;
  Shown& shown_;
  Texts texts_;
  Change change_, control_;
  std::vector<Line> lines_;
};

}  // namespace

core::Check showLines(const Running& running, const Inputs& in, Outputs& out, Shown& shown, const Progress& progress) {
  return LinesPage(running, in, out, shown).show(progress);
}

}  // namespace attn::study
