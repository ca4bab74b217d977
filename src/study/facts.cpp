// See facts.h.
#include "study/facts.h"

#include <utility>

#include "core/language.h"
#include "io/json.h"

namespace attn::study {
namespace {

using io::Json;

core::Error wrongFacts() {
  return {tr("The facts about the model's training (`model.json`) cannot be read; the page and its data are of different "
             "versions, so reload the page.")};
}

const double* numberOf(const Json* json) { return json ? json->as<double>() : nullptr; }

std::optional<double> lossOf(const Json& json) {
  const double* number = json.as<double>();
  return number ? std::optional(*number) : std::nullopt;
}

// A row of numbers alone is stored compactly, one with null is not.
std::optional<Measured> rowOf(const Json& json) {
  constexpr std::size_t kColumns = 4;
  if (json.size() != kColumns) return {};
  if (const auto* numbers = json.as<Json::Numbers>())
    return Measured{static_cast<long>((*numbers)[0]), (*numbers)[1], (*numbers)[2], (*numbers)[3]};
  const auto* items = json.as<Json::Items>();
  const double* step = items ? numberOf(&(*items)[0]) : nullptr;
  if (!step) return {};
  return Measured{static_cast<long>(*step), lossOf((*items)[1]), lossOf((*items)[2]), lossOf((*items)[3])};
}

bool readCurve(const Json* json, std::vector<Measured>& curve) {
  const auto* rows = json ? json->as<Json::Items>() : nullptr;
  if (!rows) return false;
  for (const Json& row : *rows) {
    const std::optional<Measured> measured = rowOf(row);
    if (!measured) return false;
    curve.push_back(*measured);
  }
  return true;
}

bool readCheckpoints(const Json* json, std::vector<Checkpoint>& checkpoints) {
  const auto* items = json ? json->as<Json::Items>() : nullptr;
  if (!items || items->empty()) return false;
  for (const Json& item : *items) {
    const double* step = numberOf(item.find("step"));
    const Json* name = item.find("file");
    const auto* file = name ? name->as<std::string>() : nullptr;
    if (!step || !file) return false;
    checkpoints.push_back({static_cast<long>(*step), *file});
  }
  return true;
}

}  // namespace

core::Result<Facts> readFacts(std::string_view json) {
  const core::Result<Json> read = io::parseJson(json);
  if (!read) return wrongFacts();
  Facts facts;
  const bool right = readCheckpoints(read.value().find("checkpoints"), facts.checkpoints) &&
                     readCurve(read.value().find("curve"), facts.curve) &&
                     readCurve(read.value().find("without_positions"), facts.without_positions);
  if (!right) return wrongFacts();
  return facts;
}

}  // namespace attn::study
