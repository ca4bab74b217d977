// See head_facts.h.
#include "survey/head_facts.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>

#include "scene/figures.h"

namespace attn::survey {
namespace {

using core::Index;
using opened::Axis;
using opened::Model;
using opened::Role;

Role roleOf(WeightsFrom from) {
  return from == WeightsFrom::kFile ? Role::kWeights : from == WeightsFrom::kScores ? Role::kScores : Role::kQ;
}

// One number for each source, equal where the tokens are; none where positions are only numbered.
std::vector<Index> numbersOf(const std::vector<std::string>& tokens) {
  std::map<std::string_view, Index> known;
  std::vector<Index> numbers;
  for (const std::string& each : tokens) numbers.push_back(known.try_emplace(each, static_cast<Index>(known.size())).first->second);
  return numbers;
}

// FNV-1a, 64 bits: readings under other tokens are to have other names.
std::string nameOf(const std::vector<Index>& tokens) {
  std::uint64_t hash = 14695981039346656037u;
  for (const Index each : tokens) hash = (hash ^ static_cast<std::uint64_t>(each)) * 1099511628211u;
  return std::to_string(hash);
}

HeadFacts factsOf(const Model& model, const opened::Place& place, bool causal, const std::vector<Index>& tokens, Index rows,
                  Index columns) {
  HeadFacts facts;
  const core::Result<core::Matrix<double>> weights = weightsOf(model, place, causal);
  if (!weights) {
    facts.failure = weights.error().message;
    return facts;
  }
  facts.scores = core::headScores(weights.value(), tokens);
  facts.shades = scene::shadesOf(core::smallMap(weights.value(), rows, columns));
  return facts;
}

}  // namespace

std::uint64_t headsOfLayer(const Model& model, std::uint64_t layer) {
  const WeightsFrom from = weightsFrom(model, layer);
  return from == WeightsFrom::kNowhere ? 0 : model.headsOf(roleOf(from), layer);
}

HeadReading headReading(const Chosen& chosen, bool causal) {
  HeadReading reading;
  bool computed = false;
  for (std::uint64_t layer = 0; layer < chosen.model.layers(); ++layer) {
    const WeightsFrom from = weightsFrom(chosen.model, layer);
    if (from == WeightsFrom::kNowhere) continue;
    computed = computed || from == WeightsFrom::kComputed;
    const Role keys = from == WeightsFrom::kComputed ? Role::kK : roleOf(from);
    reading.T = std::max(reading.T, chosen.model.lengthOf(roleOf(from), layer, Axis::kQuery));
    reading.S = std::max(reading.S, chosen.model.lengthOf(keys, layer, Axis::kKey));
  }
  reading.rows = scene::mapSide(reading.T);
  reading.columns = scene::mapSide(reading.S);
  std::vector<Index> tokens = numbersOf(chosen.sources.empty() ? chosen.tokens : chosen.sources);
  reading.name = chosen.reading + (computed ? causal ? "causal;" : "open;" : "") + nameOf(tokens);
  auto model = std::make_shared<const Model>(*chosen.set.source, chosen.set.file, chosen.model.guesses());
  reading.read = [model = std::move(model), causal, tokens = std::move(tokens), rows = reading.rows,
                  columns = reading.columns](const opened::Place& place) {
    return factsOf(*model, place, causal, tokens, rows, columns);
  };
  return reading;
}

}  // namespace attn::survey
