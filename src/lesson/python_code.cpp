// The data as Python literals; the programs are files of src/lesson/code.
#include "lesson/python_code.h"

#include <cmath>
#include <cstdio>

#include "core/number.h"
#include "lesson/python_texts.h"

namespace attn::lesson {
namespace {

using core::Index;
using Matrix = core::Matrix<double>;
using Vector = core::RowVector<double>;

std::string literal(double value) {
  if (std::isnan(value)) return "math.nan";
  if (std::isinf(value)) return value > 0 ? "math.inf" : "-math.inf";
  std::string text = core::fullText(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

// Every byte as it is: what is not plain ASCII is escaped by its code point.
std::string literal(const std::string& text) {
  std::string quoted = "\"";
  char escape[8];
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += std::string("\\") + c;
    else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      std::snprintf(escape, sizeof escape, "\\x%02x", static_cast<unsigned char>(c));
      quoted += escape;
    } else quoted += c;
  }
  return quoted + "\"";
}

template <class Items, class Text>
std::string listed(const Items& items, std::string_view between, Text text) {
  std::string list = "[";
  bool first = true;
  for (const auto& item : items) {
    list += (first ? std::string() : std::string(between)) + text(item);
    first = false;
  }
  return list + "]";
}

std::string literal(const Vector& vector) {
  return listed(std::vector<double>(vector.data(), vector.data() + vector.size()), ", ", [](double value) { return literal(value); });
}

std::string literal(const Matrix& matrix) {
  std::vector<Vector> rows;
  for (Index i = 0; i < matrix.rows(); ++i) rows.emplace_back(matrix.row(i));
  return listed(rows, ",\n     ", [](const Vector& row) { return literal(row); });
}

template <class Value>
std::string literal(const std::vector<Value>& list) {
  if (list.empty()) return "None";
  return listed(list, ",\n    ", [](const Value& value) { return literal(value); });
}

template <class Value>
std::string literal(const std::optional<Value>& value) { return value ? literal(*value) : "None"; }

class Data {
 public:
  template <class Value>
  void put(std::string_view name, const Value& value) { line(name, literal(value)); }
  void line(std::string_view name, const std::string& text) { text_ += std::string(name) + " = " + text + "\n"; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

std::string allowedText(const core::Mask& mask) {
  std::string text = "[";
  for (Index i = 0; i < mask.rows(); ++i) {
    text += i ? ",\n     [" : "[";
    for (Index j = 0; j < mask.columns(); ++j) text += std::string(j ? ", " : "") + (mask.allowed(i, j) ? "True" : "False");
    text += "]";
  }
  return text + "]";
}

std::string normText(const std::optional<core::Norm<double>>& norm) {
  if (!norm) return "None";
  return "{\"eps\": " + literal(norm->eps) + ", \"gain\": " + literal(norm->gain) + ", \"bias\": " + literal(norm->bias) + "}";
}

// What edits have left in computed arrays, by array and head.
std::string editedText(const core::Trace<double>& trace) {
  std::string text;
  const auto put = [&](std::string_view name, std::size_t head, const Matrix& values) {
    text += (text.empty() ? "" : ",\n    ") + std::string("(\"") + std::string(name) + "\", " + std::to_string(head) + "): " + literal(values);
  };
  if (trace.overwritten_x && trace.x) put("x", 0, *trace.x);
  for (std::size_t h = 0; h < trace.heads.size(); ++h) {
    for (const auto& overwritten : trace.heads[h].overwritten) {
      const core::ArrayView view = core::arrayOf(trace, static_cast<Index>(h), overwritten.first);
      Matrix values(view.rows, view.columns);
      for (Index i = 0; i < view.rows; ++i) {
        for (Index j = 0; j < view.columns; ++j) values(i, j) = view(i, j);
      }
      put(core::arrayName(overwritten.first), h, values);
    }
  }
  return "{" + text + "}";
}

std::vector<Matrix> biases(const core::Trace<double>& trace) {
  std::vector<Matrix> all;
  for (const auto& head : trace.heads) {
    if (head.bias) all.push_back(*head.bias);
  }
  return all;
}

std::vector<double> sinks(const core::Trace<double>& trace) {
  std::vector<double> all;
  for (const auto& head : trace.heads) {
    if (head.sink) all.push_back(*head.sink);
  }
  return all;
}

std::optional<Matrix> addedTo(const core::Trace<double>& trace) {
  switch (trace.problem.residual) {
    case core::Residual::kInput: return trace.x;
    case core::Residual::kState: case core::Residual::kPreNorm: return trace.problem.state;
    default: return std::nullopt;
  }
}

std::string dataOf(const Example& example, const core::Trace<double>& trace) {
  const core::Problem<double>& p = trace.problem;
  Data data;
  data.put("tokens", example.tokens);
  data.put("sources", example.sources);
  data.line("heads", std::to_string(p.heads()));
  data.line("key_value_heads", std::to_string(p.keyValueHeads()));
  data.put("state", p.norm ? p.state : std::optional<Matrix>());
  data.line("norm", normText(p.norm));
  data.put("x", p.norm ? std::optional<Matrix>() : trace.x);
  data.put("x_sources", p.x_sources);
  data.put("wq", p.wq);
  data.put("wk", p.wk);
  data.put("wv", p.wv);
  data.put("bq", p.bq);
  data.put("bk", p.bk);
  data.put("bv", p.bv);
  data.put("q", p.q);
  data.put("k", p.k);
  data.put("v", p.v);
  data.line("scale", p.scale ? literal(*p.scale) : "1 / math.sqrt(" + std::to_string(trace.heads[0].q.cols()) + ")");
  data.put("temperature", p.temperature.value_or(1));
  data.put("softcap", p.softcap);
  data.put("bias", biases(trace));
  data.put("sink", sinks(trace));
  data.line("allowed", allowedText(trace.mask));
  data.put("wo", p.wo);
  data.put("bo", p.bo);
  data.put("added_to", addedTo(trace));
  data.line("edited", editedText(trace));
  return data.text();
}

}  // namespace

std::string pythonCode(const Example& example, const core::Trace<double>& trace, Dialect dialect) {
  const std::string_view program = dialect == Dialect::kPlain   ? texts::plain_py
                                   : dialect == Dialect::kNumpy ? texts::numpy_py
                                                                : texts::torch_py;
  const char* const imports = dialect == Dialect::kPlain ? "import math\n" : dialect == Dialect::kNumpy ? "import math\n\nimport numpy as np\n"
                                                                                                 : "import math\n\nimport torch\n";
  return "# Rows are destinations, columns the sources that they read; allowed: True = may be read.\n" + std::string(imports) +
         "\n" + dataOf(example, trace) + "\n\n" + std::string(program);
}

}  // namespace attn::lesson
