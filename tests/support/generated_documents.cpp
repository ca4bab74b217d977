// A plain writer of JSON: names, numbers and brackets.
#include "support/generated_documents.h"

#include <cmath>
#include <cstdio>

#include "core/number.h"
#include "support/problems.h"

namespace attn::test {
namespace {

using core::RowVector;

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\') {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\u%04X", static_cast<unsigned>(c));
      out += escape;
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string json(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Infinity" : "Infinity";
  return core::machineText(value);
}
std::string json(const std::string& text) { return quoted(text); }
std::string json(bool flag) { return flag ? "true" : "false"; }

// "[" + one text for each of n entries + "]".
template <class Entry>
std::string list(Index n, Entry entry) {
  std::string out = "[";
  for (Index i = 0; i < n; ++i) out += (i ? "," : "") + entry(i);
  return out + "]";
}

std::string json(const RowVector<double>& vector) {
  return list(vector.size(), [&](Index i) { return json(vector(i)); });
}

std::string json(const Matrix& matrix) {
  return list(matrix.rows(), [&](Index i) { return json(RowVector<double>(matrix.row(i))); });
}

std::string json(const std::vector<bool>& flags) {
  return list(static_cast<Index>(flags.size()),
              [&](Index i) { return json(bool(flags[static_cast<std::size_t>(i)])); });
}

template <class T>
std::string json(const std::vector<T>& values) {
  return list(static_cast<Index>(values.size()), [&](Index i) { return json(values[static_cast<std::size_t>(i)]); });
}

// The fields of an object, in order.
class Members {
 public:
  template <class T>
  void add(const char* name, const T& value) {
    addText(name, json(value));
  }
  template <class T>
  void add(const char* name, const std::optional<T>& value) {
    if (value) add(name, *value);
  }
  // One matrix or vector stands alone, several as a list.
  template <class T>
  void addHeads(const char* name, const std::vector<T>& values) {
    if (values.size() == 1) add(name, values[0]);
    if (values.size() > 1) add(name, values);
  }
  void addText(const char* name, const std::string& value) {
    out_ += (out_.empty() ? "" : ",\n") + quoted(name) + ": " + value;
  }
  std::string str() const { return "{" + out_ + "}"; }

 private:
  std::string out_;
};

std::string maskText(const core::MaskSpec& mask) {
  Members members;
  if (mask.causal) members.add("causal", true);
  if (mask.align == core::Align::kBottomRight) members.add("align", std::string("bottom-right"));
  if (mask.window) members.add("window", static_cast<double>(*mask.window));
  if (!mask.padding.empty()) members.add("padding", mask.padding);
  if (!mask.allowed.empty()) members.add("allowed", mask.allowed);
  return members.str();
}

std::string residualText(const Problem& problem) {
  if (problem.residual == core::Residual::kNone) return "false";
  if (problem.residual == core::Residual::kInput) return "true";
  if (problem.residual == core::Residual::kState) return json(*problem.state);
  Members norm, members;
  norm.add("eps", problem.norm->eps);
  norm.add("gain", problem.norm->gain);
  norm.add("bias", problem.norm->bias);
  members.add("state", problem.state);
  members.addText("norm", norm.str());
  return members.str();
}

std::vector<std::string> numbered(const char* prefix, Index n) {
  std::vector<std::string> names;
  for (Index i = 0; i < n; ++i) names.push_back(prefix + std::to_string(i));
  return names;
}

}  // namespace

std::string documentOf(const Problem& problem, std::vector<std::string> tokens, std::vector<std::string> sources) {
  Members members;
  members.add("attnscope", 1.0);
  members.add("tokens", tokens.empty() ? numbered("t", problem.T) : tokens);
  if (problem.cross) members.add("sources", sources.empty() ? numbered("s", problem.S) : sources);
  members.add("x", problem.x);
  members.add("x_sources", problem.x_sources);
  members.addHeads("wq", problem.wq);
  members.addHeads("wk", problem.wk);
  members.addHeads("wv", problem.wv);
  members.addHeads("bq", problem.bq);
  members.addHeads("bk", problem.bk);
  members.addHeads("bv", problem.bv);
  members.addHeads("q", problem.q);
  members.addHeads("k", problem.k);
  members.addHeads("v", problem.v);
  members.add("wo", problem.wo);
  members.add("bo", problem.bo);
  members.add("scale", problem.scale);
  members.add("temperature", problem.temperature);
  members.add("softcap", problem.softcap);
  members.addHeads("sink", problem.sink);
  if (!problem.alibi.empty()) members.add("alibi", problem.alibi);
  members.addHeads("bias", problem.bias);
  members.addText("mask", maskText(problem.mask));
  members.addText("residual", residualText(problem));
  return members.str();
}

std::string manyHeadsDocument() {
  constexpr Index kTokens = 64, kWidth = 64, kHeads = 8, kHeadWidth = kWidth / kHeads;
  Random random(64);
  Problem problem;
  problem.T = problem.S = kTokens;
  problem.x = random.matrix(kTokens, kWidth);
  for (Index h = 0; h < kHeads; ++h) {
    for (auto* weights : {&problem.wq, &problem.wk, &problem.wv}) {
      weights->push_back(random.matrix(kWidth, kHeadWidth) / std::sqrt(double(kWidth)));
    }
  }
  problem.wo = random.matrix(kWidth, kWidth) / std::sqrt(double(kWidth));
  problem.mask.causal = true;
  problem.residual = core::Residual::kInput;
  return documentOf(problem);
}

std::string longDocument() {
  constexpr Index kTokens = 512, kWidth = 64;
  Random random(512);
  Problem problem;
  problem.T = problem.S = kTokens;
  problem.q = {random.matrix(kTokens, kWidth)};
  problem.k = {random.matrix(kTokens, kWidth)};
  problem.v = {random.matrix(kTokens, kWidth)};
  return documentOf(problem);
}

}  // namespace attn::test
