// Parts of a logit: what they are by the definition, and that they add up to it.
#include "core/direct_effect.h"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "core/decoder_change.h"
#include "support/decoders.h"

namespace attn::core {
namespace {

constexpr int kLayers = 2;
const std::vector<Index> kTokens = {3, 1, 4, 1, 5};

DecoderRun runOf(const Decoder& decoder, const std::vector<LayerIntervention>& changes = {}) {
  Result<DecoderRun> run = runDecoder(decoder, kTokens, changes);
  REQUIRE_MESSAGE(run.ok(), (run ? "" : run.error().message));
  return run.take();
}

// The definition, with whole vectors: part p of the last state, centred, scaled, times gain, times the token's row.
double spoken(const Decoder& decoder, const DecoderRun& run, const RowVector<float>& part, Index t, Index token) {
  const RowVector<double> state = run.finalState().row(t).cast<double>(), p = part.cast<double>();
  const double variance = (state.array() - state.mean()).square().mean();
  const RowVector<double> normal = (p.array() - p.mean()) / std::sqrt(variance + double(decoder.final_norm.eps)) *
                                   decoder.final_norm.gain->cast<double>().array();
  return normal.dot(decoder.readout().row(token).cast<double>());
}

}  // namespace

TEST_CASE("The parts of every logit add up to it, within the rounding of the run") {
  const Decoder decoder = test::randomDecoder(71, kLayers);
  const DecoderRun run = runOf(decoder);
  for (Index t = 0; t < 5; ++t)
    for (Index token = 0; token < test::kDecoderVocabulary; ++token)
      CHECK(std::abs(logitParts(decoder, run, kTokens, t, token).sum() - double(run.logits(t, token))) < 2e-6);
}

TEST_CASE("Each part speaks with what it wrote, centred and scaled by the final norm as it is in this run") {
  const Decoder decoder = test::randomDecoder(72, kLayers);
  const DecoderRun run = runOf(decoder);
  const Index t = 3, token = 6;
  const LogitParts parts = logitParts(decoder, run, kTokens, t, token);
  const auto near = [](double a, double b) { return std::abs(a - b) < 1e-6; };
  CHECK(near(parts.token, spoken(decoder, run, decoder.tokens.row(kTokens[3]), t, token)));
  CHECK(near(parts.position, spoken(decoder, run, decoder.positions.row(3), t, token)));
  REQUIRE(parts.layers.size() == kLayers);
  for (std::size_t l = 0; l < kLayers; ++l) {
    const Matrix<float> wo = decoder.blocks[l].mix.weight.toMatrix();
    REQUIRE(parts.layers[l].heads.size() == test::kDecoderHeads);
    for (Index h = 0; h < test::kDecoderHeads; ++h) {
      const Matrix<float>& z = run.blocks[l].attention.heads[static_cast<std::size_t>(h)].z;
      const RowVector<float> written = z.row(t) * wo.middleRows(h * z.cols(), z.cols());
      CHECK(near(parts.layers[l].heads[static_cast<std::size_t>(h)], spoken(decoder, run, written, t, token)));
    }
    CHECK(near(parts.layers[l].attention_bias, spoken(decoder, run, decoder.blocks[l].mix.bias, t, token)));
    CHECK(near(parts.layers[l].mlp, spoken(decoder, run, run.blocks[l].mlp.row(t), t, token)));
  }
  CHECK(near(parts.norm_bias,
             decoder.final_norm.bias->cast<double>().dot(decoder.readout().row(token).cast<double>())));
}

TEST_CASE("A head whose output is 0 says nothing, and the parts add up in that run too") {
  const Decoder decoder = test::randomDecoder(73, kLayers);
  const std::vector<Intervention> none = {zeroOutput(1)};
  const DecoderRun run = runOf(decoder, inLayers(1, 2, none));
  const LogitParts parts = logitParts(decoder, run, kTokens, 4, 2);
  CHECK(parts.layers[1].heads[1] == 0);
  CHECK(parts.layers[1].heads[0] != 0);
  CHECK(std::abs(parts.sum() - double(run.logits(4, 2))) < 2e-6);
}

TEST_CASE("Without blocks, gain or bias only the embeddings speak") {
  Decoder decoder = test::randomDecoder(74, 0);
  decoder.final_norm.gain.reset();
  decoder.final_norm.bias.reset();
  const DecoderRun run = runOf(decoder);
  const LogitParts parts = logitParts(decoder, run, kTokens, 2, 0);
  CHECK(parts.layers.empty());
  CHECK(parts.norm_bias == 0);
  CHECK(std::abs(parts.token + parts.position - double(run.logits(2, 0))) < 1e-6);
}

}  // namespace attn::core
