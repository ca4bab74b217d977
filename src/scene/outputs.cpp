// Collecting what a computation hands over.
#include <algorithm>
#include <cassert>

#include "scene/scene.h"

namespace attn::scene {
namespace {

using Results = std::vector<lesson::Outcome>;

template <class Value>
void add(Results& results, std::string name, Value value) {
  assert(std::none_of(results.begin(), results.end(), [&](const auto& result) { return result.name == name; }) &&
         "a result of this name exists");
  results.push_back({std::move(name), std::move(value)});
}

}  // namespace

void Outputs::number(std::string name, double value) { add(results, std::move(name), value); }
void Outputs::flag(std::string name, bool value) { add(results, std::move(name), value); }
void Outputs::text(std::string name, std::string value) { add(results, std::move(name), std::move(value)); }
void Outputs::numbers(std::string name, std::vector<double> values) { add(results, std::move(name), std::move(values)); }
void Outputs::texts(std::string name, std::vector<std::string> values) {
  add(results, std::move(name), std::move(values));
}
void Outputs::matrix(std::string name, const Matrix<double>& value) { add(results, std::move(name), value); }

void Outputs::grid(std::string name, const Matrix<double>& value, lesson::Grid look) {
  look.rows = value.rows();
  look.columns = value.cols();
  look.values.assign(value.data(), value.data() + value.size());
  matrix(name, value);
  figure(std::move(name), std::move(look));
}

void Outputs::hide(std::string key) { hidden.push_back(std::move(key)); }
void Outputs::options(std::string key, std::vector<lesson::ParamOption> list) {
  choices.emplace_back(std::move(key), std::move(list));
}
void Outputs::hint(std::string key, std::string text) { hints.emplace_back(std::move(key), std::move(text)); }
void Outputs::standard(std::string key, std::string id) { standards.emplace_back(std::move(key), std::move(id)); }
void Outputs::limit(std::string key, double maximum) { limits.emplace_back(std::move(key), maximum); }
void Outputs::blocks(std::string name, std::vector<lesson::Block> list) {
  lists.emplace_back(std::move(name), std::move(list));
}

}  // namespace attn::scene
