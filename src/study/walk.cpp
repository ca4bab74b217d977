// See walk.h.
#include "study/walk.h"

#include "core/language.h"
#include "io/array_json.h"
#include "io/json_writer.h"

namespace attn::study {
namespace {

using Matrix = core::Matrix<double>;
using Row = core::RowVector<double>;

template <class List>
void put(io::JsonWriter& json, const char* name, const List& list) { io::writeList(json.name(name), list); }

template <class Each>
void putAll(io::JsonWriter& json, const char* name, const std::vector<Each>& list) {
  if (list.empty()) return;
  json.name(name).beginList();
  for (const Each& each : list) io::writeList(json, each.template cast<double>().eval());
  json.endList();
}

}  // namespace

bool canWalk(const core::Decoder& decoder) {
  constexpr Index kMostWidth = 256;
  return decoder.width() <= kMostWidth;
}

std::string walkDocument(const Running& running, Index layer) {
  const core::Problem<float> problem = core::attentionOf(running.decoder().blocks[static_cast<std::size_t>(layer)]);
  const core::Matrix<float>& state = *running.run->blocks[static_cast<std::size_t>(layer)].attention.problem.state;
  std::vector<std::string> tokens;
  for (const Index token : running.read.tokens) tokens.push_back(running.loaded.text(token));
  io::JsonWriter json;
  json.beginObject().name("attnscope").number(1);
  json.name("title").text(tr("Trained model · layer {0}", {layer}));
  put(json, "tokens", tokens);
  putAll(json, "wq", problem.wq);
  putAll(json, "wk", problem.wk);
  putAll(json, "wv", problem.wv);
  putAll(json, "bq", problem.bq);
  putAll(json, "bk", problem.bk);
  putAll(json, "bv", problem.bv);
  put(json, "wo", Matrix(problem.wo->cast<double>()));
  put(json, "bo", Row(problem.bo->cast<double>()));
  json.name("residual").beginObject();
  put(json, "state", Matrix(state.cast<double>()));
  json.name("norm").beginObject().name("eps").number(static_cast<double>(problem.norm->eps));
  put(json, "gain", Row(problem.norm->gain->cast<double>()));
  put(json, "bias", Row(problem.norm->bias->cast<double>()));
  json.endObject().endObject();
  json.name("mask").text("causal").endObject();
  return json.take();
}

}  // namespace attn::study
