// One outcome of one row, and what each source and each head is worth for it: every one taken away in turn, and the
// same weights dealt out anew. Knows no example: the open one is asked.
#include <algorithm>
#include <cmath>

#include "core/language.h"
#include "core/number.h"
#include "lesson/edits.h"
#include "scene/acts.h"
#include "scene/differences.h"
#include "scene/figures.h"
#include "scene/open_example.h"
#include "scene/outcome.h"
#include "scene/projected.h"

namespace attn::scene {
namespace {

constexpr int kDeals = 200;
constexpr std::size_t kBins = 25;
constexpr std::size_t kMostListed = 20;
constexpr double kDealtRounding = 1e-12;  // the same weights in another order are added up a little differently
constexpr std::size_t kMostJumps = 3;
constexpr std::size_t kLongestEdit = 48;

struct Effect {
  std::string name;
  Act act;
  double after = 0, change = 0;
};

// The outcome as it is, and with one act carried out; every row of the example stays as it is but the one asked about.
class Trial {
 public:
  Trial(const OpenExample& open, const Asked& asked)
      : asked_(asked), plain_(problemOfRow(*open.trace, asked.row, at_)) {}

  double now() const { return outcomeOf(asked_, traceOf(plain_), at_); }
  // Products that one outcome takes, roughly.
  double work() const {
    double products = plain_.wo ? static_cast<double>(plain_.wo->size()) : 0;
    for (const Matrix<double>& k : plain_.k) products += 2 * static_cast<double>(k.size());
    return products * static_cast<double>(plain_.T);
  }
  double after(const Act& act) const {
    core::Problem<double> problem = plain_;
    carryOut(act, at_, problem);
    return outcomeOf(asked_, traceOf(problem), at_);
  }

 private:
  const Asked& asked_;
  Index at_ = 0;
  core::Problem<double> plain_;
};

bool reads(const core::Trace<double>& trace, Index row, Index source) {
  if (trace.mask.allowed(row, source)) return true;
  return std::any_of(trace.heads.begin(), trace.heads.end(),
                     [&](const auto& head) { return head.softmax.weights(row, source) != 0; });
}

// Sources that the row may not read are worth nothing and left out; so are heads where z of one head is asked about.
std::vector<Effect> everyAct(const OpenExample& open, const Asked& asked, bool every_row) {
  const Index row = asked.row;
  std::vector<Effect> acts;
  const core::Trace<double>& trace = *open.trace;
  for (Index j = 0; j < trace.problem.S; ++j) {
    if (!reads(trace, row, j)) continue;
    const std::string source = sourceText(open.example, j);
    Act act;
    act.source = j;
    if (!every_row) act.row = row;
    acts.push_back({tr("{0} forbidden", {source}), act});
    act.kind = Act::Kind::kZeroValue;
    acts.push_back({tr("value of {0} zeroed", {source}), act});
  }
  for (Index h = 0; asked.of_y && h < open.heads(); ++h) {
    Act act;
    act.kind = Act::Kind::kAblate;
    act.head = h;
    acts.push_back({tr("head {0} ablated", {ordinal(open.example, h)}), act});
  }
  return acts;
}

// Asks whether to go on, every few milliseconds of work.
class Pace {
 public:
  Pace(const Progress& progress, std::size_t all, double work_of_each)
      : progress_(progress), all_(static_cast<double>(all)), work_of_each_(work_of_each) {}

  bool goOn() {
    work_ += work_of_each_;
    const double done = done_++ / all_;
    if (work_ < kWorkBetween) return true;
    work_ = 0;
    return progress_(done);
  }

 private:
  static constexpr double kWorkBetween = 5e5;  // products
  const Progress& progress_;
  double all_, work_of_each_, done_ = 0, work_ = 0;
};

// Of every act and every deal; false when asked to stop.
bool tryAll(const Trial& trial, const Asked& asked, std::uint64_t seed, std::vector<Effect>& acts,
            std::vector<double>& deals, const Progress& progress) {
  Pace pace(progress, acts.size() + kDeals, trial.work());
  const double now = trial.now();
  for (Effect& each : acts) {
    if (!pace.goOn()) return false;
    each.after = trial.after(each.act);
    each.change = each.after == now ? 0 : each.after - now;
  }
  Act deal;
  deal.kind = Act::Kind::kPermute;
  deal.row = asked.row;
  deal.head = asked.head;
  for (int n = 0; n < kDeals; ++n) {
    if (!pace.goOn()) return false;
    deal.seed = seed + static_cast<std::uint64_t>(n);
    deals.push_back(trial.after(deal));
  }
  return true;
}

// The largest first. What differs by rounding only keeps its order.
void sortBySize(std::vector<Effect>& acts) {
  double largest = 0;
  for (const Effect& each : acts)
    if (std::isfinite(each.change)) largest = std::max(largest, std::abs(each.change));
  if (largest == 0) largest = 1;  // then only what is not finite comes first
  const auto size = [&](const Effect& each) {
    return std::isfinite(each.change) ? std::round(std::abs(each.change) / largest * 1e9) : HUGE_VAL;
  };
  std::stable_sort(acts.begin(), acts.end(), [&](const Effect& a, const Effect& b) { return size(a) > size(b); });
}

std::string numberText(double value) { return core::fixedText(value, 4); }

lesson::Table effectsTable(const OpenExample& open, const std::vector<Effect>& acts, double now, bool whole) {
  lesson::Table table;
  table.columns = {tr("act"), tr("edit (from 0)"), tr("before"), tr("after"), tr("change")};
  const std::size_t count = whole ? acts.size() : std::min(kMostListed, acts.size());
  for (std::size_t n = 0; n < count; ++n) {
    const Effect& each = acts[n];
    std::string edit = lesson::joinEdits(editsOf(each.act, *open.trace));
    if (edit.size() > kLongestEdit) edit = edit.substr(0, kLongestEdit) + "…";
    table.rows.push_back({each.name, edit, numberText(now), numberText(each.after), signedText(each.change)});
  }
  return table;
}

// A bar per source: what forbidding it and what zeroing its value does.
lesson::Plot sourcesPlot(const OpenExample& open, const std::vector<Effect>& acts) {
  using Kind = lesson::Plot::Kind;
  lesson::Plot plot;
  plot.title = tr("What each source is worth");
  plot.y_label = tr("change of the outcome");
  plot.names = positionLabels(open.example, true);
  lesson::Plot::Series forbidden{tr("source forbidden"), Kind::kBars, {}, {}},
      zeroed{tr("value zeroed"), Kind::kBars, {}, {}};
  for (const Effect& each : acts) {
    if (each.act.kind == Act::Kind::kAblate) continue;
    auto& series = each.act.kind == Act::Kind::kForbid ? forbidden : zeroed;
    series.x.push_back(static_cast<double>(each.act.source));
    series.y.push_back(each.change);
  }
  plot.series = {std::move(forbidden), std::move(zeroed)};
  return plot;
}

// How often the deals gave an outcome of each size.
lesson::Plot dealsPlot(const std::vector<double>& deals, double now) {
  lesson::Plot plot;
  plot.title = tr("{0} deals of the same weights", {kDeals});
  plot.x_label = tr("outcome");
  plot.y_label = tr("deals");
  const auto [low, high] = std::minmax_element(deals.begin(), deals.end());
  const double width = *high > *low ? (*high - *low) / static_cast<double>(kBins) : 1;
  std::vector<double> counts(*high > *low ? kBins : 1, 0);
  for (const double value : deals) {
    const auto bin = static_cast<std::size_t>((value - *low) / width);
    counts[std::min(bin, counts.size() - 1)] += 1;
  }
  lesson::Plot::Series bars{"", lesson::Plot::Kind::kBars, {}, {}};
  for (std::size_t n = 0; n < counts.size(); ++n) {
    bars.x.push_back(counts.size() == 1 ? *low : *low + (static_cast<double>(n) + 0.5) * width);
    bars.y.push_back(counts[n]);
  }
  plot.series = {std::move(bars)};
  plot.marks = {{tr("as it is"), now, true}};
  return plot;
}

void sayEffects(const std::vector<Effect>& acts, const OpenExample& open, Outputs& out) {
  std::vector<std::string> names, edits;
  std::vector<double> after, changes;
  for (const Effect& each : acts) {
    names.push_back(each.name);
    edits.push_back(lesson::joinEdits(editsOf(each.act, *open.trace)));
    after.push_back(each.after);
    changes.push_back(each.change);
  }
  const double most = changes.empty() ? 0 : changes.front();
  out.text("most_name", names.empty() ? tr("nothing") : names.front());
  out.number("most_change", most);
  out.text("most_said", signedText(most));
  out.flag("nothing_counts", most == 0);
  out.number("acts_tried", static_cast<double>(acts.size()));
  out.number("acts_listed", static_cast<double>(std::min(kMostListed, acts.size())));
  out.flag("acts_left_out", acts.size() > kMostListed);
  out.texts("acts", std::move(names));
  out.texts("edits_written", std::move(edits));
  out.numbers("after", std::move(after));
  out.numbers("changes", std::move(changes));
}

void sayDeals(const std::vector<double>& deals, double now, Index readable, Outputs& out) {
  const auto [low, high] = std::minmax_element(deals.begin(), deals.end());
  const double rounding = kDealtRounding * std::max({std::abs(*low), std::abs(*high), std::abs(now)});
  double sum = 0, squares = 0, below = 0, equal = 0;
  for (const double value : deals) {
    sum += value;
    below += value < now - rounding;
    equal += std::abs(value - now) <= rounding;
  }
  const double mean = sum / kDeals;
  for (const double value : deals) squares += (value - mean) * (value - mean);
  const bool vary = *high - *low > rounding;
  out.number("deals_made", kDeals);
  out.number("deals_mean", mean);
  out.number("deals_spread", vary ? std::sqrt(squares / kDeals) : 0);
  out.number("deals_min", *low);
  out.number("deals_max", *high);
  out.number("deals_below", below);
  out.number("deals_equal", equal);
  out.flag("deals_vary", vary);
  out.number("readable", static_cast<double>(readable));
  out.text("source_word", readable == 1 ? tr("source") : tr("sources"));
}

void leadOn(const OpenExample& open, const Asked& asked, const std::vector<Effect>& acts, Outputs& out) {
  std::vector<lesson::Block> jumps;
  for (const Effect& each : acts) {
    const std::string link = walkthroughLink(open, editsOf(each.act, *open.trace), asked.row, asked.head);
    if (!link.empty() && jumps.size() < kMostJumps && each.change != 0)
      jumps.push_back({lesson::Jump{tr("Carry it out on the stage: {0}", {each.name}), link}});
  }
  out.blocks("onwards", std::move(jumps));
}

}  // namespace

core::Check eachInTurn(const Inputs& in, Outputs& out, const Progress& progress) {
  auto opened = openExample(in);
  if (!opened) return opened.error();
  const OpenExample& open = opened.value();
  auto read = readAsked(in, open, out);
  if (!read) return read.error();
  const Asked& asked = read.value();
  const Trial trial(open, asked);
  std::vector<Effect> acts = everyAct(open, asked, in.on("every_row"));
  std::vector<double> deals;
  const core::Error not_finite{tr("The outcome is {0}, so no change of it can be told; choose another row or outcome, or "
                                  "take back what made it so.", {core::fixedText(trial.now(), 4)})};
  if (!std::isfinite(trial.now())) return not_finite;
  if (!tryAll(trial, asked, in.seed("seed"), acts, deals, progress)) return core::Error{"stopped"};
  if (!std::all_of(deals.begin(), deals.end(), [](double value) { return std::isfinite(value); }))
    return core::Error{tr("Dealt out anew, the weights give an outcome that is not finite; take back the edit that made a "
                          "value so large.")};
  sortBySize(acts);
  out.number("outcome_now", trial.now());
  out.flag("needs_all_rows", needsAllRows(open.trace->problem));
  out.figure("effects", effectsTable(open, acts, trial.now(), in.on("whole")));
  out.figure("sources", sourcesPlot(open, acts));
  out.figure("deals", dealsPlot(deals, trial.now()));
  if (acts.size() <= kMostListed) out.hide("whole");
  sayEffects(acts, open, out);
  sayDeals(deals, trial.now(), open.trace->mask.allowedInRow(asked.row), out);
  leadOn(open, asked, acts, out);
  return {};
}

}  // namespace attn::scene
