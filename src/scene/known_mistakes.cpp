// Mistakes of three kinds: another problem is solved, another softmax is taken, or the right array is handed in wrongly.
#include "scene/known_mistakes.h"

#include <cmath>
#include <limits>

#include "core/language.h"
#include "core/softmax_variants.h"
#include "scene/task_figures.h"

namespace attn::scene {
namespace {

using core::Array;
using core::Index;
using Numbers = core::Matrix<double>;
using Trace = core::Trace<double>;
using Weights = std::vector<Numbers>;  // of each head

bool behindWeights(Array array) {
  return array == Array::kWeights || array == Array::kZ || array == Array::kConcat || array == Array::kY;
}

// What the mask is laid on.
const Numbers& unmasked(const core::HeadTrace<double>& head) {
  if (head.biased) return *head.biased;
  return head.softcapped ? *head.softcapped : head.scaled;
}

class Trier {
 public:
  using Visit = std::function<bool(const Mistake&, const Numbers&)>;
  Trier(const Trace& trace, Array array, Index head, int first_index, const Visit& visit)
      : trace_(trace), array_(array), head_(head), first_index_(first_index), visit_(visit) {}

  void run() {
    scales();
    if (array_ != Array::kScores && array_ != Array::kScaled) masks();
    if (behindWeights(array_)) softmaxes();
    handedIn();
    swapped();
    otherHeads();
  }

 private:
  bool hasMask() const { return !trace_.problem.mask.none(); }

  void offer(const char* id, const std::string& says, const Numbers& matrix) {
    if (going_ && matrix.size() > 0) going_ = visit_({id, says}, matrix);
  }

  // The array of another problem.
  void solve(const char* id, const std::string& says, const core::Problem<double>& problem) {
    if (!going_) return;
    const auto trace = core::computeTrace(problem);
    if (trace) offer(id, says, arrayMatrix(trace.value(), head_, array_));
  }

  void scales() {
    if (array_ == Array::kScores) return;
    const double d_k = static_cast<double>(trace_.heads.front().q.cols());
    const auto scaled = [&](const char* id, const std::string& says, double scale) {
      if (scale == trace_.scale) return;
      core::Problem<double> problem = trace_.problem;
      problem.scale = scale;
      solve(id, says, problem);
    };
    scaled("no-scale", tr("the scores are not divided by √d_k"), 1);
    scaled("times-root", tr("the scores are multiplied by √d_k instead of being divided by it"), std::sqrt(d_k));
    scaled("by-width", tr("the scores are divided by d_k instead of its root"), 1 / d_k);
    if (!trace_.x) return;
    const double width = static_cast<double>(trace_.x->cols());
    if (width != d_k)
      scaled("by-model-width", tr("the scores are divided by the root of the model's width instead of √d_k"),
             1 / std::sqrt(width));
  }

  void masks() {
    if (!hasMask()) return;
    core::Problem<double> none = trace_.problem;
    none.mask = {};
    solve("no-mask", tr("no mask is applied"), none);
    if (array_ == Array::kMasked) {
      offer("zero-for-blocked", tr("blocked scores are 0 instead of −∞"), core::filled(unmasked(head()), trace_.mask, 0.0));
    }
    allowedWhere("inverted-mask", tr("the mask is turned round: what may be read is blocked"),
                 [&](Index i, Index j) { return !trace_.mask.allowed(i, j); });
    if (!trace_.problem.mask.causal) return;
    const core::MaskSpec& spec = trace_.problem.mask;
    core::MaskSpec others = spec;
    others.causal = false;
    const auto rest = core::makeMask(others, trace_.mask.rows(), trace_.mask.columns());
    if (!rest) return;
    const auto shifted = [&](Index by) {
      return [&, by](Index i, Index j) {
        return rest.value().allowed(i, j) &&
               j <= core::alignedPosition(spec.align, i, trace_.mask.rows(), trace_.mask.columns()) + by;
      };
    };
    allowedWhere("mask-reaches-ahead", tr("the triangle is off by one: each row also reads the next token"), shifted(1));
    allowedWhere("mask-without-self", tr("the triangle is off by one: no row reads its own token"), shifted(-1));
    allowedWhere("mask-other-way", tr("the triangle lies the wrong way round: each row reads its own token and later ones"),
                 [&](Index i, Index j) {
                   return rest.value().allowed(i, j) &&
                          j >= core::alignedPosition(spec.align, i, trace_.mask.rows(), trace_.mask.columns());
                 });
  }

  void allowedWhere(const char* id, const std::string& says, const std::function<bool(Index, Index)>& allowed) {
    core::Problem<double> problem = trace_.problem;
    problem.mask = {};
    problem.mask.allowed.assign(static_cast<std::size_t>(trace_.mask.rows()), {});
    for (Index i = 0; i < trace_.mask.rows(); ++i)
      for (Index j = 0; j < trace_.mask.columns(); ++j)
        problem.mask.allowed[static_cast<std::size_t>(i)].push_back(allowed(i, j));
    solve(id, says, problem);
    if (going_ && behindWeights(array_)) emptyRows(id, says, problem);
  }

  // A row that may read nothing: 0 divided by 0, or equal weights where a large negative number stands for −∞.
  void emptyRows(const char* id, const std::string& says, const core::Problem<double>& problem) {
    const auto trace = core::computeTrace(problem);
    if (!trace) return;
    const core::Mask& mask = trace.value().mask;
    for (const double fill : {std::numeric_limits<double>::quiet_NaN(), 1 / static_cast<double>(mask.columns())}) {
      Weights weights;
      bool any = false;
      for (const auto& head : trace.value().heads) {
        weights.push_back(head.softmax.weights);
        for (Index i = 0; i < mask.rows(); ++i) {
          if (mask.allowedInRow(i) > 0) continue;
          any = true;
          weights.back().row(i).setConstant(fill);
        }
      }
      if (any) weigh(id, says, weights);
    }
  }

  // The array as it is with these weights; values and what follows are right.
  void weigh(const char* id, const std::string& says, const Weights& weights) {
    if (!going_) return;
    if (array_ == Array::kWeights) return offer(id, says, weights[at(head_)]);
    if (array_ == Array::kZ) return offer(id, says, weights[at(head_)] * head().v);
    Numbers concat(trace_.concat.rows(), trace_.concat.cols());
    Index column = 0;
    for (std::size_t h = 0; h < weights.size(); ++h) {
      const Numbers z = weights[h] * trace_.heads[h].v;
      concat.middleCols(column, z.cols()) = z;
      column += z.cols();
    }
    offer(id, says, array_ == Array::kConcat ? concat : projected(concat));
  }

  Numbers projected(const Numbers& concat) const {
    Numbers y = trace_.problem.wo ? Numbers(concat * *trace_.problem.wo) : concat;
    if (trace_.problem.bo) y.rowwise() += *trace_.problem.bo;
    return y;
  }

  template <class Softmax>
  Weights eachHead(Softmax softmax) const {
    Weights all;
    for (const auto& each : trace_.heads) all.push_back(softmax(each));
    return all;
  }

  void softmaxes() {
    using Head = core::HeadTrace<double>;
    const core::Mask& mask = trace_.mask;
    if (hasMask()) {
      weigh("zero-for-blocked", tr("blocked scores are 0 instead of −∞, so they still get weight"),
            eachHead([&](const Head& h) { return core::filledSoftmax(unmasked(h), mask, 0.0); }));
      weigh("mask-after-softmax", tr("the mask comes after the softmax, and rows no longer sum to 1"),
            eachHead([&](const Head& h) { return core::maskedAfterSoftmax(unmasked(h), mask); }));
      weigh("mask-after-softmax-renormalised",
            tr("the mask comes after the softmax, and rows are divided by their sums again"),
            eachHead([&](const Head& h) { return renormalised(core::maskedAfterSoftmax(unmasked(h), mask)); }));
    }
    weigh("columns", tr("the softmax runs down the columns instead of along the rows"),
          eachHead([](const Head& h) { return core::shiftedSoftmaxColumns(h.masked); }));
    weigh("whole-array", tr("one softmax is taken over the whole array instead of one per row"),
          eachHead([](const Head& h) { return overAll(h.masked); }));
    if (trace_.heads.size() > 1)
      weigh("over-heads", tr("the softmax runs over the heads instead of over the sources"), overHeads());
    weigh("turned-weights", tr("the weights are transposed before the values are mixed"), turnedWeights());
    scoresAsWeights();
    weigh("no-exp", tr("each row of scores is divided by its sum, without taking exponentials first"),
          eachHead([&](const Head& h) { return renormalised(core::filled(unmasked(h), mask, 0.0)); }));
    weigh("no-sum", tr("the exponentials are not divided by their sum"),
          eachHead([](const Head& h) { return h.softmax.exp_plain; }));
    weigh("no-sum-shifted", tr("the exponentials, after subtracting the largest score, are not divided by their sum"),
          eachHead([](const Head& h) { return h.softmax.exp; }));
  }

  void scoresAsWeights() {
    using Head = core::HeadTrace<double>;
    const std::string says = tr("no softmax is taken: scores are used as weights");
    weigh("no-softmax", says, eachHead([](const Head& h) { return h.masked; }));
    weigh("no-softmax-scale",
          hasMask() ? tr("no softmax is taken: scores are used as weights, as they are before they are divided and masked")
                    : tr("no softmax is taken: scores are used as weights, as they are before they are divided"),
          eachHead([](const Head& h) { return h.scores; }));
    if (!hasMask()) return;
    weigh("no-softmax", says,
          eachHead([&](const Head& h) { return core::filled(unmasked(h), trace_.mask, 0.0); }));
    weigh("no-softmax-mask", tr("no softmax is taken: scores are used as weights, before the mask"),
          eachHead([](const Head& h) { return unmasked(h); }));
  }

  Weights turnedWeights() const {
    const auto& first = trace_.heads.front().softmax.weights;
    if (array_ == Array::kWeights || first.rows() != first.cols()) return eachHead([](const auto&) { return Numbers(); });
    return eachHead([](const auto& h) { return Numbers(h.softmax.weights.transpose()); });
  }

  static Numbers renormalised(Numbers weights) {
    for (Index i = 0; i < weights.rows(); ++i) {
      const double sum = weights.row(i).sum();
      if (sum != 0) weights.row(i) /= sum;
    }
    return weights;
  }

  static Numbers overAll(const Numbers& scores) {
    const Numbers exp = (scores.array() - scores.maxCoeff()).exp();
    return exp / exp.sum();
  }

  Weights overHeads() const {
    Numbers sum = Numbers::Zero(trace_.mask.rows(), trace_.mask.columns());
    for (const auto& each : trace_.heads) sum += each.masked.array().exp().matrix();
    return eachHead([&](const auto& h) { return Numbers(h.masked.array().exp() / sum.array()); });
  }

  // The right numbers in the wrong place, or of the wrong stage.
  void handedIn() {
    const Numbers right = arrayMatrix(trace_, head_, array_);
    if (right.rows() == right.cols())
      offer("transposed", tr("the array is transposed: rows are sources and columns are destinations"), right.transpose());
    if (array_ == Array::kScaled || array_ == Array::kScores)
      offer("masked", tr("the mask is applied already; up to that, the scores are right"), masked());
    if (array_ == Array::kMasked && hasMask()) offer("unmasked", tr("the mask is not applied yet"), unmasked(head()));
    if (array_ == Array::kY) {
      offer("no-wo", tr("the output projection W_O is missing"), trace_.concat);
      if (trace_.problem.wo && trace_.problem.wo->rows() == trace_.problem.wo->cols())
        offer("turned-wo", tr("W_O is transposed"), trace_.concat * trace_.problem.wo->transpose());
      if (trace_.problem.bo)
        offer("no-bo", tr("the bias of the output projection is missing"), trace_.y.rowwise() - *trace_.problem.bo);
      if (trace_.residual)
        offer("residual-added", tr("the residual is added already; up to that, y is right"), *trace_.residual);
    }
    if (array_ == Array::kZ && head().k.cols() == head().v.cols())
      offer("keys-for-values", tr("keys are mixed instead of values"), head().softmax.weights * head().k);
    if (array_ == Array::kZ && head().q.cols() == head().v.cols() && head().q.rows() == head().v.rows())
      offer("queries-for-values", tr("queries are mixed instead of values"), head().softmax.weights * head().q);
    if (array_ == Array::kZ && !trace_.problem.wv.empty()) mixInputs();
    if (array_ == Array::kZ && head().v.cols() == trace_.y.cols()) offer("projected", tr("W_O is applied already"), trace_.y);
  }

  // Of another width than z as a rule: then the shape alone gives it away.
  void mixInputs() {
    const Numbers sources = arrayMatrix(trace_, head_, trace_.problem.x_sources ? Array::kXSources : Array::kX);
    if (sources.rows() == head().softmax.weights.cols())
      offer("no-wv", tr("the inputs are mixed instead of the values: W_V is missing"), head().softmax.weights * sources);
  }

  Numbers masked() const {
    if (!hasMask()) return {};
    const double blocked = -std::numeric_limits<double>::infinity();
    return core::filled(arrayMatrix(trace_, head_, array_), trace_.mask, blocked);
  }

  // Queries as keys and keys as queries.
  void swapped() {
    core::Problem<double> problem = trace_.problem;
    if (problem.T != problem.S || problem.heads() != problem.keyValueHeads() || array_ == Array::kV) return;
    problem.wq.clear(), problem.wk.clear(), problem.bq.clear(), problem.bk.clear();
    problem.q.clear(), problem.k.clear();
    for (const auto& each : trace_.heads) problem.q.push_back(each.k), problem.k.push_back(each.q);
    solve("swapped", tr("queries and keys are swapped"), problem);
  }

  void otherHeads() {
    for (std::size_t h = 0; h < trace_.heads.size() && going_; ++h) {
      if (h == at(head_) || array_ == Array::kConcat || array_ == Array::kY) continue;
      offer("other-head", tr("these are the numbers of head {0}", {h + at(first_index_)}),
            arrayMatrix(trace_, static_cast<Index>(h), array_));
    }
  }

  const core::HeadTrace<double>& head() const { return trace_.heads[at(head_)]; }
  static std::size_t at(Index i) { return static_cast<std::size_t>(i); }

  const Trace& trace_;
  Array array_;
  Index head_;
  Index first_index_;
  const Visit& visit_;
  bool going_ = true;
};

}  // namespace

bool knowsMistakesOf(Array array) {
  return behindWeights(array) || array == Array::kScores || array == Array::kScaled || array == Array::kMasked;
}

void visitMistakes(const Trace& trace, Array array, Index head, int first_index,
                   const std::function<bool(const Mistake&, const Numbers&)>& visit) {
  if (knowsMistakesOf(array)) Trier(trace, array, head, first_index, visit).run();
}

}  // namespace attn::scene
