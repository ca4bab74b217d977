// See array_json.h.
#include "io/array_json.h"

namespace attn::io {

void writeList(JsonWriter& out, const core::Matrix<double>& rows) {
  out.beginList();
  for (core::Index i = 0; i < rows.rows(); ++i) {
    out.beginList();
    for (core::Index j = 0; j < rows.cols(); ++j) out.number(rows(i, j));
    out.endList();
  }
  out.endList();
}

void writeList(JsonWriter& out, const core::RowVector<double>& numbers) {
  out.beginList();
  for (core::Index i = 0; i < numbers.size(); ++i) out.number(numbers(i));
  out.endList();
}

void writeList(JsonWriter& out, const std::vector<std::string>& texts) {
  out.beginList();
  for (const std::string& text : texts) out.text(text);
  out.endList();
}

}  // namespace attn::io
