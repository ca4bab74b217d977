// What is claimed about heads of the trained model, against PyTorch's numbers; tests/data/make_model_effects.py says which.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "core/circuit.h"
#include "core/composition.h"
#include "core/decoder_cache.h"
#include "core/decoder_change.h"
#include "core/decoder_outcome.h"
#include "core/direct_effect.h"
#include "core/head_scores.h"
#include "support/trained_model.h"

namespace {

using namespace attn;
using core::Index;
using core::Intervention;
using core::LayerIntervention;
using test::difference;

// The model, its reference and a run without changes.
struct Trained {
  model::DecoderFile file = test::trainedModel();
  test::Reference reference{"model-effects.safetensors"};
  std::vector<Index> tokens = reference.tokens("tokens");

  core::DecoderRun run(const std::vector<LayerIntervention>& changes = {}) const { return run(tokens, changes); }
  core::DecoderRun run(const std::vector<Index>& text, const std::vector<LayerIntervention>& changes = {}) const {
    core::Result<core::DecoderRun> result = core::runDecoder(file.decoder, text, changes);
    REQUIRE_MESSAGE(result.ok(), (result ? "" : result.error().message));
    return result.take();
  }

  // Largest difference of logits from PyTorch's, and how far the change has moved them at all.
  void checkLogits(const std::string& name, const std::vector<LayerIntervention>& changes) const {
    CAPTURE(name);
    const core::DecoderRun changed = run(changes);
    CHECK(difference(changed.logits, reference.matrix(name + ".logits")) <= 2e-5);
    CHECK((changed.logits - run().logits).cwiseAbs().maxCoeff() > 0.01f);
  }
};

std::vector<LayerIntervention> inLayer(Index layer, const std::vector<Intervention>& interventions) {
  return core::inLayers(layer, layer + 1, interventions);
}

const core::Matrix<float>& outputOf(const core::DecoderRun& run, std::size_t layer, std::size_t head) {
  return run.blocks[layer].attention.heads[head].z;
}

// Source 3 may not be read from position 4 on.
std::vector<Intervention> forbidden(std::optional<Index> head, Index length) {
  std::vector<Intervention> all;
  for (Index t = 4; t < length; ++t) all.push_back(core::forbidSource(head, 3, t));
  return all;
}

}  // namespace

TEST_CASE("Heads of our model that are ablated, averaged, patched or kept from a source change its logits as in PyTorch") {
  const Trained trained;
  const core::DecoderRun plain = trained.run(), other = trained.run(trained.reference.tokens("other"));
  const auto length = static_cast<Index>(trained.tokens.size());
  trained.checkLogits("ablated", inLayer(1, {core::zeroOutput(1)}));
  const core::RowVector<double> mean = outputOf(plain, 0, 3).cast<double>().colwise().mean();
  trained.checkLogits("mean", inLayer(0, {core::setOutput(3, {}, mean)}));
  trained.checkLogits("patched", inLayer(1, core::setOutputs(2, outputOf(other, 1, 2).cast<double>())));
  trained.checkLogits("forbidden", core::inLayers(0, 2, forbidden({}, length)));
  trained.checkLogits("one-head", inLayer(0, forbidden(3, length)));
}

TEST_CASE("A value of our model that is zeroed changes its logits as in PyTorch, with patterns frozen and not") {
  const Trained trained;
  const std::vector<LayerIntervention> value = inLayer(0, {core::zeroValue({}, 7, 16)});
  trained.checkLogits("value", value);
  std::vector<LayerIntervention> frozen = core::frozenPatterns(trained.run(), 0);
  frozen.insert(frozen.end(), value.begin(), value.end());
  trained.checkLogits("frozen", frozen);
  CHECK((trained.run(frozen).logits - trained.run(value).logits).cwiseAbs().maxCoeff() > 0.01f);
}

TEST_CASE("Our model's loss is PyTorch's, over all positions and over some") {
  const Trained trained;
  const core::DecoderRun run = trained.run();
  const auto end = static_cast<Index>(trained.tokens.size()) - 1;
  const core::Matrix<double> wanted = trained.reference.matrix("loss");
  CHECK(std::abs(core::lossOn(run.logits, trained.tokens, 0, end).value() - wanted(0, 0)) < 2e-6);
  CHECK(std::abs(core::lossOn(run.logits, trained.tokens, 6, end).value() - wanted(0, 1)) < 2e-6);
}

TEST_CASE("The parts of one of our model's logits are those that PyTorch finds, and all add up") {
  const Trained trained;
  const core::DecoderRun run = trained.run();
  const core::Matrix<double> wanted = trained.reference.matrix("parts");
  const core::LogitParts parts =
      core::logitParts(trained.file.decoder, run, trained.tokens, 16, trained.tokens.back());
  std::vector<double> got = {parts.token, parts.position};
  for (const core::LayerParts& layer : parts.layers) {
    got.insert(got.end(), layer.heads.begin(), layer.heads.end());
    got.insert(got.end(), {layer.attention_bias, layer.mlp});
  }
  got.push_back(parts.norm_bias);
  REQUIRE(static_cast<Index>(got.size()) == wanted.size());
  for (std::size_t n = 0; n < got.size(); ++n) {
    CAPTURE(n);
    CHECK(std::abs(got[n] - wanted(0, static_cast<Index>(n))) < 1e-5);
  }
  for (Index t = 0; t < run.logits.rows(); ++t)
    for (Index token = 0; token < run.logits.cols(); ++token)
      CHECK(std::abs(core::logitParts(trained.file.decoder, run, trained.tokens, t, token).sum() -
                     static_cast<double>(run.logits(t, token))) < 1e-5);
}

TEST_CASE("Composition of our model's heads is as PyTorch finds it") {
  const Trained trained;
  const core::Problem<float> first = core::attentionOf(trained.file.decoder.blocks[0]);
  const core::Problem<float> second = core::attentionOf(trained.file.decoder.blocks[1]);
  for (Index a = 0; a < 4; ++a)
    for (Index b = 0; b < 4; ++b) {
      CAPTURE(a);
      CAPTURE(b);
      const core::Composition scores = core::composition(core::headMaps(first, a), core::headMaps(second, b));
      CHECK(std::abs(scores.q - trained.reference.matrix("composition", {0})(a, b)) < 1e-7);
      CHECK(std::abs(scores.k - trained.reference.matrix("composition", {1})(a, b)) < 1e-7);
      CHECK(std::abs(scores.v - trained.reference.matrix("composition", {2})(a, b)) < 1e-7);
    }
}

TEST_CASE("Circuits of our model over characters are as PyTorch finds them") {
  const Trained trained;
  const std::vector<Index> some = trained.reference.tokens("some");
  const core::Decoder& decoder = trained.file.decoder;
  CHECK((core::qkCircuit(decoder, 1, 1, some) - trained.reference.matrix("qk")).cwiseAbs().maxCoeff() < 1e-6);
  CHECK((core::ovCircuit(decoder, 1, 1, some) - trained.reference.matrix("ov")).cwiseAbs().maxCoeff() < 1e-5);
}

TEST_CASE("Our model's heads read repeated characters and what followed them as PyTorch says") {
  const Trained trained;
  const core::DecoderRun run = trained.run();
  for (std::size_t l = 0; l < 2; ++l)
    for (std::size_t h = 0; h < 4; ++h) {
      const core::Matrix<double> weights = run.blocks[l].attention.heads[h].softmax.weights.cast<double>();
      const core::HeadScores scores = core::headScores(weights, trained.tokens);
      const auto layer = static_cast<Index>(l), head = static_cast<Index>(h);
      CHECK(std::abs(scores.repeat - trained.reference.matrix("repeat")(layer, head)) < 2e-6);
      CHECK(std::abs(scores.same - trained.reference.matrix("same")(layer, head)) < 2e-6);
    }
}

TEST_CASE("Our model gives the same logits with a cache as without, to the last bit") {
  const Trained trained;
  const core::DecoderRun run = trained.run();
  core::DecoderCache cache(trained.file.decoder);
  for (std::size_t t = 0; t < trained.tokens.size(); ++t) {
    const auto step = cache.next(trained.tokens[t]);
    REQUIRE(step.ok());
    CHECK(step.value().logits == run.logits.row(static_cast<Index>(t)));
  }
  CHECK(cache.bytes() == trained.tokens.size() * 2 * 2 * 64 * 4);
}
