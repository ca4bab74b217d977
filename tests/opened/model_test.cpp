// Layers, sequences and heads put together from arrays as frameworks lay them out: the right matrix, not a turned one.
#include "opened/model.h"

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <vector>

#include "io/array_writer.h"
#include "io/named_array.h"

namespace {

using namespace attn;
using core::Index;
using core::Matrix;
using opened::Model;
using opened::Role;

constexpr std::uint64_t kBudget = 1 << 20;

// Each element is its own index in C order, so that a wrong axis is seen.
io::NamedArray counted(const std::string& name, const std::vector<std::uint64_t>& shape) {
  std::uint64_t count = 1;
  for (const std::uint64_t length : shape) count *= length;
  std::vector<double> values;
  for (std::uint64_t n = 0; n < count; ++n) values.push_back(double(n));
  return {name, shape, values};
}

struct Opened {
  explicit Opened(const std::vector<io::NamedArray>& arrays) : bytes(io::npzOf(arrays).take()), source(std::as_bytes(std::span(bytes))) {
    auto opened = io::openArrays(source, "a.npz");
    REQUIRE_MESSAGE(opened.ok(), (opened ? "" : opened.error().message));
    file = opened.take();
    model.emplace(source, file, opened::guessRoles(file.arrays));
  }
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;

  Matrix<double> matrix(Role role, std::uint64_t layer, std::uint64_t batch, std::uint64_t head) const {
    auto matrix = model->matrix(role, {layer, batch, head}, kBudget);
    REQUIRE_MESSAGE(matrix.ok(), (matrix ? "" : matrix.error().message));
    return matrix.take();
  }

  std::string bytes;
  io::MemorySource source;
  io::ArrayFile file;
  std::optional<Model> model;
};

}  // namespace

TEST_CASE("layers are found by their names, heads and sequences by their axes") {
  const Opened opened({counted("layer10", {2, 3, 4, 4}), counted("layer2", {2, 3, 4, 4})});
  CHECK(opened.model->layers() == 2);
  CHECK(opened.model->batches() == 2);
  CHECK(opened.model->heads() == 3);
  CHECK(*opened.model->layerNumber(0) == 2);
  CHECK(*opened.model->layerNumber(1) == 10);
  CHECK(opened.file.arrays[*opened.model->arrayOf(Role::kWeights, 1)].name == "layer10");
  const Matrix<double> weights = opened.matrix(Role::kWeights, 0, 1, 2);
  CHECK(weights(0, 0) == 1 * 48 + 2 * 16);
  CHECK(weights(1, 0) == weights(0, 0) + 4);
}

TEST_CASE("one array may hold all layers") {
  const Opened opened({counted("attentions", {5, 2, 3, 3})});
  CHECK(opened.model->layers() == 5);
  CHECK(opened.model->heads() == 2);
  CHECK(opened.matrix(Role::kWeights, 4, 0, 1)(2, 1) == 4 * 18 + 9 + 7);
}

TEST_CASE("queries with the head before or behind the position, or heads one after another, give the same rows") {
  const Opened before({counted("q", {1, 2, 3, 4}), counted("weights", {1, 2, 3, 3})});
  CHECK(before.matrix(Role::kQ, 0, 0, 1)(2, 3) == 12 + 8 + 3);
  const Opened behind({counted("q", {1, 3, 2, 4}), counted("weights", {1, 2, 3, 3})});
  CHECK(behind.matrix(Role::kQ, 0, 0, 1)(2, 3) == 2 * 8 + 4 + 3);
  const Opened packed({counted("q", {1, 3, 8}), counted("weights", {1, 2, 3, 3})});
  CHECK(packed.matrix(Role::kQ, 0, 0, 1)(2, 3) == 2 * 8 + 4 + 3);
  CHECK(packed.matrix(Role::kQ, 0, 0, 1).cols() == 4);
}

TEST_CASE("a layer is exported with all heads, keys and values with theirs") {
  const Opened opened({counted("q", {4, 3, 2}), counted("k", {2, 5, 2}), counted("v", {2, 5, 6}), counted("weights", {4, 3, 5})});
  const auto exported = opened.model->exported(0, 0, kBudget);
  REQUIRE_MESSAGE(exported.ok(), (exported ? "" : exported.error().message));
  CHECK(exported.value().q.size() == 4);
  CHECK(exported.value().k.size() == 2);
  CHECK(exported.value().v[1](4, 5) == 59);
  CHECK(exported.value().precision == audit::Precision::kDouble);
}

TEST_CASE("what does not fit together is refused with both names and what differs") {
  const auto refusal = [](const std::vector<io::NamedArray>& arrays) {
    const Opened opened(arrays);
    const auto exported = opened.model->exported(0, 0, kBudget);
    REQUIRE_FALSE(exported.ok());
    return exported.error().message;
  };
  CHECK(refusal({counted("q", {3, 2}), counted("k", {3, 4})}) ==
        "`q` (3×2) and `k` (3×4) do not have the same width d_k; say what their axes are, or which arrays belong together.");
  CHECK(refusal({counted("q", {3, 2}), counted("k", {4, 2}), counted("weights", {3, 3})}).find("`weights` (3×3) and `k` (4×2)") == 0);
  CHECK(refusal({counted("k", {4, 2}), counted("v", {5, 2})}).find("number of sources") != std::string::npos);
}

TEST_CASE("a layer that does not fit into memory is refused with both numbers before it is read") {
  const Opened opened({counted("weights", {2, 30, 30})});
  const auto refused = opened.model->exported(0, 0, 20000);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message ==
        "The heads of layer 0 take 21 KB of memory, more than the 20 KB allowed; export fewer heads or positions.");
}

TEST_CASE("a role without an array is refused, and a place beyond the last") {
  const Opened opened({counted("weights", {2, 3, 3})});
  CHECK_FALSE(opened.model->matrix(Role::kQ, {}, kBudget).ok());
  CHECK_FALSE(opened.model->matrix(Role::kWeights, {0, 0, 2}, kBudget).ok());
  CHECK(Model(opened.source, {}, {}).layers() == 0);
}

TEST_CASE("the steps of a generation are one map, with 0 where a step had no key") {
  // Names count the step, then the layer.
  const Opened opened({counted("attentions.0.0", {1, 2, 3, 3}), counted("attentions.0.1", {1, 2, 3, 3}),
                       counted("attentions.1.0", {1, 2, 1, 4}), counted("attentions.1.1", {1, 2, 1, 4}),
                       counted("attentions.2.0", {1, 2, 1, 5}), counted("attentions.2.1", {1, 2, 1, 5})});
  CHECK(opened.model->layers() == 2);
  CHECK(opened.model->arraysOf(Role::kWeights, 1).size() == 3);
  CHECK(opened.model->lengthOf(Role::kWeights, 1, opened::Axis::kQuery) == 5);
  CHECK(opened.model->lengthOf(Role::kWeights, 1, opened::Axis::kKey) == 5);
  const Matrix<double> weights = opened.matrix(Role::kWeights, 1, 0, 1);
  CHECK(weights.rows() == 5);
  CHECK(weights.cols() == 5);
  CHECK(weights(2, 2) == 17);
  CHECK(weights(2, 3) == 0);
  CHECK(weights(3, 3) == 7);
  CHECK(weights(3, 4) == 0);
  CHECK(weights(4, 4) == 9);
  const auto exported = opened.model->exported(0, 0, kBudget);
  REQUIRE(exported.ok());
  CHECK(exported.value().weights[0].rows() == 5);
}

TEST_CASE("steps without the prompt, named by step and layer, and their scores are put together") {
  const Opened opened({counted("step_2_layer_4_scores", {1, 1, 1, 6}), counted("step_10_layer_4_scores", {1, 1, 1, 7})});
  CHECK(opened.model->layers() == 1);
  const Matrix<double> scores = opened.matrix(Role::kScores, 0, 0, 0);
  CHECK(scores.rows() == 2);
  CHECK(scores(0, 5) == 5);
  CHECK(scores(0, 6) == -std::numeric_limits<double>::infinity());
  CHECK(scores(1, 6) == 6);
}

TEST_CASE("a tuple of tuples saved alone is told by its first step") {
  const Opened opened({counted("0.0", {1, 2, 3, 3}), counted("1.0", {1, 2, 1, 4})});
  CHECK(opened.model->guesses()[1].words.find("as others of its name") != std::string::npos);
  CHECK(opened.matrix(Role::kWeights, 0, 0, 0).rows() == 4);
}

TEST_CASE("steps with all layers in one array each are put together too") {
  const Opened opened({counted("attn.0", {3, 1, 2, 2, 2}), counted("attn.1", {3, 1, 2, 1, 3})});
  CHECK(opened.model->layers() == 3);
  CHECK(opened.matrix(Role::kWeights, 2, 0, 1)(2, 2) == 2 * 6 + 3 + 2);
}

TEST_CASE("arrays of one layer whose keys do not grow by their queries stay what they are") {
  const Opened opened({counted("attn_0_0", {1, 2, 3, 3}), counted("attn_1_0", {1, 2, 1, 5})});
  CHECK(opened.model->arraysOf(Role::kWeights, 0).size() == 1);
  CHECK(opened.matrix(Role::kWeights, 0, 0, 0).rows() == 3);
}

TEST_CASE("steps that together need more memory than allowed are refused with both numbers") {
  const Opened opened({counted("attentions.0.0", {1, 1, 40, 40}), counted("attentions.1.0", {1, 1, 1, 41})});
  const auto refused = opened.model->matrix(Role::kWeights, {}, 10000);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().message ==
        "The steps of layer 0 together take 13 KB of memory, more than the 10 KB allowed; export fewer of them.");
}

TEST_CASE("outputs and inputs do not count sequences, what attention itself has does") {
  const Opened opened({counted("out", {4, 3, 9}), counted("x", {5, 3, 9}), counted("weights", {4, 3, 3})});
  CHECK(opened.model->batches() == 1);
  CHECK(opened.model->heads() == 4);
  const Opened averaged({counted("attn_output_weights", {2, 3, 3}), counted("attn_output", {2, 3, 9})});
  CHECK(averaged.model->batches() == 2);
  CHECK(averaged.model->heads() == 1);
}
