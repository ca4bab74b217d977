// Checked values as the types that a computation wants.
#include <algorithm>
#include <cassert>

#include "core/number.h"
#include "scene/scene.h"
#include "scene/values.h"

namespace attn::scene {

using lesson::Param;
using lesson::ParamKind;

const Param& Inputs::find(std::string_view key) const {
  const auto found = std::find_if(params_.begin(), params_.end(), [&](const Param& param) { return param.key == key; });
  assert(found != params_.end() && "the text file declares no such param");
  return *found;
}

Index Inputs::integer(std::string_view key) const {
  assert(find(key).kind == ParamKind::kInteger);
  return static_cast<Index>(core::parseNumber(find(key).value).value_or(0));
}

double Inputs::number(std::string_view key) const {
  assert(find(key).kind == ParamKind::kNumber || find(key).kind == ParamKind::kInteger);
  return core::parseNumber(find(key).value).value_or(0);
}

bool Inputs::on(std::string_view key) const {
  assert(find(key).kind == ParamKind::kToggle);
  return find(key).value == "1";
}

const std::string& Inputs::text(std::string_view key) const {
  assert(find(key).kind == ParamKind::kText || find(key).kind == ParamKind::kData ||
         find(key).kind == ParamKind::kChoice);
  return find(key).value;
}

std::uint64_t Inputs::seed(std::string_view key) const {
  assert(find(key).kind == ParamKind::kSeed);
  return static_cast<std::uint64_t>(core::parseNumber(find(key).value).value_or(0));
}

std::vector<Index> Inputs::order(std::string_view key) const {
  assert(find(key).kind == ParamKind::kOrder);
  std::vector<Index> order;
  for (const std::string& part : splitList(find(key).value)) {
    order.push_back(static_cast<Index>(core::parseNumber(part).value_or(0)));
  }
  return order;
}

std::vector<double> Inputs::numbers(std::string_view key) const {
  assert(find(key).kind == ParamKind::kNumbers);
  std::vector<double> numbers;
  for (const std::string& part : splitList(find(key).value)) numbers.push_back(core::parseNumber(part).value_or(0));
  return numbers;
}

}  // namespace attn::scene
