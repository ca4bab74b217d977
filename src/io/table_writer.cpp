// One array as a table to read or to paste: CSV, TSV, Markdown, LaTeX.
#include <functional>

#include "core/language.h"
#include "core/number.h"
#include "io/array_writer.h"

namespace attn::io {
namespace {

struct Table {
  std::size_t rows = 0, columns = 0;
  std::function<std::string(std::size_t, std::size_t)> cell;
  std::function<bool()> is_text;
};

core::Result<Table> tableOf(const NamedArray& array) {
  if (array.shape.size() > 2) {
    return core::Error{tr("{0} has {1} axes, and a table two; choose one head of it.", {array.name, array.shape.size()})};
  }
  Table table;
  table.rows = array.shape.size() == 2 ? array.shape[0] : 1;
  table.columns = array.shape.empty() ? 1 : array.shape.back();
  table.cell = [&array, columns = table.columns](std::size_t i, std::size_t j) -> std::string {
    const std::size_t n = i * columns + j;
    if (const auto* texts = array.texts()) return (*texts)[n];
    if (const auto* flags = array.flags()) return (*flags)[n] ? "true" : "false";
    return core::fullText((*array.numbers())[n]);
  };
  return table;
}

// A spreadsheet takes what begins like this for a formula, unless it is a number.
bool looksLikeFormula(std::string_view text) {
  return !text.empty() && std::string_view("=+-@\t\r").find(text[0]) != std::string_view::npos;
}

std::string separatedCell(std::string text, char separator, bool is_number) {
  if (!is_number && looksLikeFormula(text)) text.insert(0, 1, '\'');
  const bool quotes = text.find_first_of("\"\r\n") != std::string::npos || text.find(separator) != std::string::npos ||
                      (!text.empty() && (text.front() == ' ' || text.back() == ' '));
  if (!quotes) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

std::string replaced(std::string_view text, std::span<const std::pair<std::string_view, std::string_view>> pairs) {
  std::string result;
  while (!text.empty()) {
    bool found = false;
    for (const auto& pair : pairs) {
      if (text.substr(0, pair.first.size()) != pair.first) continue;
      result += pair.second;
      text.remove_prefix(pair.first.size());
      found = true;
      break;
    }
    if (found) continue;
    result += text[0];
    text.remove_prefix(1);
  }
  return result;
}

std::string markdownCell(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> kEscapes[] = {
      {"\\", "\\\\"}, {"|", "\\|"}, {"\r\n", "⏎"}, {"\n", "⏎"}, {"\r", "⏎"}, {"\t", "⇥"}, {"<", "&lt;"}, {"&", "&amp;"},
      {"*", "\\*"}, {"_", "\\_"}, {"`", "\\`"}, {"[", "\\["}, {"~", "\\~"}, {"#", "\\#"}};
  return replaced(text, kEscapes);
}

std::string latexCell(std::string_view text) {
  constexpr std::pair<std::string_view, std::string_view> kEscapes[] = {
      {"\\", "\\textbackslash{}"}, {"{", "\\{"}, {"}", "\\}"}, {"$", "\\$"}, {"&", "\\&"}, {"#", "\\#"}, {"%", "\\%"},
      {"_", "\\_"}, {"^", "\\textasciicircum{}"}, {"~", "\\textasciitilde{}"}, {"<", "\\textless{}"}, {">", "\\textgreater{}"},
      {"\r\n", "\\textvisiblespace{}"}, {"\n", "\\textvisiblespace{}"}, {"\r", "\\textvisiblespace{}"}, {"\t", "\\textvisiblespace{}"}};
  return replaced(text, kEscapes);
}

std::string latexNumber(const std::string& text) {
  if (text == "inf") return "$\\infty$";
  if (text == "-inf") return "$-\\infty$";
  if (text == "nan") return "NaN";
  const std::size_t e = text.find('e');
  if (e == std::string::npos) return "$" + text + "$";
  return "$" + text.substr(0, e) + " \\cdot 10^{" + text.substr(e + 1) + "}$";
}

// Rows of cells, with labels where there are some, each cell written by the format.
template <class Cell, class Label>
std::vector<std::vector<std::string>> rowsOf(const Table& table, const TableLabels& labels, std::string corner, Cell cell, Label label) {
  std::vector<std::vector<std::string>> rows;
  const bool beside = !labels.rows.empty(), above = !labels.columns.empty();
  if (above) {
    rows.emplace_back();
    if (beside) rows.back().push_back(std::move(corner));
    for (const std::string& text : labels.columns) rows.back().push_back(label(text));
  }
  for (std::size_t i = 0; i < table.rows; ++i) {
    rows.emplace_back();
    if (beside) rows.back().push_back(i < labels.rows.size() ? label(labels.rows[i]) : "");
    for (std::size_t j = 0; j < table.columns; ++j) rows.back().push_back(cell(i, j));
  }
  return rows;
}

std::string joined(const std::vector<std::string>& cells, std::string_view between) {
  std::string line;
  for (std::size_t n = 0; n < cells.size(); ++n) line += std::string(n ? between : "") + cells[n];
  return line;
}

}  // namespace

core::Result<std::string> separatedOf(const NamedArray& array, const TableLabels& labels, char separator) {
  const core::Result<Table> table = tableOf(array);
  if (!table) return table.error();
  const bool text = array.texts() != nullptr;
  std::string result;
  for (const auto& row : rowsOf(table.value(), labels, "row reads column",
           [&](std::size_t i, std::size_t j) { return separatedCell(table.value().cell(i, j), separator, !text); },
           [&](const std::string& label) { return separatedCell(label, separator, false); })) {
    result += joined(row, std::string(1, separator)) + "\r\n";
  }
  return result;
}

core::Result<std::string> markdownOf(const NamedArray& array, const TableLabels& labels) {
  const core::Result<Table> table = tableOf(array);
  if (!table) return table.error();
  std::vector<std::vector<std::string>> rows = rowsOf(table.value(), labels, tr("row reads column"),
      [&](std::size_t i, std::size_t j) { return markdownCell(table.value().cell(i, j)); }, markdownCell);
  if (rows.empty()) return std::string();
  // A table of Markdown always has a head; without names it is an empty one.
  if (labels.columns.empty()) rows.insert(rows.begin(), std::vector<std::string>(rows[0].size()));
  std::string result;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    result += "| " + joined(rows[n], " | ") + " |\n";
    if (n == 0) result += "|" + joined(std::vector<std::string>(rows[0].size(), "---|"), "") + "\n";
  }
  return result;
}

core::Result<std::string> latexOf(const NamedArray& array, const TableLabels& labels) {
  const core::Result<Table> table = tableOf(array);
  if (!table) return table.error();
  const bool number = array.numbers() != nullptr;
  const auto rows = rowsOf(table.value(), labels, "",
      [&](std::size_t i, std::size_t j) {
        const std::string text = table.value().cell(i, j);
        return number ? latexNumber(text) : latexCell(text);
      }, latexCell);
  if (rows.empty()) return std::string();
  const std::size_t columns = table.value().columns;
  std::string result = "\\begin{tabular}{" + std::string(rows[0].size() > columns ? "l" : "") + std::string(columns, 'r') + "}\n";
  for (const auto& row : rows) result += joined(row, " & ") + " \\\\\n";
  return result + "\\end{tabular}\n";
}

}  // namespace attn::io
