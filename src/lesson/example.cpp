// The fields of an example document, one after the other. What fits together is core::checkProblem's to say.
#include "lesson/example.h"

#include <cmath>

#include "core/language.h"
#include "core/number.h"
#include "core/trace.h"
#include "lesson/edits.h"
#include "lesson/fields.h"

namespace attn::lesson {
namespace {

using io::Json;

// Asked before anything else: a document without tokens has no positions to speak of.
void checkTokens(Fields& fields) {
  const Json* tokens = fields.find("tokens");
  if (tokens && tokens->isList() && tokens->size() == 0) {
    fields.refuse("tokens", *tokens, tr("is an empty list; write at least one token"));
  }
}

core::Check checkKind(const Json& document) {
  const Json* format = document.find("attnscope");
  if (!format) {
    return core::Error{tr("The document has no field `attnscope`, so it is not an example document; "
                          "add \"attnscope\": 1 if it is meant to be one.")};
  }
  const auto* version = format->as<double>();
  if (!version || *version != 1) {
    return core::Error{tr("`attnscope` at {0} is {1}; this version reads only documents with \"attnscope\": 1.",
                          {io::placeText(format->place), version ? core::fullText(*version) : format->kindText()})};
  }
  if (!document.find("tokens")) {
    return core::Error{tr("The document has no field `tokens`; add a list with one text for each position.")};
  }
  return {};
}

core::Error sentence(std::string text) {
  if (text.back() != '.') text += '.';
  return {std::move(text)};
}

void readMask(Fields& fields, core::Check& failure, core::MaskSpec& mask) {
  const Json* value = fields.find("mask");
  if (!value) return;
  if (const auto* word = value->as<std::string>()) {
    mask.causal = *word == "causal";
    if (*word != "none" && !mask.causal) {
      fields.refuse("mask", *value, tr("is \"{0}\"; write \"none\", \"causal\" or an object", {*word}));
    }
    return;
  }
  if (!value->isObject()) {
    return fields.refuse("mask", *value, tr("is {0}; write \"none\", \"causal\" or an object", {value->kindText()}));
  }
  Fields parts(*value, "mask", failure);
  parts.onlyKnown({"causal", "align", "window", "padding", "allowed"});
  parts.flag("causal", mask.causal);
  std::string align = "top-left";
  parts.text("align", align);
  mask.align = align == "bottom-right" ? core::Align::kBottomRight : core::Align::kTopLeft;
  if (align != "bottom-right" && align != "top-left") {
    parts.refuse("align", *value->find("align"), tr("is \"{0}\"; write \"top-left\" or \"bottom-right\"", {align}));
  }
  core::Index window = 1;
  parts.integer("window", window);
  if (const Json* given = parts.find("window")) {
    if (window < 1) parts.refuse("window", *given, tr("is {0}; write a whole number from 1 on", {window}));
    mask.window = window;
  }
  parts.flags("padding", mask.padding);
  parts.flagRows("allowed", mask.allowed);
}

void readNorm(const Json& value, core::Check& failure, core::Problem<double>& problem) {
  Fields parts(value, "residual.norm", failure);
  parts.onlyKnown({"eps", "gain", "bias"});
  core::Norm<double> norm;
  std::optional<double> eps;
  parts.number("eps", eps);
  norm.eps = eps.value_or(norm.eps);
  if (norm.eps < 0) {
    parts.refuse("eps", *value.find("eps"), tr("is {0}; write a number that is not negative", {core::fullText(norm.eps)}));
  }
  parts.vector("gain", norm.gain);
  parts.vector("bias", norm.bias);
  problem.norm = std::move(norm);
}

void readPreNorm(const Json& value, Fields& fields, core::Check& failure, core::Problem<double>& problem) {
  Fields parts(value, "residual", failure);
  parts.onlyKnown({"state", "norm"});
  for (const char* name : {"state", "norm"}) {
    if (!value.find(name)) fields.refuse("residual", value, tr("has no field `{0}`; add it", {name}));
  }
  parts.matrix("state", problem.state);
  const Json* norm = parts.find("norm");
  if (!norm) return;
  if (!norm->isObject()) {
    return parts.refuse("norm", *norm, tr("is {0}; write an object, such as {{\"eps\": 1e-5}", {norm->kindText()}));
  }
  readNorm(*norm, failure, problem);
  if (const Json* x = fields.find("x")) {
    fields.refuse("x", *x, tr("is given although `residual.norm` computes it; leave one of the two out"));
  }
}

void readResidual(Fields& fields, core::Check& failure, core::Problem<double>& problem) {
  const Json* value = fields.find("residual");
  if (!value) return;
  if (const auto* flag = value->as<bool>()) {
    problem.residual = *flag ? core::Residual::kInput : core::Residual::kNone;
  } else if (value->isObject()) {
    problem.residual = core::Residual::kPreNorm;
    readPreNorm(*value, fields, failure, problem);
  } else if (value->isList()) {
    problem.residual = core::Residual::kState;
    fields.matrix("residual", problem.state);
  } else {
    fields.refuse("residual", *value,
                  tr("is {0}; write true, a matrix, or an object with `state` and `norm`", {value->kindText()}));
  }
}

void readTexts(Fields& fields, core::Check& failure, std::map<core::Stage, std::string>& texts) {
  const Json* value = fields.find("texts");
  if (!value) return;
  const auto* members = value->as<Json::Members>();
  if (!members) {
    return fields.refuse("texts", *value, tr("is {0}; write an object: stage to text", {value->kindText()}));
  }
  Fields parts(*value, "texts", failure);
  for (const io::JsonMember& member : *members) {
    const std::optional<core::Stage> stage = core::parseStage(member.name);
    if (!stage) {
      std::string known;
      for (int i = 0; i < core::kStageCount; ++i) {
        known += (i ? ", " : "") + std::string(core::stageName(static_cast<core::Stage>(i)));
      }
      return parts.refuse(member.name, member.value, tr("names no stage; the stages are {0}", {known}));
    }
    parts.text(member.name, texts[*stage]);
  }
}

void readFirstIndex(Fields& fields, int& first_index) {
  core::Index index = 0;
  fields.integer("first_index", index);
  const Json* value = fields.find("first_index");
  if (value && index != 0 && index != 1) {
    fields.refuse("first_index", *value, tr("is {0}; write 0 or 1", {index}));
  }
  first_index = static_cast<int>(index);
}

void readArrays(Fields& fields, core::Problem<double>& problem) {
  fields.matrix("x", problem.x);
  fields.matrix("x_sources", problem.x_sources);
  fields.matrixOrList("wq", problem.wq);
  fields.matrixOrList("wk", problem.wk);
  fields.matrixOrList("wv", problem.wv);
  fields.vectorOrList("bq", problem.bq);
  fields.vectorOrList("bk", problem.bk);
  fields.vectorOrList("bv", problem.bv);
  fields.matrixOrList("q", problem.q);
  fields.matrixOrList("k", problem.k);
  fields.matrixOrList("v", problem.v);
  fields.matrix("wo", problem.wo);
  fields.vector("bo", problem.bo);
}

void readRules(Fields& fields, core::Problem<double>& problem) {
  fields.number("scale", problem.scale);
  fields.number("temperature", problem.temperature);
  fields.number("softcap", problem.softcap);
  for (const auto* rule : {&problem.temperature, &problem.softcap}) {
    const std::string_view name = rule == &problem.softcap ? "softcap" : "temperature";
    const Json* value = fields.find(name);
    if (value && **rule <= 0) fields.refuse(name, *value, tr("is {0}; write a number above 0", {core::fullText(**rule)}));
  }
  fields.numberOrList("sink", problem.sink);
  fields.numberOrList("alibi", problem.alibi);
  fields.matrixOrList("bias", problem.bias);
}

// Whether the list can be carried out is known when everything else is read.
void readEdits(Fields& fields, std::vector<std::string>& edits) {
  const Json* value = fields.find("edits");
  if (!value) return;
  if (!value->isList()) return fields.refuse("edits", *value, tr("is {0}; write a list", {value->kindText()}));
  if (value->size() > 0) fields.texts("edits", edits);
  const auto* items = value->as<Json::Items>();
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const auto edit = core::parseEdit(edits[i]);
    const std::string name = "edits[" + std::to_string(i) + "]";
    if (!edit) return fields.refuse(name, (*items)[i], tr("is refused: {0}", {edit.error().message}));
  }
}

// One after the other, so that the first one that fails is named.
core::Check checkEdits(const Example& example) {
  if (example.edits.empty()) return std::nullopt;
  const auto edited = editExample(example, example.edits);
  if (!edited) return core::Error{"`edits`: " + edited.error().message};
  if (core::Check bad = core::checkProblem(edited.value().problem))
    return core::Error{tr("`edits`: with all of them carried out, {0}", {bad->message})};
  return std::nullopt;
}

void readDocument(const Json& document, core::Check& failure, Example& example) {
  Fields fields(document, "", failure);
  checkTokens(fields);
  if (!failure) failure = checkKind(document);
  fields.texts("tokens", example.tokens);
  fields.onlyKnown({"attnscope", "title", "first_index", "tokens", "sources", "x", "x_sources", "wq", "wk", "wv", "bq",
                    "bk", "bv", "q", "k", "v", "wo", "bo", "scale", "temperature", "softcap", "sink", "alibi", "bias",
                    "mask", "residual", "texts", "edits", "tasks"});
  readEdits(fields, example.edits);
  fields.text("title", example.title);
  readFirstIndex(fields, example.first_index);
  example.sources = {};
  fields.texts("sources", example.sources);
  example.problem.cross = document.find("sources") || document.find("x_sources");
  if (!document.find("sources")) example.sources = example.tokens;
  example.problem.T = static_cast<core::Index>(example.tokens.size());
  example.problem.S = static_cast<core::Index>(example.sources.size());
  readArrays(fields, example.problem);
  readRules(fields, example.problem);
  readMask(fields, failure, example.problem.mask);
  readResidual(fields, failure, example.problem);
  readTexts(fields, failure, example.texts);
}

}  // namespace

core::Result<Example> parseExample(std::string_view json, std::string id) {
  const core::Result<Json> document = io::parseJson(json);
  if (!document) return document.error();
  if (!document.value().isObject()) {
    return core::Error{tr("The document is {0}; an example document is an object that opens with {{\"attnscope\": 1.",
                          {document.value().kindText()})};
  }
  Example example;
  example.id = std::move(id);
  core::Check failure;
  readDocument(document.value(), failure, example);
  if (!failure) failure = core::checkProblem(example.problem);
  if (!failure) failure = checkEdits(example);
  if (!failure) failure = readTasks(document.value(), example, example.tasks);
  if (failure) return sentence(std::move(failure->message));
  example.document = io::minifyJson(json);
  return example;
}

bool isDocument(std::string_view beginning) {
  using namespace std::string_view_literals;
  // Behind the mark of an encoding; zeros are the other halves of UTF-16.
  const std::size_t first = beginning.find_first_not_of("\xEF\xBB\xBF\xFE\xFF \t\r\n\0"sv);
  if (first == std::string_view::npos || beginning[first] != '{') return false;
  std::string narrow;
  if (beginning.find('\0') != std::string_view::npos) {
    narrow = beginning;
    std::erase(narrow, '\0');
    beginning = narrow;
  }
  constexpr std::string_view kKey = "\"attnscope\"";
  for (std::size_t at = beginning.find(kKey); at != std::string_view::npos; at = beginning.find(kKey, at + 1)) {
    const std::size_t next = beginning.find_first_not_of(" \t\r\n", at + kKey.size());
    if (next != std::string_view::npos && beginning[next] == ':') return true;
  }
  return false;
}

}  // namespace attn::lesson
