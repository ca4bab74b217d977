// Maps over tokens against runs of a decoder that has no positions.
#include "core/circuit.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/decoder_change.h"
#include "core/direct_effect.h"
#include "support/decoders.h"

namespace attn::core {
namespace {

// Without positions, so that the first layer reads embeddings alone.
Decoder decoderOfTokens(std::uint64_t seed, int blocks) {
  Decoder decoder = test::randomDecoder(seed, blocks);
  decoder.positions = test::halfOf(Matrix<float>::Zero(test::kDecoderContext, test::kDecoderWidth));
  return decoder;
}

DecoderRun runOf(const Decoder& decoder, const std::vector<Index>& tokens,
                 const std::vector<LayerIntervention>& changes = {}) {
  Result<DecoderRun> run = runDecoder(decoder, tokens, changes);
  REQUIRE_MESSAGE(run.ok(), (run ? "" : run.error().message));
  return run.take();
}

double deviationOf(const DecoderRun& run, Index t) {
  const RowVector<double> state = run.finalState().row(t).cast<double>();
  return std::sqrt((state.array() - state.mean()).square().mean() + 1e-5);
}

const std::vector<Index> kTokens = {7, 2, 10, 0, 5};

}  // namespace

TEST_CASE("In the first layer, without positions, the QK map has the scores of a run") {
  const Decoder decoder = decoderOfTokens(81, 2);
  const DecoderRun run = runOf(decoder, kTokens);
  for (Index h = 0; h < 2; ++h) {
    const Matrix<double> map = qkCircuit(decoder, 0, h, kTokens);
    REQUIRE((map.rows() == 5 && map.cols() == 5));
    const Matrix<double> scores = run.blocks[0].attention.heads[static_cast<std::size_t>(h)].scaled.cast<double>();
    CHECK((map - scores).cwiseAbs().maxCoeff() < 3e-6);
    CHECK((map - map.transpose()).cwiseAbs().maxCoeff() > 0.01);  // rows are destinations
  }
}

TEST_CASE("What a head adds to a logit when it reads one token only is the OV map over the final norm's deviation") {
  const Decoder decoder = decoderOfTokens(82, 1);
  const Matrix<double> map = ovCircuit(decoder, 0, 1, kTokens);
  REQUIRE((map.rows() == 5 && map.cols() == 5));
  // The last position reads position `source` alone.
  const Index t = 4;
  for (Index source = 0; source < 5; ++source) {
    std::vector<Intervention> only;
    for (Index j = 0; j < 5; ++j)
      if (j != source) only.push_back(forbidSource(1, j, t));
    const DecoderRun run = runOf(decoder, kTokens, inLayers(0, 1, only));
    for (Index c = 0; c < 5; ++c) {
      const LogitParts parts = logitParts(decoder, run, kTokens, t, kTokens[static_cast<std::size_t>(c)]);
      CHECK(std::abs(parts.layers[0].heads[1] - map(source, c) / deviationOf(run, t)) < 1e-6);
    }
  }
}

TEST_CASE("Of a later layer the maps are those of its weights on embeddings alone") {
  const Decoder two = decoderOfTokens(83, 2);
  Decoder second = decoderOfTokens(83, 2);
  second.blocks.erase(second.blocks.begin());
  CHECK(qkCircuit(two, 1, 0, kTokens) == qkCircuit(second, 0, 0, kTokens));
  CHECK(ovCircuit(two, 1, 0, kTokens) == ovCircuit(second, 0, 0, kTokens));
  CHECK(qkCircuit(two, 1, 0, kTokens) != qkCircuit(two, 0, 0, kTokens));
}

TEST_CASE("A map over some tokens is the map over all with the others left out") {
  const Decoder decoder = decoderOfTokens(84, 1);
  std::vector<Index> all;
  for (Index c = 0; c < test::kDecoderVocabulary; ++c) all.push_back(c);
  const Matrix<double> qk = qkCircuit(decoder, 0, 0, all), ov = ovCircuit(decoder, 0, 0, all);
  const Matrix<double> few_qk = qkCircuit(decoder, 0, 0, kTokens), few_ov = ovCircuit(decoder, 0, 0, kTokens);
  for (std::size_t a = 0; a < kTokens.size(); ++a)
    for (std::size_t b = 0; b < kTokens.size(); ++b) {
      const auto i = static_cast<Index>(a), j = static_cast<Index>(b);
      CHECK(few_qk(i, j) == qk(kTokens[a], kTokens[b]));
      CHECK(few_ov(i, j) == ov(kTokens[a], kTokens[b]));
    }
}

}  // namespace attn::core
