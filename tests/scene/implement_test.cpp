// A person's own numbers beside ours, and every known mistake by its name.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "core/number.h"
#include "core/rng.h"
#include "io/pasted.h"
#include "lesson/example.h"
#include "scene/known_mistakes.h"
#include "scene/pasted_check.h"
#include "support/sanitized.h"
#include "support/problems.h"
#include "support/scenes.h"

namespace {

using namespace attn;
using namespace attn::test;
using core::Array;
using core::Index;
using Judgement = lesson::Verdict::Judgement;

// As NumPy prints it, to that many decimals; −1: all digits.
std::string printed(const Matrix& matrix, int decimals = -1) {
  std::string text = "array([";
  for (Index i = 0; i < matrix.rows(); ++i) {
    text += i ? ",\n       [" : "[";
    for (Index j = 0; j < matrix.cols(); ++j) {
      char number[64];
      std::snprintf(number, sizeof number, "%.*f", decimals, matrix(i, j));
      text += (j ? ", " : "") + (decimals < 0 ? core::machineText(matrix(i, j)) : std::string(number));
    }
    text += "]";
  }
  return text + "])";
}

// T tokens with inputs, weights, W_O and a triangle, all drawn at random.
lesson::Example randomExample(std::uint64_t seed, Index heads) {
  core::Rng rng(seed);
  lesson::Example example;
  const Index T = 4 + rng.below(3), D = 5, d_k = 3;
  for (Index i = 0; i < T; ++i) example.tokens.push_back("t" + std::to_string(i));
  example.sources = example.tokens;
  example.problem.T = example.problem.S = T;
  example.problem.x = rng.normalMatrix(T, D);
  for (Index h = 0; h < heads; ++h) {
    example.problem.wq.push_back(rng.normalMatrix(D, d_k));
    example.problem.wk.push_back(rng.normalMatrix(D, d_k));
    example.problem.wv.push_back(rng.normalMatrix(D, d_k));
  }
  example.problem.wo = rng.normalMatrix(heads * d_k, D);
  example.problem.mask.causal = true;
  example.problem.residual = core::Residual::kInput;
  return example;
}

scene::PastedChecked check(const lesson::Example& example, const core::Trace<double>& trace, Array of, Index head,
                           const std::string& text) {
  const scene::Progress go_on = [](double) { return true; };
  auto checked = scene::checkPasted({example, trace, of, head}, text, go_on);
  REQUIRE(checked.ok());
  return checked.take();
}

Matrix matrixOf(const core::Trace<double>& trace, Array of, Index head) {
  const auto view = core::arrayOf(trace, head, of);
  return Eigen::Map<const Matrix>(view.data, view.rows, view.columns);
}

bool near(const Matrix& a, const Matrix& b) {
  if (a.rows() != b.rows() || a.cols() != b.cols()) return false;
  for (Index i = 0; i < a.size(); ++i) {
    const double x = a.data()[i], y = b.data()[i];
    if (x != y && !(std::isnan(x) && std::isnan(y)) && !(std::abs(x - y) <= 1e-6 * (1 + std::abs(y)))) return false;
  }
  return true;
}


}  // namespace

TEST_CASE("right numbers are right in every print, and as precise as they are written") {
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const lesson::Example example = randomExample(seed, 1 + static_cast<Index>(seed % 2));
    const auto trace = core::computeTrace(example.problem);
    for (const Array of : {Array::kScaled, Array::kWeights, Array::kZ, Array::kY}) {
      const Matrix right = matrixOf(trace.value(), of, 0);
      for (const int decimals : {-1, 4, 8}) {
        const auto checked = check(example, trace.value(), of, 0, printed(right, decimals));
        CAPTURE(decimals);
        CHECK_MESSAGE(checked.judgement == Judgement::kRight, checked.words);
        CHECK(checked.off == 0);
        CHECK((decimals == 4) == (checked.beyond_tolerance > 0));
        CHECK(checked.mistakes.empty());
      }
    }
  }
}

TEST_CASE("the scientific print of PyTorch is as precise as its digits") {
  const auto example = lesson::builtInExample("three-positions");
  const auto trace = core::computeTrace(example.value().problem);
  const auto checked = check(example.value(), trace.value(), Array::kWeights, 0,
                             "tensor([[1.0000e+00, 0.0000e+00, 0.0000e+00],\n        [3.3333e-01, 6.6667e-01, 0.0000e+00],\n"
                             "        [2.5000e-01, 2.5000e-01, 5.0000e-01]])");
  CHECK_MESSAGE(checked.judgement == Judgement::kRight, checked.words);
}

TEST_CASE("one wrong cell is found, named and counted") {
  const lesson::Example example = randomExample(3, 1);
  const auto trace = core::computeTrace(example.problem);
  Matrix wrong = matrixOf(trace.value(), Array::kWeights, 0);
  wrong(2, 1) += 1e-5;
  const auto checked = check(example, trace.value(), Array::kWeights, 0, printed(wrong));
  CHECK(checked.judgement == Judgement::kWrong);
  CHECK(checked.off == 1);
  CHECK(checked.largest == doctest::Approx(1e-5).epsilon(0.01));
  CHECK_MESSAGE(checked.words.find("“t2”") != std::string::npos, checked.words);
  CHECK(checked.words.find("“t1”") != std::string::npos);
  CHECK(checked.mistakes.empty());
}

TEST_CASE("each known mistake is recognised on random problems, and not taken for another that gives other numbers") {
  std::set<std::string> seen;
  for (std::uint64_t seed = 1; seed <= (test::kSanitized ? 2 : 8); ++seed) {
    for (const Index heads : {Index(1), Index(2)}) {
      const lesson::Example example = randomExample(seed, heads);
      const auto trace = core::computeTrace(example.problem);
      for (const Array of : {Array::kScaled, Array::kWeights, Array::kZ, Array::kY}) {
        const Matrix right = matrixOf(trace.value(), of, 0);
        std::vector<std::pair<std::string, Matrix>> all;
        scene::visitMistakes(trace.value(), of, 0, 0, [&](const scene::Mistake& found, const Matrix& made) {
          all.emplace_back(found.id, made);
          return true;
        });
        CHECK_FALSE(all.empty());
        for (const auto& mistake : all) {
          const std::string& id = mistake.first;
          const Matrix& matrix = mistake.second;
          CAPTURE(id);
          CAPTURE(core::arrayName(of));
          const auto checked = check(example, trace.value(), of, 0, printed(matrix));
          if (near(matrix, right)) {
            CHECK(checked.judgement == Judgement::kRight);
            continue;
          }
          CHECK(checked.judgement == Judgement::kWrong);
          CHECK(std::count(checked.mistakes.begin(), checked.mistakes.end(), id) >= 1);
          seen.insert(id);
          for (const std::string& named : checked.mistakes) {
            const bool same = std::any_of(all.begin(), all.end(), [&](const auto& other) {
              return other.first == named && near(other.second, matrix);
            });
            CHECK_MESSAGE(same, named);
          }
        }
      }
    }
  }
  for (const char* id : {"no-scale", "times-root", "by-width", "by-model-width", "no-mask", "inverted-mask",
                         "mask-reaches-ahead", "mask-without-self", "zero-for-blocked", "mask-after-softmax", "columns",
                         "whole-array", "over-heads", "no-softmax", "no-sum", "transposed", "masked", "no-wo",
                         "residual-added", "no-exp", "keys-for-values", "swapped", "other-head", "turned-weights",
                         "mask-other-way", "queries-for-values", "no-softmax-mask", "no-softmax-scale"}) {
    CHECK_MESSAGE(seen.count(id) == 1, id);
  }
}

TEST_CASE("mistakes are known as programs print them, with rows that read nothing and scores in the place of weights") {
  const lesson::Example example = randomExample(5, 1);
  const auto trace = core::computeTrace(example.problem);
  const auto& head = trace.value().heads[0];
  const Index T = head.q.rows();
  // The softmax of what `reads` allows; a row that may read nothing is NaN, or equal weights.
  const auto weights = [&](auto reads, double empty) {
    Matrix all = Matrix::Zero(T, T);
    for (Index i = 0; i < T; ++i) {
      double sum = 0;
      for (Index j = 0; j < T; ++j) sum += all(i, j) = reads(i, j) ? std::exp(head.q.row(i).dot(head.k.row(j)) / std::sqrt(3.0)) : 0;
      if (sum > 0) all.row(i) /= sum;
      else all.row(i).setConstant(empty);
    }
    return all;
  };
  const auto other_way = [](Index i, Index j) { return j >= i; };
  const auto without_self = [](Index i, Index j) { return j < i; };
  const double equal = 1 / static_cast<double>(T), nan = std::nan("");
  Matrix lower = head.scaled;
  for (Index i = 0; i < T; ++i)
    for (Index j = i + 1; j < T; ++j) lower(i, j) = 0;
  const Matrix right = matrixOf(trace.value(), Array::kWeights, 0);
  struct Wrong {
    const char* id;
    Matrix weights, z;
  };
  for (const Wrong& each : {Wrong{"mask-other-way", weights(other_way, 0), weights(other_way, 0) * head.v},
                            Wrong{"mask-without-self", weights(without_self, nan), weights(without_self, nan) * head.v},
                            Wrong{"mask-without-self", weights(without_self, equal), weights(without_self, equal) * head.v},
                            Wrong{"no-softmax", lower, lower * head.v},
                            Wrong{"no-softmax-mask", head.scaled, head.scaled * head.v},
                            Wrong{"queries-for-values", Matrix(), right * head.q}}) {
    CAPTURE(each.id);
    const auto z = check(example, trace.value(), Array::kZ, 0, printed(each.z));
    CHECK_MESSAGE(z.mistakes == std::vector<std::string>{each.id}, z.words);
    if (each.weights.size() == 0) continue;
    const auto map = check(example, trace.value(), Array::kWeights, 0, printed(each.weights));
    CHECK_MESSAGE(map.mistakes == std::vector<std::string>{each.id}, map.words);
  }
}

TEST_CASE("each number of a print is judged by its own digits") {
  const lesson::Example example = randomExample(6, 1);
  const auto trace = core::computeTrace(example.problem);
  const Matrix right = matrixOf(trace.value(), Array::kWeights, 0);
  const auto general = [](const Matrix& matrix) {
    std::string text;
    for (Index i = 0; i < matrix.rows(); ++i)
      for (Index j = 0; j < matrix.cols(); ++j) {
        char number[32];
        std::snprintf(number, sizeof number, "%.4g", matrix(i, j));
        text += number + std::string(j + 1 == matrix.cols() ? "\n" : " ");
      }
    return text;
  };
  const auto checked = check(example, trace.value(), Array::kWeights, 0, general(right));
  CHECK_MESSAGE(checked.judgement == Judgement::kRight, checked.words);
  CHECK(checked.words.find("to the digits that you gave") != std::string::npos);
  Matrix wrong = right;
  wrong(1, 0) += wrong(1, 0) > 0.1 ? 2e-4 : 2e-5;
  CHECK(check(example, trace.value(), Array::kWeights, 0, general(wrong)).off == 1);
}

TEST_CASE("decimal commas are told from commas between numbers, and rows and columns are named for what they are") {
  const lesson::Example example = randomExample(1, 1);
  const auto trace = core::computeTrace(example.problem);
  const Matrix right = matrixOf(trace.value(), Array::kZ, 0);
  std::string text = printed(right, 4);
  for (std::size_t i = 1; i + 1 < text.size(); ++i) {
    if (text[i] == ',') text[i] = ';';
    if (text[i] == '.') text[i] = ',';
  }
  const auto checked = check(example, trace.value(), Array::kZ, 0, text);
  CHECK_FALSE(checked.readable);
  CHECK_MESSAGE(checked.words.find("write decimal points") != std::string::npos, checked.words);
  const auto turned = check(example, trace.value(), Array::kZ, 0, printed(right.transpose()));
  CHECK_MESSAGE(turned.words.find("yours is turned") != std::string::npos, turned.words);
  CHECK(turned.words.find("Rows are positions, columns are components.") != std::string::npos);
  CHECK(turned.words.find("decimal points") == std::string::npos);
}

TEST_CASE("what only rounding leaves is coloured as nothing") {
  const lesson::Example example = randomExample(1, 1);
  const auto trace = core::computeTrace(example.problem);
  const Matrix right = matrixOf(trace.value(), Array::kWeights, 0);
  const auto limitOf = [&](const Matrix& given) {
    const auto checked = check(example, trace.value(), Array::kWeights, 0, printed(given, 8));
    return std::get<lesson::Grid>(checked.blocks.back().content).limit;
  };
  CHECK(limitOf(right) >= 1);
  CHECK(limitOf((right.array() + 0.01).matrix()) == 0);
}

TEST_CASE("random wrong numbers are taken for no known mistake") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const lesson::Example example = randomExample(seed, 2);
    const auto trace = core::computeTrace(example.problem);
    const Matrix right = matrixOf(trace.value(), Array::kWeights, 1);
    core::Rng rng(seed + 100);
    const auto checked =
        check(example, trace.value(), Array::kWeights, 1, printed(rng.normalMatrix(right.rows(), right.cols()), 4));
    CHECK(checked.judgement == Judgement::kWrong);
    CHECK(checked.mistakes.empty());
  }
}

TEST_CASE("too few decimals are told from wrong numbers, and nothing but NaN fits no mistake") {
  const lesson::Example example = randomExample(4, 1);
  const auto trace = core::computeTrace(example.problem);
  const Matrix right = matrixOf(trace.value(), Array::kWeights, 0);
  const auto rounded = check(example, trace.value(), Array::kWeights, 0, printed(right, 2));
  CHECK(rounded.judgement == Judgement::kWrong);
  CHECK_MESSAGE(rounded.words.find("To the 2 decimals that you gave, every cell agrees; print at least 3") != std::string::npos, rounded.words);
  CHECK(rounded.words.find("No mistake") == std::string::npos);
  const auto off = check(example, trace.value(), Array::kWeights, 0, printed((right.array() + 0.02).matrix(), 2));
  CHECK(off.words.find("every cell agrees") == std::string::npos);
  const Matrix nan = Matrix::Constant(right.rows(), right.cols(), std::nan(""));
  CHECK(check(example, trace.value(), Array::kWeights, 0, printed(nan)).mistakes.empty());
}

TEST_CASE("inputs mixed instead of values are known by their width, and by their numbers where it is the same") {
  const lesson::Example wide = randomExample(2, 1);
  const auto trace = core::computeTrace(wide.problem);
  const Matrix weights = matrixOf(trace.value(), Array::kWeights, 0);
  const auto other = check(wide, trace.value(), Array::kZ, 0, printed(weights * *trace.value().x));
  CHECK(other.mistakes == std::vector<std::string>{"no-wv"});
  lesson::Example same = wide;
  core::Rng rng(9);
  same.problem.wv = {rng.normalMatrix(5, 5)};
  same.problem.wo = rng.normalMatrix(5, 5);
  const auto even = core::computeTrace(same.problem);
  const auto given = check(same, even.value(), Array::kZ, 0, printed(weights * *even.value().x));
  CHECK(given.mistakes == std::vector<std::string>{"no-wv"});
  CHECK_MESSAGE(given.given.find("more") != std::string::npos, given.given);
}

TEST_CASE("a mistake of another shape is named too, and so are both shapes") {
  const lesson::Example example = randomExample(2, 2);
  const auto trace = core::computeTrace(example.problem);
  const auto checked = check(example, trace.value(), Array::kY, 0, printed(trace.value().concat));
  CHECK(checked.judgement == Judgement::kWrong);
  CHECK_FALSE(checked.readable);
  CHECK(checked.mistakes == std::vector<std::string>{"no-wo"});
  CHECK_MESSAGE(checked.words.find("×6 numbers") != std::string::npos, checked.words);
  CHECK(checked.words.find("×5 are wanted") != std::string::npos);
}

TEST_CASE("all heads at once are taken for the one that is asked for") {
  const lesson::Example example = randomExample(5, 2);
  const auto trace = core::computeTrace(example.problem);
  const std::string both = "[" + printed(matrixOf(trace.value(), Array::kWeights, 0)) + ", " +
                           printed(matrixOf(trace.value(), Array::kWeights, 1)) + "]";
  CHECK(check(example, trace.value(), Array::kWeights, 0, both).judgement == Judgement::kRight);
  CHECK(check(example, trace.value(), Array::kWeights, 1, both).judgement == Judgement::kRight);
}

TEST_CASE("nan and infinite numbers are accepted, and said") {
  const lesson::Example example = randomExample(1, 1);
  const auto trace = core::computeTrace(example.problem);
  Matrix wrong = matrixOf(trace.value(), Array::kWeights, 0);
  wrong(0, 0) = std::nan("");
  wrong(1, 0) = -INFINITY;
  const auto checked = check(example, trace.value(), Array::kWeights, 0, printed(wrong));
  CHECK(checked.off == 2);
  CHECK(checked.words.find("1 of your numbers is NaN") != std::string::npos);
  CHECK(checked.words.find("1 of your numbers is infinite") != std::string::npos);
}

TEST_CASE("the page waits for numbers, says what it could not read, and shows a claim for the mistake") {
  const lesson::Page empty = pageOf("implement");
  CHECK_FALSE(flagOf(empty, "given"));
  CHECK(empty.says.find("nothing is pasted yet") != std::string::npos);
  const lesson::Page unreadable = pageOf("implement", {{"numbers", "[[0.1, ...]]"}});
  CHECK(flagOf(unreadable, "given"));
  CHECK_FALSE(flagOf(unreadable, "readable"));
  CHECK(unreadable.says.find("abbreviated") != std::string::npos);
  CHECK(says(unreadable, "abbreviated"));
  for (const lesson::Block& block : unreadable.blocks) CHECK_FALSE(std::holds_alternative<lesson::Verdict>(block.content));
  const lesson::Page no_mask =
      pageOf("implement", {{"source", "open"}, {"numbers", "1/2 1/4 1/4\n1/5 2/5 2/5\n1/4 1/4 1/2"}});
  CHECK(numberOf(no_mask, "off") > 0);
  const lesson::Page right = pageOf("implement", {{"numbers", "1 0 0 1/3 2/3 0 1/4 1/4 1/2"}});
  CHECK(flagOf(right, "right"));
  CHECK(says(right, "Yours"));
}

TEST_CASE("a mask of zeros is recognised in the open example") {
  // Row by row e^0 for what is blocked: [2, 1, 1]/4, [1, 2, 1]/4, [2, 2, 4]/8.
  const lesson::Page page = pageOf("implement", {{"numbers", "0.5,0.25,0.25\n0.25,0.5,0.25\n0.25,0.25,0.5"}});
  CHECK(resultOf<std::vector<std::string>>(page, "mistakes") == std::vector<std::string>{"zero-for-blocked"});
  const std::string fits = "Your numbers fit a known mistake: blocked scores are 0 instead of −∞";
  CHECK(page.says.find(fits) != std::string::npos);
}

TEST_CASE("the small example and every head of it can be implemented") {
  for (const char* head : {"0", "1"}) {
    const lesson::Page page =
        pageOf("implement", {{"source", "small"}, {"of_head", head}, {"of", "z"}, {"numbers", "0"}});
    CHECK(page.says.find("4×2 are wanted") != std::string::npos);
  }
  CHECK(pageOf("implement", {{"source", "small"}, {"of", "y"}, {"numbers", "0"}}).says.find("4×3 are wanted") !=
        std::string::npos);
}
