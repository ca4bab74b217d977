// See pasted_check.h.
#include "scene/pasted_check.h"

#include <algorithm>
#include <cmath>

#include "core/language.h"
#include "core/number.h"
#include "io/pasted.h"
#include "lesson/task_run.h"
#include "lesson/token_text.h"
#include "scene/figures.h"
#include "scene/known_mistakes.h"
#include "scene/open_example.h"
#include "scene/task_figures.h"

namespace attn::scene {
namespace {

using Judgement = lesson::Verdict::Judgement;
using core::Array;

constexpr std::size_t kMostNamed = 3;

bool alike(double given, double right, double allowed) {
  if (std::isnan(given) || std::isnan(right)) return std::isnan(given) && std::isnan(right);
  if (std::isinf(given) || std::isinf(right)) return given == right;
  return std::abs(given - right) <= allowed;
}

double halfUnit(int decimals) { return 0.501 * std::pow(10.0, -decimals); }

// Numbers agree within the tolerance; where fewer digits are printed, within half a unit of the last one of each.
class Closeness {
 public:
  Closeness(double tolerance, const io::Pasted& pasted, std::size_t first, int least_decimals)
      : tolerance_(tolerance), decimals_(pasted.decimals), first_(first),
        printed_(pasted.most_decimals >= least_decimals && pasted.most_decimals < 12) {}

  bool printed() const { return printed_; }
  bool exact(double given, double right) const { return alike(given, right, tolerance_ * (1 + std::abs(right))); }
  bool close(Index at, double given, double right) const {
    if (exact(given, right)) return true;
    return printed_ && alike(given, right, halfUnit(decimals_[first_ + static_cast<std::size_t>(at)]));
  }
  Index countOff(const Matrix<double>& given, const Matrix<double>& right) const {
    Index off = 0;
    for (Index i = 0; i < given.size(); ++i) off += !close(i, given.data()[i], right.data()[i]);
    return off;
  }
  Index countBeyond(const Matrix<double>& given, const Matrix<double>& right) const {
    Index off = 0;
    for (Index i = 0; i < given.size(); ++i) off += !exact(given.data()[i], right.data()[i]);
    return off;
  }

 private:
  double tolerance_;
  const std::vector<int>& decimals_;
  std::size_t first_;  // of the numbers that count
  bool printed_;
};

// Fewer digits were typed by somebody who knows them to be exact.
constexpr int kLeastPrinted = 3;

bool evenDecimals(const io::Pasted& pasted) {
  return std::all_of(pasted.decimals.begin(), pasted.decimals.end(), [&](int each) { return each == pasted.most_decimals; });
}

std::string listed(const Matrix<double>& given) {
  constexpr Index kMost = 16;
  std::string text;
  for (Index i = 0; i < std::min(kMost, given.size()); ++i) text += (i ? ", " : "") + core::fullText(given.data()[i]);
  return given.size() <= kMost ? text : tr("{0}, … and {1} more", {text, given.size() - kMost});
}

class Check {
 public:
  Check(const PastedQuestion& question, const Progress& progress) : question_(question), progress_(progress) {
    right_ = arrayMatrix(question.trace, question.head, question.of);
    // A cell that no row may read is −∞ to some and nothing to others: it is compared as it is computed.
    name_ = arrayTitle(question.example, question.of, question.head, static_cast<Index>(question.trace.heads.size()));
    checked_.cells = right_.size();
    checked_.right = name_ + ", " + core::shapeText(right_.rows(), right_.cols());
  }

  core::Result<PastedChecked> run(std::string_view text) {
    if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
      checked_.words = tr("No numbers yet: you looked first.");
      return checked_;
    }
    checked_.judgement = Judgement::kWrong;
    const auto pasted = io::readPasted(text);
    if (!pasted) return refused(pasted.error().message);
    auto given = io::shaped(pasted.value(), right_.rows(), right_.cols());
    std::size_t first = 0;
    if (!given) given = ownHead(pasted.value(), given.error(), first);
    const std::size_t count = pasted.value().count();
    checked_.given = tr("{0} {0|number|numbers}", {count});
    if (!given) return refused(given.error().message + axesText(text, count) + ofAnotherShape(pasted.value()));
    const Closeness closeness(question_.tolerance, pasted.value(), first, kLeastPrinted);
    compare(given.value(), pasted.value(), closeness);
    if (roundsTo(given.value(), pasted.value(), first)) return checked_;  // of rounded numbers no mistake can be told
    if (!judge(given.value(), closeness)) return core::Error{"stopped"};
    return checked_;
  }

 private:
  PastedChecked refused(const std::string& sentence) {
    checked_.words = sentence;
    return checked_;
  }

  // All heads at once: the one that is asked for counts.
  core::Result<Matrix<double>> ownHead(const io::Pasted& pasted, const core::Error& error, std::size_t& first_number) {
    const auto heads = static_cast<Index>(question_.trace.heads.size());
    const bool stacked = heads > 1 && pasted.even() && question_.of != Array::kY && question_.of != Array::kConcat &&
                         static_cast<Index>(pasted.rows.size()) == heads * right_.rows();
    if (!stacked) return error;
    io::Pasted own;
    const auto first = pasted.rows.begin() + question_.head * right_.rows();
    own.rows.assign(first, first + right_.rows());
    first_number = static_cast<std::size_t>(question_.head * right_.rows()) * pasted.rows.front().size();
    return io::shaped(own, right_.rows(), right_.cols());
  }

  // What a person may have meant by numbers of another shape.
  std::string axesText(std::string_view text, std::size_t count) const {
    std::string says = " " + (isMap() ? tr("Rows are destinations, columns are sources.")
                                      : tr("Rows are positions, columns are components."));
    if (count > static_cast<std::size_t>(right_.size()) && io::hasDecimalCommas(text))
      says += " " + tr("A comma parts numbers here: if yours are decimal commas, as in 0,25, write decimal points, 0.25.");
    return says;
  }

  bool isMap() const {
    return question_.of == Array::kScores || question_.of == Array::kScaled || question_.of == Array::kMasked ||
           question_.of == Array::kWeights;
  }

  // Some mistakes give another shape: heads joined and not projected, say.
  std::string ofAnotherShape(const io::Pasted& pasted) {
    std::string says;
    visitMistakes(question_.trace, question_.of, question_.head, question_.example.first_index,
                  [&](const Mistake& mistake, const Matrix<double>& wrong) {
                    if (wrong.rows() == right_.rows() && wrong.cols() == right_.cols()) return true;
                    const auto given = io::shaped(pasted, wrong.rows(), wrong.cols());
                    if (!given) return true;
                    if (Closeness(question_.tolerance, pasted, 0, kLeastPrinted).countOff(given.value(), wrong) > 0) return true;
                    checked_.mistakes.push_back(mistake.id);
                    says = " " + tr("They fit a known mistake: {0}.", {mistake.says});
                    return false;
                  });
    return says;
  }

  // The cell that differs first.
  std::string differingText(Index i, Index j, double given, double computed) const {
    const lesson::Example& example = question_.example;
    const bool of_sources = question_.of == Array::kK || question_.of == Array::kV;
    const std::string row = lesson::positionName(example, i, of_sources, false);
    const std::string yours = core::fixedText(given, 6), right = core::fixedText(computed, 6);
    if (isMap())
      return tr("The first that differs: position {0} reading position {1} is {2}, computed {3}.",
                {row, lesson::positionName(example, j, true, false), yours, right});
    return tr("The first that differs: position {0}, component {1} is {2}, computed {3}.",
              {row, ordinal(example, j), yours, right});
  }

  // How far the cells agree.
  std::string agreementText(const io::Pasted& pasted, const Closeness& closeness) const {
    if (!closeness.printed() || checked_.beyond_tolerance == 0)
      return tr("within {0}", {lesson::toleranceText(question_.tolerance)});
    return evenDecimals(pasted) ? tr("to the {0} {0|decimal|decimals} that you gave", {pasted.most_decimals})
                                : tr("to the digits that you gave");
  }

  void compare(const Matrix<double>& given, const io::Pasted& pasted, const Closeness& closeness) {
    checked_.readable = true;
    checked_.off = closeness.countOff(given, right_);
    checked_.beyond_tolerance = closeness.countBeyond(given, right_);
    std::string first;
    for (Index i = 0; i < given.rows(); ++i) {
      for (Index j = 0; j < given.cols(); ++j) {
        const double a = given(i, j), b = right_(i, j);
        if (std::isfinite(a) && std::isfinite(b)) checked_.largest = std::max(checked_.largest, std::abs(a - b));
        if (first.empty() && !closeness.close(i * given.cols() + j, a, b))
          first = differingText(i, j, a, b);
      }
    }
    const Index agree = checked_.cells - checked_.off;
    checked_.given += ", " + core::shapeText(given.rows(), given.cols()) + ": " + listed(given);
    if (checked_.off == 0) checked_.judgement = Judgement::kRight;
    const std::string within = agreementText(pasted, closeness);
    checked_.words = checked_.off == 0 ? tr("Right: all {0} cells agree {1}.", {checked_.cells, within})
                                       : tr("Not yet: {0} of {1} cells agree {2}.", {agree, checked_.cells, within});
    if (!first.empty()) checked_.words += " " + first;
    if (pasted.nan > 0) checked_.words += " " + tr("{0} of your numbers {0|is|are} NaN.", {pasted.nan});
    if (pasted.infinite > 0) checked_.words += " " + tr("{0} of your numbers {0|is|are} infinite.", {pasted.infinite});
    addGrids(given, closeness);
  }

  // Right numbers, printed with so few decimals that they cannot be told from wrong ones.
  bool roundsTo(const Matrix<double>& given, const io::Pasted& pasted, std::size_t first) {
    if (checked_.off == 0 || pasted.most_decimals < 1 || pasted.most_decimals >= kLeastPrinted) return false;
    if (Closeness(question_.tolerance, pasted, first, 1).countOff(given, right_) > 0) return false;
    checked_.words += " ";
    checked_.words += evenDecimals(pasted)
                          ? tr("To the {0} {0|decimal|decimals} that you gave, every cell agrees; print at least {1}, so that "
                               "rounding can be told from a mistake.", {pasted.most_decimals, kLeastPrinted})
                          : tr("To the digits that you gave, every cell agrees; print at least {0}, so that rounding can be "
                               "told from a mistake.", {kLeastPrinted});
    return true;
  }

  void addGrids(const Matrix<double>& given, const Closeness& closeness) {
    lesson::Grid computed =
        arrayGrid(question_.example, question_.trace, question_.head, question_.of, tr("Computed: {0}", {name_}));
    lesson::Grid yours = computed, difference = computed;
    yours.title = tr("Yours");
    yours.blocked.clear();
    yours.values.assign(given.data(), given.data() + given.size());
    difference = differenceGrid(difference, right_, given, tr("Yours − computed"));
    difference.marked.clear();
    for (Index i = 0; i < given.rows(); ++i)
      for (Index j = 0; j < given.cols(); ++j)
        if (!closeness.close(i * given.cols() + j, given(i, j), right_(i, j))) difference.marked.emplace_back(i, j);
    yours.marked = difference.marked;
    if (difference.marked.empty()) {
      // What is left is rounding: beside the numbers themselves it is nothing, and is coloured so.
      difference.limit = std::max(1.0, right_.array().isFinite().select(right_.array().abs(), 0.0).maxCoeff());
      difference.note = tr("No cell differs by more than is allowed.");
    } else {
      difference.note = tr("Marked cells differ.");
    }
    checked_.blocks.push_back({std::move(yours)});
    checked_.blocks.push_back({std::move(computed), true});
    checked_.blocks.push_back({std::move(difference), true});
  }

  // Tries every known mistake. False when it was stopped.
  bool judge(const Matrix<double>& given, const Closeness& closeness) {
    const bool says_something = given.array().isFinite().any();  // NaN everywhere fits all that divide 0 by 0
    if (checked_.off == 0 || !says_something) return true;
    bool stopped = false;
    double done = 0;
    std::vector<std::string> named;
    visitMistakes(question_.trace, question_.of, question_.head, question_.example.first_index,
                  [&](const Mistake& mistake, const Matrix<double>& wrong) {
                    stopped = !progress_(done = std::min(0.95, done + 0.05));
                    if (stopped) return false;
                    if (wrong.rows() != given.rows() || wrong.cols() != given.cols()) return true;
                    if (closeness.countOff(given, wrong) > 0) return true;
                    checked_.mistakes.push_back(mistake.id);
                    if (named.size() < kMostNamed) named.push_back(mistake.says);
                    return true;
                  });
    if (stopped) return false;
    std::string text;
    for (const std::string& each : named) text = text.empty() ? each : tr("{0}; or {1}", {text, each});
    checked_.words += " " + (text.empty() ? tr("No mistake that is tried here gives your numbers.")
                                          : tr("Your numbers fit a known mistake: {0}.", {text}));
    return true;
  }

  const PastedQuestion& question_;
  const Progress& progress_;
  Matrix<double> right_;
  std::string name_;
  PastedChecked checked_;
};

}  // namespace

core::Result<PastedChecked> checkPasted(const PastedQuestion& question, std::string_view text, const Progress& progress) {
  return Check(question, progress).run(text);
}

}  // namespace attn::scene
