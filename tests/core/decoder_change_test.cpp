// Interventions on a whole decoder: what each changes, what it leaves, and what is refused.
#include "core/decoder_change.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/decoders.h"
#include "support/problems.h"

namespace attn::core {
namespace {

using Real = Matrix<float>;
using Changes = std::vector<LayerIntervention>;
using test::kDecoderHeads;
using test::kDecoderWidth;

constexpr Index kLayers = 3, kHeadWidth = kDecoderWidth / kDecoderHeads;
const std::vector<Index> kTokens = {3, 1, 4, 1, 5, 9, 2};

const Decoder& decoder() {
  static const Decoder one = test::randomDecoder(51, kLayers);
  return one;
}

DecoderRun runWith(const Changes& changes, const std::vector<Index>& tokens = kTokens) {
  Result<DecoderRun> run = runDecoder(decoder(), tokens, changes);
  REQUIRE_MESSAGE(run.ok(), (run ? "" : run.error().message));
  return run.take();
}

std::string refusalOf(const Changes& changes) {
  const auto run = runDecoder(decoder(), kTokens, changes);
  return run ? "computed" : run.error().message;
}

Changes inLayer(Index layer, const std::vector<Intervention>& interventions) {
  return inLayers(layer, layer + 1, interventions);
}

Changes joined(Changes first, const Changes& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

const Real& weightsOf(const DecoderRun& run, std::size_t layer, std::size_t head) {
  return run.blocks[layer].attention.heads[head].softmax.weights;
}

const Real& outputOf(const DecoderRun& run, std::size_t layer, std::size_t head) {
  return run.blocks[layer].attention.heads[head].z;
}

float difference(const Real& a, const Real& b) { return (a - b).cwiseAbs().maxCoeff(); }

}  // namespace

TEST_CASE("A head without output adds nothing: its layer writes what the other heads and the bias make") {
  const DecoderRun plain = runWith({}), run = runWith(inLayer(1, {zeroOutput(0)}));
  CHECK(run.blocks[0].state == plain.blocks[0].state);
  CHECK((outputOf(run, 1, 0).array() == 0).all());
  CHECK(outputOf(run, 1, 1) == outputOf(plain, 1, 1));
  const Real wo = decoder().blocks[1].mix.weight.middleRows(0, kHeadWidth);
  CHECK(difference(run.blocks[1].attention.y, plain.blocks[1].attention.y - outputOf(plain, 1, 0) * wo) < 2e-6f);
  CHECK(run.logits != plain.logits);
}

TEST_CASE("A head's output can be one row for all positions, one for a single position, or one for each") {
  const DecoderRun plain = runWith({});
  const Matrix<double> rows = test::Random(52).matrix(5, kHeadWidth);
  const DecoderRun pooled = runWith(inLayer(0, {setOutput(1, {}, rows.row(2))}));
  for (Index t = 0; t < 7; ++t) CHECK(outputOf(pooled, 0, 1).row(t) == rows.row(2).cast<float>());
  const DecoderRun single = runWith(inLayer(0, {setOutput(1, 3, rows.row(2))}));
  CHECK(outputOf(single, 0, 1).row(3) == rows.row(2).cast<float>());
  CHECK(outputOf(single, 0, 1).topRows(3) == outputOf(plain, 0, 1).topRows(3));
  CHECK(single.logits.topRows(3) == plain.logits.topRows(3));
  CHECK(single.logits.row(3) != plain.logits.row(3));
  const DecoderRun each = runWith(inLayer(0, setOutputs(1, rows)));
  CHECK(outputOf(each, 0, 1).topRows(5) == rows.cast<float>());
  CHECK(outputOf(each, 0, 1).bottomRows(2) == outputOf(plain, 0, 1).bottomRows(2));
}

TEST_CASE("All heads of one layer patched from another run add there what they added in that run") {
  const std::vector<Index> other = {3, 1, 4, 1, 5, 9, 8};
  const DecoderRun plain = runWith({}), source = runWith({}, other);
  Changes changes;
  for (std::size_t h = 0; h < 2; ++h)
    changes = joined(changes, inLayer(0, setOutputs(static_cast<Index>(h), outputOf(source, 0, h).cast<double>())));
  const DecoderRun patched = runWith(changes);
  CHECK(patched.blocks[0].attention.y == source.blocks[0].attention.y);
  CHECK(patched.logits.topRows(6) == plain.logits.topRows(6));
  CHECK(patched.logits.row(6) != plain.logits.row(6));
  // Patching a run with its own rows changes nothing, to the last bit.
  CHECK(runWith(inLayer(2, setOutputs(1, outputOf(plain, 2, 1).cast<double>()))).logits == plain.logits);
}

TEST_CASE("A forbidden source gets no weight and the others of the row take its share") {
  const DecoderRun plain = runWith({}), run = runWith(inLayer(0, {forbidSource(1, 2, 5)}));
  const Real& before = weightsOf(plain, 0, 1);
  const Real& after = weightsOf(run, 0, 1);
  CHECK(after(5, 2) == 0);
  for (const Index j : {0, 1, 3, 4, 5})
    CHECK(after(5, j) == doctest::Approx(before(5, j) / (1 - before(5, 2))).epsilon(1e-5));
  CHECK(after.topRows(5) == before.topRows(5));
  CHECK(weightsOf(run, 0, 0) == weightsOf(plain, 0, 0));
}

TEST_CASE("A source that no head of any layer may read changes nothing where it is not itself") {
  std::vector<Intervention> forbidden;
  for (Index t = 2; t < 7; ++t) forbidden.push_back(forbidSource({}, 1, t));
  const Changes changes = inLayers(0, kLayers, forbidden);
  std::vector<Index> other = kTokens;
  other[1] = 7;
  const DecoderRun run = runWith(changes), changed = runWith(changes, other);
  for (std::size_t l = 0; l < 3; ++l)
    for (std::size_t h = 0; h < 2; ++h) CHECK((weightsOf(run, l, h).col(1).bottomRows(5).array() == 0).all());
  CHECK(run.logits.bottomRows(5) == changed.logits.bottomRows(5));
  CHECK(run.logits.row(1) != changed.logits.row(1));
}

TEST_CASE("A weight of 0 takes its source's value out and leaves the others as they are") {
  const DecoderRun plain = runWith({}), run = runWith(inLayer(0, {zeroWeight(0, 2, 5)}));
  Real expected = weightsOf(plain, 0, 0);
  const float weight = expected(5, 2);
  expected(5, 2) = 0;
  CHECK(weightsOf(run, 0, 0) == expected);
  const Real gone = weight * plain.blocks[0].attention.heads[0].v.row(2);
  CHECK(difference(outputOf(run, 0, 0).row(5), outputOf(plain, 0, 0).row(5) - gone) < 1e-6f);
  const DecoderRun all = runWith(inLayer(0, {zeroWeight({}, 2)}));
  for (std::size_t h = 0; h < 2; ++h) CHECK((weightsOf(all, 0, h).col(2).array() == 0).all());
}

TEST_CASE("A value of 0 is read as before and says nothing") {
  const DecoderRun plain = runWith({}), run = runWith(inLayer(0, {zeroValue(1, 2, kHeadWidth)}));
  CHECK(weightsOf(run, 0, 1) == weightsOf(plain, 0, 1));
  CHECK(run.blocks[0].attention.heads[0].v == plain.blocks[0].attention.heads[0].v);
  CHECK((run.blocks[0].attention.heads[1].v.row(2).array() == 0).all());
  CHECK(run.blocks[0].attention.heads[1].k == plain.blocks[0].attention.heads[1].k);
  // In the first layer that is the same as taking out all weights on it.
  CHECK(difference(run.logits, runWith(inLayer(0, {zeroWeight(1, 2)})).logits) < 2e-5f);
  CHECK(run.logits.topRows(2) == plain.logits.topRows(2));
}

TEST_CASE("Frozen patterns alone change nothing, to the last bit") {
  const DecoderRun plain = runWith({});
  CHECK(runWith(frozenPatterns(plain, 0)).logits == plain.logits);
}

TEST_CASE("With frozen patterns a change reaches later layers through values alone") {
  const DecoderRun plain = runWith({});
  const Changes change = inLayer(0, {zeroValue({}, 2, kHeadWidth)});
  const DecoderRun run = runWith(joined(frozenPatterns(plain, 0), change)), free = runWith(change);
  for (std::size_t l = 0; l < 3; ++l)
    for (std::size_t h = 0; h < 2; ++h) CHECK(weightsOf(run, l, h) == weightsOf(plain, l, h));
  CHECK(weightsOf(free, 1, 0) != weightsOf(plain, 1, 0));
  CHECK(run.blocks[0].state == free.blocks[0].state);
  CHECK(run.blocks[1].attention.heads[0].v == free.blocks[1].attention.heads[0].v);
  CHECK(run.logits != free.logits);
  CHECK(run.logits != plain.logits);
  // From the next layer on only.
  const DecoderRun later = runWith(joined(frozenPatterns(plain, 1), inLayer(0, {forbidSource({}, 0, 4)})));
  CHECK(weightsOf(later, 0, 0) != weightsOf(plain, 0, 0));
  CHECK(weightsOf(later, 1, 0) == weightsOf(plain, 1, 0));
}

TEST_CASE("Interventions that leave a position nothing to read, or lie outside the model, are refused in one sentence") {
  CHECK(refusalOf(inLayer(1, {forbidSource(1, 0)})) ==
        "layer 1: head 1 leaves position 0 nothing to read; let each position read at least one");
  CHECK(refusalOf(inLayer(0, {forbidSource({}, 0, 1), forbidSource({}, 1, 1)})) ==
        "layer 0: head 0 leaves position 1 nothing to read; let each position read at least one");
  CHECK(refusalOf(inLayer(0, {forbidSource({}, 0, 1)})) == "computed");
  for (const Index layer : {-1, 3})
    CHECK(refusalOf(inLayer(layer, {zeroOutput(0)})) ==
          "An intervention is about layer " + std::to_string(layer) + ", but the model has 3, counted from 0.");
  CHECK(refusalOf(inLayer(2, {zeroOutput(2)})) ==
        "layer 2: an edit of z is about head 2, but the last head is 1");
  CHECK(refusalOf(inLayer(0, {zeroValue(0, 7, kHeadWidth)})) ==
        "layer 0: an edit of v lies outside it in head 0; its rows, columns and numbers must fit");
  CHECK(refusalOf(inLayer(0, {zeroValue(0, 1, kHeadWidth + 1)})).find("an edit of v lies outside it") != std::string::npos);
  CHECK(refusalOf(inLayer(0, setOutputs(0, Matrix<double>::Zero(8, kHeadWidth)))).find("an edit of z lies outside it") !=
        std::string::npos);
  CHECK(refusalOf(inLayer(0, {forbidSource(0, 7)})).find("an edit of masked lies outside it") != std::string::npos);
}

}  // namespace attn::core
