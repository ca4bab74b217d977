// One change of the running model, and what it does: to what may come next, to the loss on the text, and, as a control, what
// the same change does elsewhere.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>

#include "core/decoder_outcome.h"
#include "core/language.h"
#include "core/number.h"
#include "scene/figures.h"
#include "study/change.h"
#include "study/inputs.h"
#include "study/next.h"
#include "study/parts.h"

namespace attn::study {
namespace {

using Kind = Change::Kind;

// What a change is judged by.
struct Judged {
  double logit = 0, probability = 0, loss = 0;
};

Judged judge(const core::DecoderRun& run, std::span<const Index> tokens, Index at, Index token) {
  const auto last = static_cast<Index>(tokens.size()) - 1;
  const core::Result<double> loss = core::lossOn(run.logits, tokens, 0, last);
  return {static_cast<double>(run.logits(at, token)), std::exp(core::logProbability(run.logits.row(at), token)),
          loss ? loss.value() : std::nan("")};
}

// There is no loss where there is nothing to foresee.
std::string numberText(double number, int decimals) { return std::isnan(number) ? "–" : core::fixedText(number, decimals); }

std::string signedText(double change, int decimals) {
  if (std::isnan(change)) return "–";
  const std::string text = core::fixedText(change, decimals);
  return change > 0 ? "+" + text : text;
}

constexpr const char* kNoHead = "none";  // of the control `seen`

// The ways of judging, in the order of the control `outcome`. `says` what it becomes: {0} is done, {1} the token asked about,
// {2} the place behind which it may come, {3} and {4} the measure before and after, {5} by how much it changes.
struct Measure {
  std::string_view id, name, change, says;
  double Judged::*value;
};
constexpr Measure kMeasures[] = {
    {"logit", trLater("logit"), trLater("change of the logit"),
     trLater("{0}: the logit of “{1}” after {2} goes from {3} to {4} ({5})."), &Judged::logit},
    {"probability", trLater("probability"), trLater("change of the probability"),
     trLater("{0}: the probability of “{1}” after {2} goes from {3} to {4} ({5})."), &Judged::probability},
    {"loss", trLater("loss on the text"), trLater("change of the loss on the text"),
     trLater("{0}: the loss on the text goes from {3} to {4} ({5})."), &Judged::loss}};

class ChangePage {
 public:
  ChangePage(const Running& running, const Inputs& in, Outputs& out, Shown& shown)
      : running_(running), in_(in), out_(out), shown_(shown) {
    for (const Measure& each : kMeasures)
      if (each.id == in.text("outcome")) measure_ = &each;
  }

  core::Check show(const Progress& progress) {
    hideUnusedControls(running_, in_, out_);
    offerHeads();
    const core::Result<Index> token = tokenAskedAbout(running_, in_);
    if (!token) return refuse(token.error());
    token_ = token.value();
    before_ = judge(*running_.run, running_.read.tokens, running_.at, token_);
    bool waiting = false;
    core::Result<Change> change = readChange(running_, in_, waiting);
    if (!change) return refuse(change.error());
    if (waiting) return refuse({tr(kFetchingLines)});
    change_ = change.take();
    const std::optional<HeadPlace> seen = headSeen();
    if (change_.kind == Kind::kNone && !seen) return showNothing();
    core::Result<core::DecoderRun> run = runWith(change_);
    if (!run) return refuse(run.error());
    if (seen) {
      showSeen(*seen, run.take());
      return {};
    }
    after_ = judge(run.value(), changedTokens(change_, running_.read.tokens), running_.at, token_);
    say();
    shown_.text(wordsOf(change_, running_) + "." + effectText());
    shown_.add(outcomes());
    addLosses(run.value());
    shown_.add(tableOfNext(running_, run.value().logits, running_.at, tr("What may come next, with the change")));
    shown_.add(headsOf(run.value(), tr("All heads, with the change")));
    return addControl(progress);
  }

 private:
  core::Check refuse(const core::Error& error) {
    shown_.tell(error.message);
    return {};
  }

  core::Check showNothing() {
    shown_.says = tr("Nothing is changed yet.");
    shown_.text(tr("Choose what is done to the model while it runs, and see what that does to a number you name: the logit of a {0} at "
                   "the chosen position, its probability, or the loss on the whole text. Only such an experiment shows what a head is "
                   "for; its map alone does not.", {running_.unit()}));
    shown_.add(outcomes());
    shown_.add(headsOf(*running_.run, tr("All heads")));
    return {};
  }

  void offerHeads() {
    std::vector<lesson::ParamOption> heads = {{kNoHead, tr("none")}};
    for (Index layer = 0; layer < running_.layers(); ++layer)
      for (Index head = 0; head < running_.heads(); ++head) heads.push_back({headMark(layer, head), headMark(layer, head)});
    out_.options("seen", std::move(heads));
  }

  // Pressing one leaves alone which head is changed.
  lesson::Maps headsOf(const core::DecoderRun& run, std::string title) const {
    lesson::Maps maps = mapsOf(running_, run, std::move(title));
    maps.keys = {"seen"};
    for (lesson::Maps::Item& item : maps.items) item.values = {item.mark};
    return maps;
  }

  // Nothing also before the page has offered any.
  std::optional<HeadPlace> headSeen() const {
    for (Index layer = 0; layer < running_.layers(); ++layer)
      for (Index head = 0; head < running_.heads(); ++head)
        if (headMark(layer, head) == in_.text("seen")) return HeadPlace{layer, head};
    return std::nullopt;
  }

  // One head under the change, large.
  void showSeen(HeadPlace seen, core::DecoderRun run) {
    Running changed = running_;
    changed.read.tokens = changedTokens(change_, running_.read.tokens);
    changed.run = std::make_shared<const core::DecoderRun>(std::move(run));
    const bool as_it_is = change_.kind == Kind::kNone;
    if (!as_it_is) shown_.text(wordsOf(change_, running_) + "." + effectText());
    shown_.add(lesson::Jump{tr("Back to the effect of the change and all heads"), "", {"seen"}, {kNoHead}});
    showHeadWith(changed, seen.layer, seen.head, as_it_is ? "" : shortWordsOf(change_, running_), out_, shown_);
  }

  core::Result<core::DecoderRun> runWith(const Change& change) const {
    return runChanged(change, running_.decoder(), running_.read.tokens, *running_.run);
  }

  // With a space before it.
  std::string effectText() const {
    if (change_.kind == Kind::kForbid && change_.everywhere) return "";
    if (!change_.frozen) return " " + tr("Everything behind it is computed anew: the total effect.");
    const bool from_there = change_.kind == Kind::kZeroValue || change_.kind == Kind::kReplace;
    return " " + (from_there ? tr("All heads from there on keep the weights that they have without the change, so it works through "
                                  "values alone.")
                             : tr("All heads of later layers keep the weights that they have without the change, so it works through "
                                  "values alone."));
  }

  void say() {
    const double change = after_.*measure_->value - before_.*measure_->value;
    shown_.says = tr(measure_->says, {wordsOf(change_, running_), running_.label(token_), running_.positionText(running_.at),
                                      text(before_), text(after_), signedText(change, 3)});
    for (const Measure& each : kMeasures) {
      out_.number(std::string(each.id) + "_before", before_.*each.value);
      out_.number(std::string(each.id) + "_after", after_.*each.value);
    }
  }
  std::string text(const Judged& judged) const { return numberText(judged.*measure_->value, 3); }

  lesson::Table outcomes() {
    lesson::Table table;
    table.title = tr("What it does");
    table.note = tr("Logit and probability are those of “{0}” after {1}; the loss is the mean of −ln p over the {2} of the text, in "
                    "nats.", {running_.label(token_), running_.positionText(running_.at), running_.units()});
    const bool changed = change_.kind != Kind::kNone;
    table.columns = {"", tr("as it is")};
    if (changed) table.columns.insert(table.columns.end(), {tr("with the change"), tr("difference")});
    for (const Measure& each : kMeasures) {
      const double before = before_.*each.value, after = after_.*each.value;
      std::vector<std::string> row = {tr(each.name), numberText(before, 4)};
      if (changed) row.insert(row.end(), {numberText(after, 4), signedText(after - before, 4)});
      table.rows.push_back(std::move(row));
    }
    return table;
  }

  void addLosses(const core::DecoderRun& run) {
    if (running_.length() < 2) return;
    const std::vector<Index> tokens = changedTokens(change_, running_.read.tokens);
    lesson::Plot plot;
    plot.title = tr("Where the text becomes harder to foresee");
    plot.note = tr("−ln p of each {0}, given those before it.", {running_.unit()});
    plot.x_label = running_.unit();
    plot.y_label = tr("nats");
    lesson::Plot::Series before{tr("as it is"), lesson::Plot::Kind::kLine, {}, {}};
    lesson::Plot::Series after{tr("with the change"), lesson::Plot::Kind::kLine, {}, {}};
    for (Index t = 1; t < running_.length(); ++t) {
      const Index is = running_.read.tokens[static_cast<std::size_t>(t)], becomes = tokens[static_cast<std::size_t>(t)];
      for (auto* series : {&before, &after}) series->x.push_back(static_cast<double>(t));
      before.y.push_back(-core::logProbability(running_.run->logits.row(t - 1), is));
      after.y.push_back(-core::logProbability(run.logits.row(t - 1), becomes));
    }
    plot.series = {std::move(before), std::move(after)};
    shown_.add(std::move(plot));
  }

  // Places spread over all of them, the chosen one among them, where there are more than the model can be run in.
  std::vector<std::size_t> places(const std::vector<std::pair<std::string, Change>>& all) const {
    const std::size_t most = running_.loaded.runs();
    std::vector<std::size_t> places;
    for (std::size_t n = 0; n < all.size(); ++n) {
      const bool is_next = all.size() <= most || n * (most - 1) / all.size() == places.size();
      if (is_next || isChosen(all[n].second)) places.push_back(n);
    }
    return places;
  }

  // The same change elsewhere: of every head, or of every position; of every token for a replacement.
  core::Check addControl(const Progress& progress) {
    std::string axis;
    const std::vector<std::pair<std::string, Change>> all = elsewhere(axis);
    const std::vector<std::size_t> places = this->places(all);
    std::vector<std::string> names;
    std::vector<double> changes;
    std::vector<lesson::Plot::Mark> marks;
    for (std::size_t n = 0; n < places.size(); ++n) {
      if (!progress(static_cast<double>(n) / static_cast<double>(places.size()))) return core::Error{"stopped"};
      const auto& [name, change] = all[places[n]];
      const core::Result<core::DecoderRun> run = runWith(change);
      if (!run) return run.error();
      const Judged judged = judge(run.value(), changedTokens(change, running_.read.tokens), running_.at, token_);
      changes.push_back(judged.*measure_->value - before_.*measure_->value);
      names.push_back(name);
      if (isChosen(change)) marks = {{tr("chosen"), static_cast<double>(n), true}};
    }
    out_.numbers("elsewhere", changes);
    lesson::Plot plot = scene::namedBars(tr("The same elsewhere"), axis, tr(measure_->change), std::move(names), std::move(changes));
    plot.note = tr("A change that does as much wherever it is made says little about this place.");
    if (places.size() < all.size())
      plot.note += " " + tr("Of {0} places, {1} are tried.", {scene::grouped(static_cast<double>(all.size())), places.size()});
    plot.marks = std::move(marks);
    shown_.add(std::move(plot));
    return {};
  }

  std::vector<std::pair<std::string, Change>> elsewhere(std::string& axis) const {
    std::vector<std::pair<std::string, Change>> all;
    Change other = change_;
    if (change_.ofHead()) {
      axis = tr("head");
      for (other.layer = 0; other.layer < running_.layers(); ++other.layer) {
        for (other.head = 0; other.head < running_.heads(); ++other.head) {
          if (change_.kind == Kind::kMean) other.mean = meanElsewhere(other.layer, other.head);
          all.emplace_back(headMark(other.layer, other.head), other);
        }
      }
    } else if (change_.kind == Kind::kReplace) {
      axis = tr("new {0}", {running_.unit()});
      for (other.with = 0; other.with < running_.decoder().vocabulary(); ++other.with)
        all.emplace_back(running_.label(other.with), other);
    } else {
      axis = tr("position");
      for (other.source = 0; other.source <= running_.at; ++other.source)
        all.emplace_back(running_.label(running_.read.tokens[static_cast<std::size_t>(other.source)]), other);
    }
    return all;
  }

  bool isChosen(const Change& other) const {
    if (change_.ofHead()) return other.layer == change_.layer && other.head == change_.head;
    return change_.kind == Kind::kReplace ? other.with == change_.with : other.source == change_.source;
  }

  core::Matrix<double> meanElsewhere(Index layer, Index head) const {
    bool waiting = false;
    return meanOf(running_, in_.text("mean_of"), layer, head, waiting);
  }

  const Running& running_;
  const Inputs& in_;
  Outputs& out_;
  Shown& shown_;
  const Measure* measure_ = &kMeasures[0];
  Index token_ = 0;
  Change change_;
  Judged before_, after_;
};

}  // namespace

core::Check showChange(const Running& running, const Inputs& in, Outputs& out, Shown& shown, const Progress& progress) {
  return ChangePage(running, in, out, shown).show(progress);
}

}  // namespace attn::study
