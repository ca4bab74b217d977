// See csv_writer.h.
#include "io/csv_writer.h"

#include <string_view>

namespace attn::io {
namespace {

bool needsQuotes(std::string_view cell) {
  if (cell.empty()) return false;
  return cell.find_first_of(",\"\r\n") != cell.npos || cell.front() == ' ' || cell.back() == ' ';
}

std::string quoted(std::string_view cell) {
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? "\"\"" : std::string(1, c);
  return text + "\"";
}

}  // namespace

std::string csvText(const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text += ',';
      text += needsQuotes(row[i]) ? quoted(row[i]) : row[i];
    }
    text += "\r\n";
  }
  return text;
}

}  // namespace attn::io
