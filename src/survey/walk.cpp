// A window of one head, written as a document. See walk.h.
#include "survey/walk.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/language.h"
#include "io/array_json.h"
#include "io/json_writer.h"
#include "io/label.h"
#include "survey/weights.h"

namespace attn::survey {
namespace {

using core::Index;
using core::Matrix;
using opened::Role;

constexpr double kBytesOfNumber = 25;

template <class List>
void put(io::JsonWriter& json, std::string_view name, const List& list) { io::writeList(json.name(name), list); }

// Tokens from `first` up to `end`; their numbers where there is not one for each of all positions.
std::vector<std::string> namesOf(const std::vector<std::string>& tokens, Index first, Index end, Index all) {
  const bool numbers = static_cast<Index>(tokens.size()) != all;
  std::vector<std::string> names;
  for (Index n = first; n < end; ++n) names.push_back(numbers ? std::to_string(n) : tokens[static_cast<std::size_t>(n)]);
  return names;
}

// The part of a head that goes into a document.
struct Window {
  Matrix<double> q, k, v, bias;
  Index first = 0, end = 0, sources = 0;
  Index all_destinations = 0, all_sources = 0;
};

core::Check notFinite(const Window& window) {
  for (const auto& [name, matrix] :
       {std::pair(std::string("q"), &window.q), {"k", &window.k}, {"v", &window.v}, {tr("the bias"), &window.bias}})
    if (!matrix->allFinite())
      return core::Error{tr("In {0} of this head there are numbers that are not finite, with which no step can be shown; export it "
                            "again in float32.", {name})};
  return {};
}

core::Result<Window> windowOf(const Chosen& chosen, std::uint64_t row, bool causal) {
  const opened::Model& model = chosen.model;
  const opened::Place keys = keyPlace(model, chosen.place);
  core::Result<Matrix<double>> q = matrixOf(model, Role::kQ, chosen.place), k = matrixOf(model, Role::kK, keys), v = matrixOf(model, Role::kV, keys);
  for (const auto* each : {&q, &k, &v})
    if (!*each) return each->error();
  if (core::Check unfit = fitting(model, chosen.place.layer, q.value(), k.value())) return *unfit;
  if (v.value().rows() != k.value().rows()) {
    return model.unlike(chosen.place.layer, Role::kK, Role::kV, tr("number of sources"));
  }
  const Index T = q.value().rows(), S = k.value().rows();
  if (T == 0 || S == 0) return core::Error{tr("This head has no positions to walk through; export at least one.")};
  const Destinations around = destinationsAround(std::min<std::uint64_t>(row, static_cast<std::uint64_t>(T - 1)), static_cast<std::uint64_t>(T));
  Window window;
  window.all_destinations = T, window.all_sources = S;
  window.first = static_cast<Index>(around.first), window.end = static_cast<Index>(around.end);
  window.sources = causal ? std::clamp<Index>(window.end + S - T, 0, S) : S;
  if (window.sources == 0) {
    return core::Error{tr("None of these destinations may read a source; choose a later one, or take no mask.")};
  }
  core::Result<Matrix<double>> bias = biasOf(model, chosen.place, T, S);
  if (!bias) return bias.error();
  if (bias.value().size() > 0) window.bias = bias.value().block(window.first, 0, window.end - window.first, window.sources);
  window.q = q.value().middleRows(window.first, window.end - window.first);
  window.k = k.value().topRows(window.sources);
  window.v = v.value().topRows(window.sources);
  return window;
}

std::string titleOf(const Chosen& chosen, const Window& window) {
  std::string title = chosen.set.label + " · " + tr("layer {0}, head {1}", {chosen.place.layer, chosen.place.head});
  if (chosen.model.batches() > 1) title += ", " + tr("sequence {0}", {chosen.place.batch});
  if (window.end - window.first == window.all_destinations) return title;
  return title + ", " + tr("rows {0}–{1}", {window.first, window.end - 1});
}

}  // namespace

std::string missingForWalk(const opened::Model& model, std::uint64_t layer) {
  std::vector<std::string> missing;
  for (const auto& [role, name] : {std::pair(Role::kQ, tr("queries")), {Role::kK, tr("keys")}, {Role::kV, tr("values")}})
    if (!model.arrayOf(role, layer)) missing.push_back(name);
  if (missing.size() == 3) return tr("{0}, {1} and {2}", {missing[0], missing[1], missing[2]});
  if (missing.size() == 2) return tr("{0} and {1}", {missing[0], missing[1]});
  return missing.empty() ? "" : missing[0];
}

Destinations destinationsAround(std::uint64_t row, std::uint64_t count) {
  const std::uint64_t end = std::max(row + 1, std::min(count, kMostDestinations));
  return {end - std::min(end, kMostDestinations), end};
}

core::Result<std::string> walkDocument(const Chosen& chosen, std::uint64_t row, bool causal, std::uint64_t budget) {
  const core::Result<Window> read = windowOf(chosen, row, causal);
  if (!read) return read.error();
  const Window& window = read.value();
  if (core::Check wrong = notFinite(window)) return *wrong;
  const double bytes = kBytesOfNumber * static_cast<double>(window.q.size() + window.k.size() + window.v.size() + window.bias.size());
  if (bytes > static_cast<double>(budget)) {
    return core::Error{tr("As an example this head would take {0} of the {1} allowed; export fewer positions.",
                          {core::bytesText(static_cast<unsigned long long>(bytes)), core::bytesText(budget)})};
  }
  const std::vector<std::string> tokens = namesOf(chosen.tokens, window.first, window.end, window.all_destinations);
  const std::vector<std::string> sources = namesOf(chosen.sources, 0, window.sources, window.all_sources);
  io::JsonWriter json;
  json.beginObject().name("attnscope").number(1).name("title").text(titleOf(chosen, window));
  put(json, "tokens", tokens);
  if (sources != tokens) put(json, "sources", sources);
  put(json, "q", window.q);
  put(json, "k", window.k);
  put(json, "v", window.v);
  if (window.bias.size() > 0) put(json, "bias", window.bias);
  if (causal) json.name("mask").beginObject().name("causal").flag(true).name("align").text("bottom-right").endObject();
  json.endObject();
  return json.take();
}

}  // namespace attn::survey
