// Tries hypotheses on a few rows, checks on all of them what fits there, and drops what says nothing more.
#include "audit/verdict.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "audit/fit.h"
#include "core/language.h"

namespace attn::audit {
namespace {

using core::Index;
using core::Matrix;

// A search looks at so many rows of the first head; what fits there is checked against all of them.
constexpr Index kSearchRows = 24;

bool isRounded(Kind kind) {
  return kind == Kind::kScores16 || kind == Kind::kScoresB16 || kind == Kind::kSoftmax16 || kind == Kind::kSoftmaxB16;
}

bool has(const Hypothesis& hypothesis, bool (*which)(Kind)) {
  return std::any_of(hypothesis.begin(), hypothesis.end(), [&](const Departure& d) { return which(d.kind); });
}

bool has(const Hypothesis& hypothesis, Kind kind) {
  return std::any_of(hypothesis.begin(), hypothesis.end(), [&](const Departure& d) { return d.kind == kind; });
}

// What rounding may make of one weight. The smallest numbers of a type are farther apart than its relative rounding says.
struct Bounds {
  double rounding, smallest;
  explicit Bounds(Precision precision, Index S) {
    rounding = roundingOf(precision) * (8 + std::sqrt(double(S)));
    smallest = precision == Precision::kHalf ? 0x1p-24 : precision == Precision::kDouble ? 1e-300 : 1e-37;
  }
  double of(double weight, double uncertainty) const { return weight * (2 * uncertainty + rounding) + smallest; }
};

// Of what is computed in two bytes, a few results land one step away when a sum was taken in another order.
constexpr double kStrays = 0.05;

// With enough departures something always comes a little nearer; the plainer one, tried before, gives way to much less.
// Masks are plain alike.
constexpr double kMuchNearer = 0.1;

class Comparison {
 public:
  explicit Comparison(Fit& fit, bool coarse, Kind coarse_kind) : fit_(fit), coarse_(coarse), coarse_kind_(coarse_kind) {}

  void cell(Index head, Index row, Index col, double given, double expected, double bound, double scores_size) {
    const double diff = given == expected ? 0 : std::abs(given - expected);
    ++cells_;
    if (!(diff <= fit_.max_abs_diff)) fit_.max_abs_diff = diff, fit_.bound = bound;
    if (diff <= bound) return;
    ++beyond_;
    if (!first_) first_ = Fit::Place{head, row, col, given, expected};
    const double u = coarse_kind_ == Kind::kScores16 || coarse_kind_ == Kind::kSoftmax16 ? 0x1p-10 : 0x1p-7;
    if (!coarse_ || !(diff <= bound + std::abs(expected) * u * (2 + 4 * scores_size) + u * 1e-4)) far_ = true;
  }

  void finish() {
    const bool fits = !far_ && double(beyond_) <= (coarse_ ? kStrays * double(cells_) : 0.0);
    if (!fits) fit_.first = first_;
  }

 private:
  Fit& fit_;
  bool coarse_, far_ = false;
  Kind coarse_kind_;
  std::size_t cells_ = 0, beyond_ = 0;
  std::optional<Fit::Place> first_;
};

// Without a source nothing is right or wrong; 0 and NaN are what frameworks leave there.
bool isLeftOut(const Matrix<double>& given, Index i) {
  for (Index j = 0; j < given.cols(); ++j) {
    if (given(i, j) != 0 && !std::isnan(given(i, j))) return false;
  }
  return true;
}

class Trial {
 public:
  Trial(const Export& exported, Hypothesis hypothesis) : exported_(exported) { fit_.hypothesis = std::move(hypothesis); }

  // Of heads first … last − 1. Nothing when a departure that has to be fitted finds no hold, or when `stop` says so.
  std::optional<Fit> run(Index head, Index last, const std::function<bool()>& stop = {}) {
    const Kind coarse = coarseKind();
    Comparison comparison(fit_, isRounded(coarse), coarse);
    const bool averaged = has(fit_.hypothesis, Kind::kAveraged);
    if (averaged) {
      if (!compareMean(comparison)) return std::nullopt;
    } else {
      for (Index h = head; h < last; ++h) {
        if ((stop && stop()) || !compareHead(h, comparison)) return std::nullopt;
      }
    }
    comparison.finish();
    return fit_;
  }

 private:
  Kind coarseKind() const {
    for (const Departure& d : fit_.hypothesis) {
      if (isRounded(d.kind)) return d.kind;
    }
    return Kind::kCausal;
  }

  const Matrix<double>* given(Index h) const {
    return exported_.weights.empty() ? nullptr : &exported_.weights[exported_.weights.size() == 1 ? 0 : h];
  }

  // Scores and weights of one head, each fitted departure with numbers of its own; the first head's are told.
  bool computeHead(Index h, Scores& scores, Matrix<double>& weights) {
    scores = scoresUnder(fit_.hypothesis, exported_, h);
    Hypothesis here = fit_.hypothesis;
    for (std::size_t n = 0; n < here.size(); ++n) {
      if (!isFitted(here[n].kind)) continue;
      if (!given(h)) return false;
      Hypothesis others = here;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(n));
      const auto departure = fitted(here[n].kind, others, exported_, scores, *given(h));
      if (!departure) return false;
      here[n] = *departure;
      if (h == 0) fit_.hypothesis[n] = *departure;
    }
    weights = weightsUnder(here, exported_, scores, given(h));
    return true;
  }

  bool compareHead(Index h, Comparison& comparison) {
    Scores scores;
    Matrix<double> weights;
    if (!computeHead(h, scores, weights)) return false;
    if (given(h)) compareWeights(h, scores, weights, comparison);
    else compareOutput(h, scores, weights, comparison);
    return true;
  }

  void compareWeights(Index h, const Scores& scores, const Matrix<double>& weights, Comparison& comparison) {
    const Bounds bounds(exported_.precision, weights.cols());
    for (Index i = 0; i < weights.rows(); ++i) {
      if (weights.row(i).isZero(0) && isLeftOut(*given(h), i)) continue;
      const double size = scores.values.row(i).cwiseAbs().maxCoeff();
      for (Index j = 0; j < weights.cols(); ++j) {
        comparison.cell(h, exported_.position(i), j, (*given(h))(i, j), weights(i, j),
                        bounds.of(weights(i, j), scores.uncertainty(i)), size);
      }
    }
  }

  void compareOutput(Index h, const Scores& scores, const Matrix<double>& weights, Comparison& comparison) {
    const Matrix<double>& v = exported_.v[h * static_cast<Index>(exported_.v.size()) / exported_.heads()];
    const Matrix<double>& out = exported_.out[h];
    const Matrix<double> expected = weights * v, sizes = weights * v.cwiseAbs();
    const Bounds bounds(exported_.precision, weights.cols());
    for (Index i = 0; i < out.rows(); ++i) {
      if (weights.row(i).isZero(0) && isLeftOut(out, i)) continue;
      const double size = scores.values.row(i).cwiseAbs().maxCoeff();
      for (Index c = 0; c < out.cols(); ++c) {
        comparison.cell(h, exported_.position(i), c, out(i, c), expected(i, c),
                        bounds.of(sizes(i, c), scores.uncertainty(i)), size);
      }
    }
  }

  bool compareMean(Comparison& comparison) {
    if (!given(0)) return false;
    const Index H = exported_.heads();
    Scores scores;
    Matrix<double> weights, sum;
    core::RowVector<double> uncertainty;
    for (Index h = 0; h < H; ++h) {
      if (has(fit_.hypothesis, isFitted) || !computeHead(h, scores, weights)) return false;
      sum = h == 0 ? weights : Matrix<double>(sum + weights);
      uncertainty = h == 0 ? scores.uncertainty
                           : core::RowVector<double>(uncertainty.cwiseMax(scores.uncertainty));
    }
    scores.uncertainty = uncertainty;
    compareWeights(0, scores, sum / double(H), comparison);
    return true;
  }

  const Export& exported_;
  Fit fit_;
};

std::vector<Departure> rotaryDepartures(const Export& exported) {
  std::vector<Departure> list;
  const Index d = exported.q[0].cols(), S = exported.S();
  const Index T = exported.positions.empty() ? exported.T() : exported.all_rows;
  for (const Index width : {d, d / 2, d / 4}) {
    if (width < 2 || width % 2 != 0) continue;
    for (const double base : {10000.0, 500000.0}) {
      if (width == 2 && base != 10000) continue;  // one pair turns at frequency 1 whatever the base
      for (const bool half_split : {false, true}) {
        if (width == 2 && half_split) continue;  // one pair is the same in both layouts
        for (const Index offset : {Index(0), S - T}) {
          if (offset == 0 || S != T) {
            list.push_back({.kind = Kind::kRotary, .rotary = {half_split, base, width, offset}});
          }
          if (S == T) break;
        }
      }
    }
  }
  return list;
}

std::vector<Departure> scaleDepartures(const Export& exported) {
  std::vector<Departure> list = {{.kind = Kind::kScale, .scale = ScaleRule::kOne},
                                 {.kind = Kind::kScale, .scale = ScaleRule::kKeyWidth}};
  if (exported.heads() > 1) list.push_back({.kind = Kind::kScale, .scale = ScaleRule::kAllHeads});
  if (exported.model_width && *exported.model_width != exported.heads() * exported.q[0].cols()) {
    list.push_back({.kind = Kind::kScale, .scale = ScaleRule::kModelWidth});
  }
  return exported.q[0].cols() == 1 ? std::vector<Departure>{} : list;
}

// Every departure but masks, what must be fitted last.
std::vector<Departure> departures(const Export& exported) {
  std::vector<Departure> list = scaleDepartures(exported);
  const std::vector<Departure> rotary = rotaryDepartures(exported);
  list.insert(list.end(), rotary.begin(), rotary.end());
  for (const Kind kind : {Kind::kRmsNorm, Kind::kLengthNorm, Kind::kLayerNorm}) list.push_back({.kind = kind});
  const auto G = static_cast<Index>(exported.k.size());
  if (G > 1 && G < exported.heads()) list.push_back({.kind = Kind::kSharing});
  if (!exported.bias.empty()) list.push_back({.kind = Kind::kGivenBias});
  if (exported.precision == Precision::kFloat || exported.precision == Precision::kDouble) {
    for (const Kind kind : {Kind::kScores16, Kind::kScoresB16, Kind::kSoftmax16, Kind::kSoftmaxB16}) list.push_back({.kind = kind});
  }
  for (const double fill : {-1e4, -65504.0, -1e9, -3.4028234663852886e38}) list.push_back({.kind = Kind::kFill, .value = fill});
  list.push_back({.kind = Kind::kPenalty, .value = -1e4});
  if (!exported.weights.empty()) {
    for (const Kind kind : {Kind::kTemperature, Kind::kSoftcap, Kind::kAlibi, Kind::kColumnBias, Kind::kDistanceBias,
                            Kind::kTopK, Kind::kSink, Kind::kDropout}) {
      list.push_back({.kind = kind});
    }
  }
  return list;
}

// Which departures exclude each other: two scales, two ways to turn, two that fit the same logarithms.
int groupOf(Kind kind) {
  switch (kind) {
    case Kind::kScale: case Kind::kTemperature: return 1;
    case Kind::kRmsNorm: case Kind::kLengthNorm: case Kind::kLayerNorm: return 2;
    case Kind::kFill: case Kind::kPenalty: return 3;
    case Kind::kScores16: case Kind::kScoresB16: return 4;
    case Kind::kSoftmax16: case Kind::kSoftmaxB16: return 5;
    default: return 100 + static_cast<int>(kind);
  }
}

// Departures whose numbers are read off the same logarithms of weights; only one of them can be at a time.
bool readsLogs(Kind kind) {
  return kind == Kind::kTemperature || kind == Kind::kSoftcap || kind == Kind::kAlibi || kind == Kind::kColumnBias ||
         kind == Kind::kDistanceBias;
}

bool goTogether(const Departure& a, const Departure& b) {
  return groupOf(a.kind) != groupOf(b.kind) && !(readsLogs(a.kind) && readsLogs(b.kind));
}

class Search {
 public:
  Search(const Export& exported, const std::vector<Hypothesis>& masks, const std::function<bool()>& stop)
      : exported_(exported), stop_(stop), masks_(masks.empty() ? maskCandidates(exported) : masks), open_(masks.empty()) {
    verdict_.on_output = exported.weights.empty();
    if (exported.weights.size() == 1 && exported.heads() > 1) {
      for (Hypothesis& mask : masks_) mask.push_back({.kind = Kind::kAveraged});
    }
    const Index T = exported.T();
    for (Index n = 0; n < std::min(T, kSearchRows); ++n) rows_.push_back(T <= kSearchRows ? n : n * (T - 1) / (kSearchRows - 1));
    sample_ = rowsOf(exported, rows_);
  }

  Verdict runMasksOnly() {
    for (const Hypothesis& mask : masks_) attempt(mask);
    return std::move(verdict_);
  }

  Verdict run() {
    for (const Hypothesis& mask : masks_) attempt(mask);
    if (verdict_.fits.empty() || ambiguous()) alone();
    if (verdict_.fits.empty()) pairs();
    if (verdict_.fits.empty() && open_ && !exported_.weights.empty()) {
      attempt({{.kind = Kind::kZeroCells}});
      if (verdict_.fits.empty()) {
        for (const Departure& one : departures(exported_)) attempt({{.kind = Kind::kZeroCells}, one});
      }
    }
    dropIdle();
    if (!verdict_.fits.empty()) verdict_.nearest.reset();
    return std::move(verdict_);
  }

 private:
  bool stopped() const { return stop_ && stop_(); }

  // Where the textbook fits, another scale or a turn is worth a look only when scores are so alike that it may fit too.
  bool ambiguous() const {
    for (const Fit& fit : verdict_.fits) {
      const Scores scores = scoresUnder(fit.hypothesis, sample_, 0);
      const Matrix<bool> allowed = allowedBy(fit.hypothesis, sample_, nullptr);
      for (Index i = 0; i < scores.values.rows(); ++i) {
        double low = std::numeric_limits<double>::infinity(), high = -low;
        for (Index j = 0; j < scores.values.cols(); ++j) {
          if (allowed(i, j)) low = std::min(low, scores.values(i, j)), high = std::max(high, scores.values(i, j));
        }
        if (high - low > 100 * (scores.uncertainty(i) + 1e-12)) return false;
      }
    }
    return true;
  }

  void alone() {
    for (const Hypothesis& mask : masks_) {
      for (const Departure& one : departures(exported_)) {
        if (stopped()) return;
        Hypothesis hypothesis = mask;
        hypothesis.push_back(one);
        attempt(hypothesis);
      }
    }
  }

  void pairs() {
    const std::vector<Departure> all = departures(exported_);
    for (const Hypothesis& mask : masks_) {
      for (std::size_t a = 0; a < all.size(); ++a) {
        for (std::size_t b = a + 1; b < all.size(); ++b) {
          if (stopped()) return;
          if (!goTogether(all[a], all[b])) continue;
          Hypothesis hypothesis = mask;
          hypothesis.push_back(all[a]);
          hypothesis.push_back(all[b]);
          attempt(hypothesis);
        }
      }
    }
  }

  bool isNearer(const Fit& fit) const {
    const auto masks_only = [](const Hypothesis& hypothesis) {
      return std::all_of(hypothesis.begin(), hypothesis.end(), [](const Departure& d) { return isMask(d.kind); });
    };
    if (!verdict_.nearest) return true;
    const bool plain = masks_only(fit.hypothesis) && masks_only(verdict_.nearest->hypothesis);
    return fit.max_abs_diff < (plain ? 1 : kMuchNearer) * verdict_.nearest->max_abs_diff;
  }

  void attempt(const Hypothesis& hypothesis) {
    ++verdict_.tried;
    const std::optional<Fit> few = Trial(sample_, hypothesis).run(0, 1);
    if (!mayFit(few)) return;
    if (odd_ && !mayFit(Trial(odd_->rows, hypothesis).run(odd_->head, odd_->head + 1))) return;
    // What is nearer on a few rows need not be so on all.
    const std::optional<Fit> fit = Trial(exported_, hypothesis).run(0, exported_.heads(), stop_);
    if (!fit) return;
    if (!fit->first) verdict_.fits.push_back(*fit);
    else if (isNearer(*fit)) verdict_.nearest = fit;
    if (fit->first && !few->first) odd_ = oddOf(*fit->first);
  }

  bool mayFit(const std::optional<Fit>& fit) const { return fit && (!fit->first || isNearer(*fit)); }

  // Where something that fits the sample failed, other things fail too: the same rows of that head, and the row itself.
  struct Odd {
    Export rows;
    Index head = 0;
  };
  Odd oddOf(const Fit::Place& place) const {
    std::vector<Index> rows = rows_;
    rows.insert(std::lower_bound(rows.begin(), rows.end(), place.row), place.row);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return {rowsOf(exported_, rows), place.head};
  }

  // A fit that contains another one says nothing more; what is fitted freely gives way to what is not; a fill that is
  // never seen is none.
  void dropIdle() {
    std::vector<Fit>& fits = verdict_.fits;
    const auto contains = [](const Hypothesis& large, const Hypothesis& small) {
      return small.size() < large.size() && std::all_of(small.begin(), small.end(), [&](const Departure& d) {
               return std::find(large.begin(), large.end(), d) != large.end();
             });
    };
    // Top-k and dropout leave zeros of their own: a mask that was read off those says nothing beside one that allows more.
    const auto rest = [](const Hypothesis& hypothesis) {
      Hypothesis others;
      for (const Departure& d : hypothesis) {
        if (!isMask(d.kind)) others.push_back(d);
      }
      return others;
    };
    const auto allowedCells = [&](const Hypothesis& hypothesis) { return allowedBy(hypothesis, sample_, nullptr).count(); };
    const auto plainer = [&](const Hypothesis& one, const Hypothesis& other) {
      return (has(other, Kind::kTopK) || has(other, Kind::kDropout)) && rest(one) == rest(other) &&
             allowedCells(one) > allowedCells(other);
    };
    const auto isFree = [](const Fit& fit) {
      return has(fit.hypothesis, Kind::kColumnBias) || has(fit.hypothesis, Kind::kDistanceBias);
    };
    const auto isFittedOne = [&](const Fit& fit) { return has(fit.hypothesis, readsLogs); };
    const bool some_bound = std::any_of(fits.begin(), fits.end(), [&](const Fit& fit) { return !isFree(fit); });
    const bool some_given = std::any_of(fits.begin(), fits.end(), [&](const Fit& fit) { return !isFittedOne(fit); });
    std::vector<Fit> kept;
    for (const Fit& fit : fits) {
      if ((some_bound && isFree(fit)) || (some_given && isFittedOne(fit))) continue;
      if (std::any_of(fits.begin(), fits.end(), [&](const Fit& other) {
            return contains(fit.hypothesis, other.hypothesis) || plainer(other.hypothesis, fit.hypothesis);
          })) continue;
      kept.push_back(fit);
    }
    fits = std::move(kept);
  }

  const Export& exported_;
  std::function<bool()> stop_;
  std::vector<Hypothesis> masks_;
  bool open_;  // nobody said which masks there are
  std::vector<Index> rows_;
  Export sample_;  // these rows
  std::optional<Odd> odd_;
  Verdict verdict_;
};

}  // namespace

Verdict explain(const Export& exported, const std::vector<Hypothesis>& masks, const std::function<bool()>& stop) {
  return Search(exported, masks, stop).run();
}

Verdict explainMasksOnly(const Export& exported, const std::vector<Hypothesis>& masks) {
  return Search(exported, masks, {}).runMasksOnly();
}

std::string whatSeparates(const Verdict& verdict) {
  if (verdict.fits.size() < 2) return "";
  const auto all = [&](auto which) { return std::all_of(verdict.fits.begin(), verdict.fits.end(), which); };
  if (all([](const Fit& fit) { return has(fit.hypothesis, Kind::kFill) || has(fit.hypothesis, Kind::kPenalty); })) {
    return tr("Only rows without a source show the number that stands for −∞; scores that reach as low would tell them "
              "apart.");
  }
  if (all([](const Fit& fit) { return has(fit.hypothesis, isMask) || fit.hypothesis.empty(); })) {
    return tr("A longer sequence, or weights that do not vanish where the masks differ, would tell them apart.");
  }
  return tr("Scores that differ more within a row, or a longer sequence, would tell them apart.");
}

}  // namespace attn::audit
