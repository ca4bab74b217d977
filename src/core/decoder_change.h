// What puts a claim about a decoder's heads to the test: lists of interventions for runDecoder. Knows no run's result.
//
// Heads, layers and positions count from 0; a head that is nothing means all heads of a layer. Whatever does not fit the
// model or the text is refused by runDecoder. Interventions of a layer act in their order.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "core/decoder.h"
#include "core/intervention.h"
#include "core/tensor.h"

namespace attn::core {

// The head adds nothing to the stream: its z is 0.
Intervention zeroOutput(Index head);

// z of the head becomes `row` (1×d_v) at one position, or at all: there a mean over many positions takes its place.
Intervention setOutput(Index head, std::optional<Index> position, const RowVector<double>& row);

// Row t of z of the head becomes row t of `rows` (at most T×d_v), later rows stay: a mean for each position, or z of
// another run.
std::vector<Intervention> setOutputs(Index head, const Matrix<double>& rows);

// The source may not be read by one position, or by none: its score is −∞ behind the mask, so its weight is 0 and the
// others of the row take its share. A run in which a position may then read nothing is refused; position 0 reads only
// itself.
Intervention forbidSource(std::optional<Index> head, Index source, std::optional<Index> position = std::nullopt);

// The weight that one position, or each, gives the source becomes 0; the other weights stay, so the row sums to less.
Intervention zeroWeight(std::optional<Index> head, Index source, std::optional<Index> position = std::nullopt);

// The value of the source is 0, its key as it was: it is read as before and says nothing. d_v numbers each head.
Intervention zeroValue(std::optional<Index> head, Index source, Index d_v);

// Each of them in layers first … end − 1.
std::vector<LayerIntervention> inLayers(Index first, Index end, std::span<const Intervention> interventions);

// The weights of every head of layers `first` and later become those of `run`, a run on a text of as many tokens. Put
// before other changes of these layers, what these do reaches the logits through values alone: through v, z, W_O, the
// norms and the MLPs, all of which are computed anew. Queries, keys and scores are computed anew as well and no longer
// matter: forbidding a source does nothing in these layers. For a change of what layer l writes (its z) give l + 1, for
// one of what it reads (its v) give l.
std::vector<LayerIntervention> frozenPatterns(const DecoderRun& run, Index first);

}  // namespace attn::core
