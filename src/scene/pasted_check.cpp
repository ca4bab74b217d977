// See pasted_check.h.
#include "scene/pasted_check.h"

#include <algorithm>
#include <cmath>

#include "core/number.h"
#include "io/pasted.h"
#include "lesson/token_text.h"
#include "scene/figures.h"
#include "scene/known_mistakes.h"
#include "scene/task_figures.h"

namespace attn::scene {
namespace {

using Judgement = lesson::Verdict::Judgement;
using core::Array;

constexpr std::size_t kMostNamed = 3;

// Numbers agree within the tolerance; where fewer digits are printed, within half a unit of the last one.
struct Closeness {
  double tolerance, half_unit;

  bool close(double given, double right) const { return within(given, right, half_unit); }
  bool exact(double given, double right) const { return within(given, right, 0); }

  bool within(double given, double right, double more) const {
    if (std::isnan(given) || std::isnan(right)) return std::isnan(given) && std::isnan(right);
    if (std::isinf(given) || std::isinf(right)) return given == right;
    return std::abs(given - right) <= std::max(tolerance * (1 + std::abs(right)), more);
  }
};

double halfUnit(int decimals) { return 0.501 * std::pow(10.0, -decimals); }

// Digits of one number in four places or more; fewer were typed by somebody who knows them to be exact.
Closeness closenessOf(const PastedQuestion& question, const io::Pasted& pasted) {
  const bool printed = pasted.decimals >= 3 && pasted.decimals < 12;
  return {question.tolerance, printed ? halfUnit(pasted.decimals) : 0};
}

Index countOff(const Matrix<double>& given, const Matrix<double>& right, const Closeness& closeness) {
  Index off = 0;
  for (Index i = 0; i < given.size(); ++i) off += !closeness.close(given.data()[i], right.data()[i]);
  return off;
}

Index countBeyond(const Matrix<double>& given, const Matrix<double>& right, const Closeness& closeness) {
  Index off = 0;
  for (Index i = 0; i < given.size(); ++i) off += !closeness.exact(given.data()[i], right.data()[i]);
  return off;
}

std::string listed(const Matrix<double>& given) {
  constexpr Index kMost = 16;
  std::string text;
  for (Index i = 0; i < std::min(kMost, given.size()); ++i) text += (i ? ", " : "") + core::fullText(given.data()[i]);
  return given.size() <= kMost ? text : text + ", … and " + std::to_string(given.size() - kMost) + " more";
}

std::string cells(Index count, Index of) {
  return count == of ? "all " + std::to_string(of) + " cells"
                     : std::to_string(count) + " of " + std::to_string(of) + " cells";
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
      checked_.words = "No numbers yet: you looked first.";
      return checked_;
    }
    checked_.judgement = Judgement::kWrong;
    const auto pasted = io::readPasted(text);
    if (!pasted) return refused(pasted.error().message);
    auto given = io::shaped(pasted.value(), right_.rows(), right_.cols());
    if (!given) given = ownHead(pasted.value(), given.error());
    const std::size_t count = pasted.value().count();
    checked_.given = std::to_string(count) + (count == 1 ? " number" : " numbers");
    if (!given) return refused(given.error().message + ofAnotherShape(pasted.value()));
    compare(given.value(), pasted.value());
    if (!judge(given.value(), closenessOf(question_, pasted.value()))) return core::Error{"stopped"};
    return checked_;
  }

 private:
  PastedChecked refused(const std::string& sentence) {
    checked_.words = sentence;
    return checked_;
  }

  // All heads at once: the one that is asked for counts.
  core::Result<Matrix<double>> ownHead(const io::Pasted& pasted, const core::Error& error) {
    const auto heads = static_cast<Index>(question_.trace.heads.size());
    const bool stacked = heads > 1 && pasted.even() && question_.of != Array::kY && question_.of != Array::kConcat &&
                         static_cast<Index>(pasted.rows.size()) == heads * right_.rows();
    if (!stacked) return error;
    io::Pasted own;
    const auto first = pasted.rows.begin() + question_.head * right_.rows();
    own.rows.assign(first, first + right_.rows());
    own.decimals = pasted.decimals;
    return io::shaped(own, right_.rows(), right_.cols());
  }

  // Some mistakes give another shape: heads joined and not projected, say.
  std::string ofAnotherShape(const io::Pasted& pasted) {
    std::string says;
    visitMistakes(question_.trace, question_.of, question_.head,
                  [&](const Mistake& mistake, const Matrix<double>& wrong) {
                    if (wrong.rows() == right_.rows() && wrong.cols() == right_.cols()) return true;
                    const auto given = io::shaped(pasted, wrong.rows(), wrong.cols());
                    if (!given || countOff(given.value(), wrong, closenessOf(question_, pasted)) > 0) return true;
                    checked_.mistakes.push_back(mistake.id);
                    says = " They fit a known mistake: " + mistake.says + ".";
                    return false;
                  });
    return says;
  }

  // The cell that differs first, as sentences name it.
  std::string placeText(Index i, Index j) const {
    const lesson::Example& example = question_.example;
    const bool of_sources = question_.of == Array::kK || question_.of == Array::kV;
    const std::string place = lesson::positionText(example, i, of_sources, false);
    const bool map = right_.cols() == static_cast<Index>(example.sources.size()) &&
                     (question_.of == Array::kScores || question_.of == Array::kScaled ||
                      question_.of == Array::kMasked || question_.of == Array::kWeights);
    if (map) return place + " reading " + lesson::positionText(example, j, true, false);
    return place + ", component " + std::to_string(j + example.first_index);
  }

  void compare(const Matrix<double>& given, const io::Pasted& pasted) {
    const Closeness closeness = closenessOf(question_, pasted);
    checked_.readable = true;
    checked_.off = countOff(given, right_, closeness);
    checked_.beyond_tolerance = countBeyond(given, right_, closeness);
    std::string first;
    for (Index i = 0; i < given.rows(); ++i) {
      for (Index j = 0; j < given.cols(); ++j) {
        const double a = given(i, j), b = right_(i, j);
        if (std::isfinite(a) && std::isfinite(b)) checked_.largest = std::max(checked_.largest, std::abs(a - b));
        if (first.empty() && !closeness.close(a, b))
          first = "The first that differs: " + placeText(i, j) + " is " + core::fixedText(a, 6) + ", computed " +
                  core::fixedText(b, 6) + ".";
      }
    }
    const Index agree = checked_.cells - checked_.off;
    checked_.given += ", " + core::shapeText(given.rows(), given.cols()) + ": " + listed(given);
    if (checked_.off == 0) checked_.judgement = Judgement::kRight;
    checked_.words = checked_.off == 0 ? "Right: " + cells(checked_.cells, checked_.cells) + " agree"
                                       : "Not yet: " + cells(agree, checked_.cells) + " agree";
    checked_.words += closeness.half_unit > 0 && checked_.beyond_tolerance > 0
                          ? " to the " + std::to_string(pasted.decimals) + " decimals that you gave."
                          : " within " + core::fullText(question_.tolerance) + ".";
    if (checked_.off > 0 && allRoundTo(given, pasted.decimals))
      checked_.words += " To the " + std::to_string(pasted.decimals) + (pasted.decimals == 1 ? " decimal" : " decimals") +
                        " that you gave, every cell agrees: print more of them.";
    else if (!first.empty()) checked_.words += " " + first;
    if (pasted.nan > 0) checked_.words += " " + std::to_string(pasted.nan) + " of your numbers are NaN.";
    if (pasted.infinite > 0) checked_.words += " " + std::to_string(pasted.infinite) + " of your numbers are infinite.";
    addGrids(given, closeness);
  }

  bool allRoundTo(const Matrix<double>& given, int decimals) const {
    return decimals > 0 && countOff(given, right_, {question_.tolerance, halfUnit(decimals)}) == 0;
  }

  void addGrids(const Matrix<double>& given, const Closeness& closeness) {
    lesson::Grid computed =
        arrayGrid(question_.example, question_.trace, question_.head, question_.of, "Computed: " + name_);
    lesson::Grid yours = computed, difference = computed;
    yours.title = "Yours";
    yours.blocked.clear();
    yours.values.assign(given.data(), given.data() + given.size());
    difference = differenceGrid(difference, right_, given, "Yours − computed");
    difference.marked.clear();
    for (Index i = 0; i < given.rows(); ++i)
      for (Index j = 0; j < given.cols(); ++j)
        if (!closeness.close(given(i, j), right_(i, j))) difference.marked.emplace_back(i, j);
    yours.marked = difference.marked;
    if (difference.marked.empty()) difference.note = "No cell differs by more than is allowed.";
    else difference.note = "Marked cells differ.";
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
    visitMistakes(question_.trace, question_.of, question_.head,
                  [&](const Mistake& mistake, const Matrix<double>& wrong) {
                    stopped = !progress_(done = std::min(0.95, done + 0.05));
                    if (stopped) return false;
                    if (wrong.rows() != given.rows() || wrong.cols() != given.cols()) return true;
                    if (countOff(given, wrong, closeness) > 0) return true;
                    checked_.mistakes.push_back(mistake.id);
                    if (named.size() < kMostNamed) named.push_back(mistake.says);
                    return true;
                  });
    if (stopped) return false;
    std::string text;
    for (const std::string& each : named) text += (text.empty() ? "" : "; or ") + each;
    checked_.words += text.empty() ? " No mistake that is tried here gives your numbers."
                                   : " Your numbers fit a known mistake: " + text + ".";
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
