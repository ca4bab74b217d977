// Once its shape is known, the text is gone over for its numbers, then for its names. See table_arrays.h.
#include "io/table_arrays.h"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "core/language.h"
#include "io/label.h"
#include "io/nested_lists.h"
#include "io/source_text.h"
#include "io/table_shape.h"
#include "io/text_cells.h"

namespace attn::io {
namespace {

constexpr std::size_t kLongestCell = std::size_t(1) << 20;

// Tells NestedLists what the table holds.
class TableReader {
 public:
  TableReader(std::string_view text, std::string_view file_name, const ArrayLimits& limits, const TableShape& table)
      : text_(text), file_(ticked(file_name)), table_(table), lists_(text, file_name, limits),
        name_(stemOf(file_name, "pasted")) {
    if (name_ == "columns" || name_ == "rows") name_ = "array";
  }

  core::Result<ArrayFile> read() {
    // Neither is more than the text has bytes.
    if (core::Check none = lists_.reserve(std::uint64_t(table_.lines) * table_.columns())) return *none;
    if (!lists_.openObject(0) || !numbers() || (table_.header && !columnNames()) || (table_.labels && !rowNames()) ||
        !lists_.closeObject()) {
      return lists_.failure() ? *lists_.failure() : refusal_;
    }
    core::Result<ArrayFile> file = lists_.finish(tr("text"), name_);
    if (file && empty_ > 0) {
      file.value().notes.push_back(tr("{0} {0|empty cell is|empty cells are} read as NaN.", {empty_}));
    }
    if (file && comments_ > 0) {
      file.value().notes.push_back(tr("Passed over, because they begin with #: {0} {0|line|lines}.", {comments_}));
    }
    return file;
  }

 private:
  bool refuse(std::string sentence) {
    refusal_ = core::Error{std::move(sentence)};
    return false;
  }

  bool numbers() {
    if (!lists_.key(name_, 0)) return false;
    counts_.assign(table_.gaps.size() + 1, 0);
    expected_.assign(table_.gaps.size(), 0);
    if (table_.gaps.empty()) return lists_.openList(0) && everyLine() && lists_.closeList();
    // Blocks of one line each are lines with gaps between them, and no axis.
    single_ = firstBlockLines() == 1;
    for (std::size_t i = single_; i <= table_.gaps.size(); ++i) {
      if (!lists_.openList(0)) return false;
    }
    if (!everyLine()) return false;
    if (!endBlocks(table_.gaps.size(), last_line_)) return false;
    for (std::size_t i = single_; i <= table_.gaps.size(); ++i) {
      if (!lists_.closeList()) return false;
    }
    return true;
  }

  std::size_t firstBlockLines() const {
    TextCells cells(text_, table_.delimiter);
    Cell cell;
    std::size_t lines = 0;
    while (cells.next(cell)) {
      if (!cell.first) continue;
      if (lines > table_.header && cell.blank_lines > 0) break;
      ++lines;
    }
    return lines - table_.header;
  }

  bool everyLine() {
    TextCells cells(text_, table_.delimiter);
    Cell cell;
    std::size_t line = 0, column = 0;
    while (cells.next(cell)) {
      if (cell.first) ++line, column = 0;
      const std::size_t at = column++;
      if (line == 1 && table_.header) continue;
      if (cell.first && !beginLine(cell, line == 1 + std::size_t(table_.header))) return false;
      const bool counts = at >= table_.labels && at < table_.cells - table_.trailing;
      if (counts && !number(cell, at - table_.labels + 1)) return false;
      if (cell.last && !lists_.closeList()) return false;
    }
    comments_ = cells.comments();
    return true;
  }

  bool beginLine(const Cell& cell, bool first) {
    if (!first && cell.blank_lines > 0) {
      const auto gap = std::find(table_.gaps.begin(), table_.gaps.end(), cell.blank_lines);
      const auto level = static_cast<std::size_t>(gap - table_.gaps.begin()) + 1;
      if (!endBlocks(level, last_line_)) return false;
      for (std::size_t i = single_; i < level; ++i) {
        if (!lists_.closeList()) return false;
      }
      for (std::size_t i = single_; i < level; ++i) {
        if (!lists_.openList(cell.at)) return false;
      }
    }
    ++counts_[0];
    last_line_ = cell.line;
    return lists_.openList(cell.at);
  }

  // The innermost `levels` blocks end: each holds as many as the first of its kind.
  bool endBlocks(std::size_t levels, std::size_t line) {
    for (std::size_t i = 0; i < levels; ++i) {
      if (expected_[i] == 0) expected_[i] = counts_[i];
      if (counts_[i] != expected_[i]) {
        return refuse(i == 0 ? tr("What blank lines set apart up to line {0} of {1} has {2} {2|line|lines}, the first has "
                                  "{3}; make all blocks equally long, or take blank lines away.",
                                  {line, file_, counts_[i], expected_[i]})
                             : tr("What blank lines set apart up to line {0} of {1} has {2} {2|block|blocks}, the first "
                                  "has {3}; make all blocks equally long, or take blank lines away.",
                                  {line, file_, counts_[i], expected_[i]}));
      }
      counts_[i] = 0;
      ++counts_[i + 1];
    }
    return true;
  }

  bool number(const Cell& cell, std::size_t column) {
    if (cell.empty()) {
      ++empty_;
      return lists_.number(std::numeric_limits<double>::quiet_NaN(), cell.at);
    }
    const std::optional<CellNumber> number = cellNumber(cell, table_.delimiter);
    if (!number) {
      return refuse(tr("The value {0} in line {1} of {2}, {3}, is no number; mend it, or take it away.",
                       {column, cell.line, file_, ticked(cell.text.substr(0, 200))}));
    }
    if (number->decimal_comma && comma_line_ == 0) comma_line_ = cell.line;
    if (number->decimal_point && point_line_ == 0) point_line_ = cell.line;
    if (comma_line_ > 0 && point_line_ > 0) {
      return refuse(tr("A number in line {0} of {1} has a decimal comma, one in line {2} a point; write all of them with "
                       "points.", {comma_line_, file_, point_line_}));
    }
    return lists_.number(number->value, cell.at);
  }

  bool name(const Cell& cell) {
    if (cell.text.size() > kLongestCell) {
      return refuse(tr("A name in line {0} of {1} has {2}, more than the limit of {3}; shorten it.",
                       {cell.line, file_, core::bytesText(cell.text.size()), core::bytesText(kLongestCell)}));
    }
    return lists_.text(cell.value(), cell.at);
  }

  // Of the first line: all of its cells, or all but the one above the names of rows.
  bool columnNames() {
    if (!lists_.key("columns", 0) || !lists_.openList(0)) return false;
    TextCells cells(text_, table_.delimiter);
    Cell cell;
    for (std::size_t i = 0; i < table_.corner + table_.columns() && cells.next(cell); ++i) {
      if (i >= table_.corner && !name(cell)) return false;
    }
    return lists_.closeList();
  }

  bool rowNames() {
    if (!lists_.key("rows", 0) || !lists_.openList(0)) return false;
    TextCells cells(text_, table_.delimiter);
    Cell cell;
    for (std::size_t line = 0; cells.next(cell);) {
      if (cell.first && ++line > table_.header && !name(cell)) return false;
    }
    return lists_.closeList();
  }

  std::string_view text_;
  std::string file_;
  const TableShape& table_;
  NestedLists lists_;
  std::string name_;
  core::Error refusal_;
  bool single_ = false;  // blocks of one line
  std::vector<std::size_t> counts_, expected_;  // of lines in a block, of blocks in a block of blocks, …
  std::size_t last_line_ = 0, empty_ = 0, comments_ = 0, comma_line_ = 0, point_line_ = 0;
};

}  // namespace

core::Result<ArrayFile> readTable(std::string_view text, std::string_view file_name, const ArrayLimits& limits) {
  const core::Result<TableShape> table = tableShape(text, file_name);
  if (!table) return table.error();
  return TableReader(text, file_name, limits, table.value()).read();
}

}  // namespace attn::io
