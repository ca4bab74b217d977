// The decoder's forward pass: its parts, what they add up to, and that nothing looks ahead.
#include "core/decoder.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/norm.h"
#include "support/problems.h"

namespace {

using namespace attn::core;
using attn::test::largestDifference;
using attn::test::Random;

constexpr Index kVocabulary = 11, kContext = 12, kWidth = 8, kHeads = 2, kHidden = 20;

template <class Scalar>
Matrix<Scalar> matrixOf(Random& random, Index rows, Index columns) {
  return (random.matrix(rows, columns) / std::sqrt(static_cast<double>(rows))).template cast<Scalar>();
}

template <class Scalar>
Norm<Scalar> normOf(Random& random) {
  const RowVector<Scalar> gain = matrixOf<Scalar>(random, 1, kWidth), bias = matrixOf<Scalar>(random, 1, kWidth);
  return {Scalar(1e-5), gain, bias};
}

template <class Scalar>
DecoderBlock<Scalar> blockOf(Random& random) {
  DecoderBlock<Scalar> block;
  Problem<Scalar>& attention = block.attention;
  for (Index h = 0; h < kHeads; ++h) {
    for (auto* weights : {&attention.wq, &attention.wk, &attention.wv})
      weights->push_back(matrixOf<Scalar>(random, kWidth, kWidth / kHeads));
    for (auto* biases : {&attention.bq, &attention.bk, &attention.bv})
      biases->push_back(matrixOf<Scalar>(random, 1, kWidth / kHeads));
  }
  attention.wo = matrixOf<Scalar>(random, kWidth, kWidth);
  attention.bo = RowVector<Scalar>(matrixOf<Scalar>(random, 1, kWidth));
  attention.norm = normOf<Scalar>(random);
  attention.mask = plainMask(true);
  block.mlp_norm = normOf<Scalar>(random);
  block.widen = {matrixOf<Scalar>(random, kWidth, kHidden), matrixOf<Scalar>(random, 1, kHidden)};
  block.narrow = {matrixOf<Scalar>(random, kHidden, kWidth), matrixOf<Scalar>(random, 1, kWidth)};
  return block;
}

template <class Scalar>
Decoder<Scalar> randomDecoder(std::uint64_t seed, int blocks) {
  Random random(seed);
  Decoder<Scalar> decoder;
  decoder.tokens = matrixOf<Scalar>(random, kVocabulary, kWidth);
  decoder.positions = matrixOf<Scalar>(random, kContext, kWidth);
  for (int l = 0; l < blocks; ++l) decoder.blocks.push_back(blockOf<Scalar>(random));
  decoder.final_norm = normOf<Scalar>(random);
  decoder.unembedding = matrixOf<Scalar>(random, kVocabulary, kWidth);
  return decoder;
}

template <class Scalar>
DecoderRun<Scalar> runOf(const Decoder<Scalar>& decoder, const std::vector<Index>& tokens) {
  Result<DecoderRun<Scalar>> run = runDecoder<Scalar>(decoder, tokens);
  REQUIRE_MESSAGE(run.ok(), (run ? "" : run.error().message));
  return run.take();
}

std::string refusalOf(const std::vector<Index>& tokens) {
  const auto run = runDecoder<double>(randomDecoder<double>(1, 1), tokens);
  return run ? "computed" : run.error().message;
}

const std::vector<Index> kText = {3, 1, 4, 1, 5, 9, 2, 6};

template <class Scalar>
void checkNoLookAhead() {
  const Decoder<Scalar> decoder = randomDecoder<Scalar>(2, 3);
  const DecoderRun<Scalar> plain = runOf(decoder, kText);
  for (std::size_t changed = 1; changed < kText.size(); ++changed) {
    std::vector<Index> text = kText;
    text[changed] = 10;
    const DecoderRun<Scalar> run = runOf(decoder, text);
    const auto earlier = static_cast<Index>(changed);
    CHECK(run.logits.topRows(earlier) == plain.logits.topRows(earlier));
    CHECK(run.logits.row(earlier) != plain.logits.row(earlier));
    // A text that ends before is the same text, too.
    text.resize(changed);
    CHECK(runOf(decoder, text).logits == plain.logits.topRows(earlier));
  }
}

}  // namespace

TEST_CASE("GELU is the tanh form, not the one with the error function") {
  // Of erf it would be 0.8413447…, the share of a normal distribution below 1.
  CHECK(std::abs(gelu(1.0) - 0.8411919906082768) < 1e-15);
  CHECK(std::abs(gelu(-1.0) + 0.1588080093917233) < 1e-15);
  CHECK(gelu(0.0) == 0);
  CHECK(gelu(40.0f) == 40.0f);
  CHECK(gelu(-40.0f) == 0.0f);
}

TEST_CASE("A later token changes no earlier logit, not by one bit") {
  checkNoLookAhead<double>();
  checkNoLookAhead<float>();
}

TEST_CASE("Every head of the decoder reads only what was before, and its weights sum to 1") {
  const DecoderRun<double> run = runOf(randomDecoder<double>(3, 2), kText);
  REQUIRE(run.blocks.size() == 2);
  for (const BlockRun<double>& block : run.blocks) {
    REQUIRE(block.attention.heads.size() == kHeads);
    for (const HeadTrace<double>& head : block.attention.heads) {
      CHECK(head.q.cols() == kWidth / kHeads);
      const Matrix<double>& weights = head.softmax.weights;
      for (Index i = 0; i < weights.rows(); ++i) {
        CHECK(std::abs(weights.row(i).sum() - 1) < 1e-14);
        for (Index j = i + 1; j < weights.cols(); ++j) CHECK(weights(i, j) == 0);
      }
    }
  }
}

TEST_CASE("The residual stream is the embeddings and what each attention and MLP has added") {
  const Decoder<double> decoder = randomDecoder<double>(4, 3);
  const DecoderRun<double> run = runOf(decoder, kText);
  Matrix<double> sum(static_cast<Index>(kText.size()), kWidth);
  for (std::size_t t = 0; t < kText.size(); ++t)
    sum.row(static_cast<Index>(t)) = decoder.tokens.row(kText[t]) + decoder.positions.row(static_cast<Index>(t));
  CHECK(run.embedded == sum);
  for (const BlockRun<double>& block : run.blocks) {
    CHECK(*block.attention.problem.state == sum);
    sum += block.attention.y + block.mlp;
    CHECK(largestDifference(block.state, sum) < 1e-14);
    sum = block.state;
  }
}

TEST_CASE("The MLP is its two linear layers around GELU, of the normalised stream, number by number") {
  const Decoder<double> decoder = randomDecoder<double>(5, 1);
  const DecoderBlock<double>& block = decoder.blocks[0];
  const DecoderRun<double> run = runOf(decoder, kText);
  const BlockRun<double>& got = run.blocks[0];
  const Matrix<double> x = normaliseRows(*got.attention.residual, block.mlp_norm);
  for (Index t = 0; t < x.rows(); ++t) {
    for (Index d = 0; d < kWidth; ++d) {
      double sum = block.narrow.bias(d);
      for (Index m = 0; m < kHidden; ++m)
        sum += gelu(x.row(t).dot(block.widen.weight.col(m)) + block.widen.bias(m)) * block.narrow.weight(m, d);
      CHECK(std::abs(got.mlp(t, d) - sum) < 1e-13);
    }
  }
}

TEST_CASE("Without blocks a decoder looks at each token and its place alone; without U the embeddings serve again") {
  Decoder<double> decoder = randomDecoder<double>(6, 0);
  decoder.unembedding.resize(0, 0);
  const DecoderRun<double> run = runOf(decoder, {7, 7, 0});
  CHECK(run.blocks.empty());
  Matrix<double> state(3, kWidth);
  state << decoder.tokens.row(7) + decoder.positions.row(0), decoder.tokens.row(7) + decoder.positions.row(1),
      decoder.tokens.row(0) + decoder.positions.row(2);
  const Matrix<double> normalised = normaliseRows(state, decoder.final_norm);
  CHECK(run.normalised == normalised);
  CHECK(largestDifference(run.logits, normalised * decoder.tokens.transpose()) < 1e-14);
}

TEST_CASE("A text that the decoder cannot read is refused in one sentence") {
  CHECK(refusalOf({}) == "The model reads at least one token; the text has none.");
  CHECK(refusalOf({1, 11}) == "Token 11 at position 1 is none of the model's, which go from 0 to 10.");
  CHECK(refusalOf({-1}) == "Token -1 at position 0 is none of the model's, which go from 0 to 10.");
  CHECK(refusalOf(std::vector<Index>(13, 0)) ==
        "The text has 13 tokens, but the model has positions for 12; give it a shorter text.");
  CHECK(refusalOf(std::vector<Index>(12, 0)) == "computed");
}
