// The names and the order of the Trace format.
#include "lesson/trace_json.h"

#include "io/array_json.h"
#include "io/json_writer.h"

namespace attn::lesson {
namespace {

using core::Index;
using Matrix = core::Matrix<double>;
using Vector = core::RowVector<double>;
using io::JsonWriter;

void write(JsonWriter& out, double value) { out.number(value); }

template <class Value>
void write(JsonWriter& out, const Value& value) { io::writeList(out, value); }

template <class Value>
void field(JsonWriter& out, std::string_view name, const Value& value) {
  out.name(name);
  write(out, value);
}

template <class Value>
void field(JsonWriter& out, std::string_view name, const std::optional<Value>& value) {
  if (value) field(out, name, *value);
}

// The entry of one head, of a list that may be empty: not given.
template <class Value>
void entry(JsonWriter& out, std::string_view name, const std::vector<Value>& list, Index index) {
  if (!list.empty()) field(out, name, list[static_cast<std::size_t>(index)]);
}

// T lists of S, each made by `cell(i, j)`.
template <class Cell>
void table(JsonWriter& out, std::string_view name, const core::Mask& mask, Cell cell) {
  out.name(name).beginList();
  for (Index i = 0; i < mask.rows(); ++i) {
    out.beginList();
    for (Index j = 0; j < mask.columns(); ++j) cell(i, j);
    out.endList();
  }
  out.endList();
}

void writeParameters(JsonWriter& out, const core::Problem<double>& problem, Index head, Index kv_head) {
  entry(out, "wq", problem.wq, head);
  entry(out, "wk", problem.wk, kv_head);
  entry(out, "wv", problem.wv, kv_head);
  entry(out, "bq", problem.bq, head);
  entry(out, "bk", problem.bk, kv_head);
  entry(out, "bv", problem.bv, kv_head);
}

void writeSoftmax(JsonWriter& out, const core::HeadTrace<double>& head) {
  const core::Softmax<double>& softmax = head.softmax;
  field(out, "row_max", softmax.row_max);
  field(out, "exp", softmax.exp);
  field(out, "row_sum", softmax.row_sum);
  field(out, "exp_plain", softmax.exp_plain);
  field(out, "row_sum_plain", softmax.row_sum_plain);
  field(out, "sink", head.sink);
  field(out, "weights", softmax.weights);
  out.name("row_status").beginList();
  for (const core::RowStatus status : softmax.row_status) {
    out.text(status == core::RowStatus::kOk ? "ok" : "no_source");
  }
  out.endList();
}

void writeHead(JsonWriter& out, const core::Trace<double>& trace, Index index) {
  const core::HeadTrace<double>& head = trace.heads[static_cast<std::size_t>(index)];
  out.beginObject();
  field(out, "kv_head", static_cast<double>(head.kv_head));
  writeParameters(out, trace.problem, index, head.kv_head);
  field(out, "q", head.q);
  field(out, "k", head.k);
  field(out, "v", head.v);
  field(out, "scores", head.scores);
  field(out, "scale", trace.scale);
  field(out, "temperature", trace.problem.temperature);
  field(out, "scaled", head.scaled);
  field(out, "softcapped", head.softcapped);
  field(out, "bias", head.bias);
  field(out, "biased", head.biased);
  table(out, "allowed", trace.mask, [&](Index i, Index j) { out.flag(trace.mask.allowed(i, j)); });
  table(out, "blocked_by", trace.mask,
        [&](Index i, Index j) { out.text(core::blockReasonText(trace.mask.reasons(i, j))); });
  field(out, "masked", head.masked);
  writeSoftmax(out, head);
  field(out, "z", head.z);
  out.endObject();
}

void writeNorm(JsonWriter& out, const core::Norm<double>& norm) {
  out.name("norm").beginObject();
  field(out, "eps", norm.eps);
  field(out, "gain", norm.gain);
  field(out, "bias", norm.bias);
  out.endObject();
}

}  // namespace

std::string traceJson(const Example& example, const core::Trace<double>& trace) {
  const core::Problem<double>& problem = trace.problem;
  JsonWriter out;
  out.beginObject();
  field(out, "tokens", example.tokens);
  field(out, "sources", example.sources);
  if (!example.edits.empty()) field(out, "edits", example.edits);
  field(out, "state", problem.state);
  if (problem.norm) writeNorm(out, *problem.norm);
  field(out, "x", trace.x);
  field(out, "x_sources", problem.x_sources);
  out.name("heads").beginList();
  for (Index head = 0; head < static_cast<Index>(trace.heads.size()); ++head) writeHead(out, trace, head);
  out.endList();
  field(out, "concat", trace.concat);
  field(out, "wo", problem.wo);
  field(out, "bo", problem.bo);
  field(out, "y", trace.y);
  field(out, "residual", trace.residual);
  out.endObject();
  return out.take();
}

}  // namespace attn::lesson
