// The decoder's forward pass: its parts, what they add up to, and that nothing looks ahead.
#include "core/decoder.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/buffer.h"
#include "core/norm.h"
#include "core/product.h"
#include "support/decoders.h"

namespace {

using namespace attn::core;
using attn::test::kDecoderHeads;
using attn::test::kDecoderHidden;
using attn::test::kDecoderWidth;
using attn::test::randomDecoder;

DecoderRun runOf(const Decoder& decoder, const std::vector<Index>& tokens) {
  Result<DecoderRun> run = runDecoder(decoder, tokens);
  REQUIRE_MESSAGE(run.ok(), (run ? "" : run.error().message));
  return run.take();
}

std::string refusalOf(const std::vector<Index>& tokens) {
  const auto run = runDecoder(randomDecoder(1, 1), tokens);
  return run ? "computed" : run.error().message;
}

float difference(const Matrix<float>& a, const Matrix<float>& b) { return (a - b).cwiseAbs().maxCoeff(); }

const std::vector<Index> kText = {3, 1, 4, 1, 5, 9, 2, 6};

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
  const Decoder decoder = randomDecoder(2, 3);
  const DecoderRun plain = runOf(decoder, kText);
  for (std::size_t changed = 1; changed < kText.size(); ++changed) {
    std::vector<Index> text = kText;
    text[changed] = 10;
    const DecoderRun run = runOf(decoder, text);
    const auto earlier = static_cast<Index>(changed);
    CHECK(run.logits.topRows(earlier) == plain.logits.topRows(earlier));
    CHECK(run.logits.row(earlier) != plain.logits.row(earlier));
    // A text that ends before is the same text, too.
    text.resize(changed);
    CHECK(runOf(decoder, text).logits == plain.logits.topRows(earlier));
  }
}

TEST_CASE("Every head of the decoder reads only what was before, and its weights sum to 1") {
  const DecoderRun run = runOf(randomDecoder(3, 2), kText);
  REQUIRE(run.blocks.size() == 2);
  for (const BlockRun& block : run.blocks) {
    REQUIRE(block.attention.heads.size() == kDecoderHeads);
    for (const HeadTrace<float>& head : block.attention.heads) {
      CHECK(head.q.cols() == kDecoderWidth / kDecoderHeads);
      const Matrix<float>& weights = head.softmax.weights;
      for (Index i = 0; i < weights.rows(); ++i) {
        CHECK(std::abs(weights.row(i).sum() - 1) < 1e-6f);
        for (Index j = i + 1; j < weights.cols(); ++j) CHECK(weights(i, j) == 0);
      }
    }
  }
}

TEST_CASE("Columns of qkv are Q, K and V, and within each head by head") {
  const Decoder decoder = randomDecoder(7, 1);
  const DecoderBlock& block = decoder.blocks[0];
  const Problem<float> attention = attentionOf(block);
  const Matrix<float> weight = block.qkv.weight.toMatrix();
  REQUIRE(attention.heads() == kDecoderHeads);
  constexpr Index d = kDecoderWidth / kDecoderHeads;
  CHECK(attention.wq[1] == weight.middleCols(d, d));
  CHECK(attention.wk[1] == weight.middleCols(kDecoderWidth + d, d));
  CHECK(attention.wv[0] == weight.middleCols(2 * kDecoderWidth, d));
  CHECK(attention.bq[0] == block.qkv.bias.head(d));
  CHECK(attention.bv[1] == block.qkv.bias.tail(d));
  CHECK(*attention.wo == block.mix.weight.toMatrix());
  CHECK(attention.mask.causal);
}

TEST_CASE("The residual stream is the embeddings and what each attention and MLP has added") {
  const Decoder decoder = randomDecoder(4, 3);
  const DecoderRun run = runOf(decoder, kText);
  Matrix<float> sum = decoder.positions.middleRows(0, static_cast<Index>(kText.size()));
  for (std::size_t t = 0; t < kText.size(); ++t) sum.row(static_cast<Index>(t)) += decoder.tokens.row(kText[t]);
  CHECK(run.embedded == sum);
  for (const BlockRun& block : run.blocks) {
    CHECK(*block.attention.problem.state == sum);
    sum += block.attention.y + block.mlp;
    CHECK(difference(block.state, sum) < 2e-6f);
    sum = block.state;
  }
}

TEST_CASE("A run keeps no second copy of the weights") {
  const Decoder decoder = randomDecoder(4, 2);
  for (const BlockRun& block : runOf(decoder, kText).blocks) {
    const Problem<float>& problem = block.attention.problem;
    CHECK((problem.wq.empty() && problem.wk.empty() && problem.wv.empty() && !problem.wo));
    CHECK((problem.bq.empty() && problem.bk.empty() && problem.bv.empty() && !problem.bo));
  }
}

TEST_CASE("The MLP is its two linear layers around GELU, of the normalised stream, number by number") {
  const Decoder decoder = randomDecoder(5, 1);
  const DecoderBlock& block = decoder.blocks[0];
  const Matrix<double> widen = block.widen.weight.toMatrix().cast<double>();
  const Matrix<double> narrow = block.narrow.weight.toMatrix().cast<double>();
  const BlockRun got = runOf(decoder, kText).blocks[0];
  const Matrix<double> x = normaliseRows(*got.attention.residual, block.mlp_norm).cast<double>();
  for (Index t = 0; t < x.rows(); ++t) {
    for (Index d = 0; d < kDecoderWidth; ++d) {
      double sum = static_cast<double>(block.narrow.bias(d));
      for (Index m = 0; m < kDecoderHidden; ++m)
        sum += gelu(x.row(t).dot(widen.col(m)) + static_cast<double>(block.widen.bias(m))) * narrow(m, d);
      CHECK(std::abs(static_cast<double>(got.mlp(t, d)) - sum) < 3e-6);
    }
  }
}

TEST_CASE("Without blocks a decoder looks at each token and its place alone; without U the embeddings serve again") {
  Decoder decoder = randomDecoder(6, 0);
  decoder.unembedding = HalfMatrix();
  const DecoderRun run = runOf(decoder, {7, 7, 0});
  CHECK(run.blocks.empty());
  Matrix<float> state(3, kDecoderWidth);
  state << decoder.tokens.row(7) + decoder.positions.row(0), decoder.tokens.row(7) + decoder.positions.row(1),
      decoder.tokens.row(0) + decoder.positions.row(2);
  const Matrix<float> normalised = normaliseRows(state, decoder.final_norm);
  CHECK(run.normalised == normalised);
  CHECK(run.logits == product<float>(normalised, decoder.tokens.toMatrix().transpose()));
}

TEST_CASE("Logits of a vocabulary of several thousand are those of one product, to the last bit") {
  Decoder decoder = randomDecoder(8, 0);
  Matrix<float> many(3000, kDecoderWidth);
  for (Index i = 0; i < many.size(); ++i) many.data()[i] = static_cast<float>(i % 61 - 30) / 16;
  decoder.unembedding = attn::test::halfOf(many);
  const DecoderRun run = runOf(decoder, {1, 2, 3});
  CHECK(run.logits == product<float>(run.normalised, many.transpose()));
}

TEST_CASE("A text that the decoder cannot read is refused in one sentence") {
  CHECK(refusalOf({}) == "The model reads at least one token; the text has none.");
  CHECK(refusalOf({1, 11}) == "Token 11 at position 1 is none of the model's, which go from 0 to 10.");
  CHECK(refusalOf({-1}) == "Token -1 at position 0 is none of the model's, which go from 0 to 10.");
  CHECK(refusalOf(std::vector<Index>(13, 0)) ==
        "The text has 13 tokens, but the model has positions for 12; give it a shorter text.");
  CHECK(refusalOf(std::vector<Index>(12, 0)) == "computed");
}

TEST_CASE("A run for which there is no memory is refused in one sentence") {
  const Decoder decoder = randomDecoder(9, 1);
  failAllocation(1);
  const auto run = runDecoder(decoder, kText);
  failAllocation(0);
  REQUIRE_FALSE(run.ok());
  CHECK(run.error().message ==
        "There is no memory to run the model on 8 tokens; give it a shorter text, or close something.");
}
