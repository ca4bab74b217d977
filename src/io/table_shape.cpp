// One walk over the cells, then what follows from them. See table_shape.h.
#include "io/table_shape.h"

#include <algorithm>
#include <string>

#include "core/language.h"
#include "io/label.h"
#include "io/text_cells.h"

namespace attn::io {
namespace {

constexpr std::size_t kMostGaps = 29;  // axes that blank lines make, besides lines and columns

bool leftOut(std::string_view text) { return text == "..." || text == "…"; }

// What one line is like.
struct Line {
  std::size_t number = 0, cells = 0, texts = 0, blank_lines = 0;
  bool first_text = false, first_empty = false, last_empty = false, left_out = false;
};

class TableSurvey {
 public:
  TableSurvey(std::string_view text, std::string_view file_name)
      : text_(text), file_(ticked(file_name)) {
    const std::size_t ending = file_name.rfind('.');
    table_.delimiter = delimiterOf(text, ending == std::string_view::npos ? "" : file_name.substr(ending + 1));
  }

  core::Result<TableShape> read() {
    TextCells cells(text_, table_.delimiter);
    Line first, line;
    std::size_t count = 0;
    while (nextLine(cells, line, count == 0)) {
      if (line.left_out && !(count == 0 && line.texts > 1)) return abbreviated(line.number);
      if (count == 0) first = line;
      else if (core::Check wrong = add(line)) return *wrong;
      ++count;
    }
    return count == 0 ? core::Result<TableShape>(nothing()) : conclude(first, count);
  }

 private:
  core::Error nothing() const {
    return {tr("There is no number in {0}; give numbers, such as lines of 0.25, 0.75.", {file_})};
  }
  core::Error abbreviated(std::size_t line) const {
    return {tr("“...” stands for numbers that are left out in line {0} of {1}; print all of them, with "
               "numpy.set_printoptions(threshold=sys.maxsize) or torch.set_printoptions(profile=\"full\").",
               {line, file_})};
  }

  // Texts beyond the first cell are looked for in the first line only: what they are in others shows when they are read.
  bool nextLine(TextCells& cells, Line& line, bool names) const {
    Cell cell;
    line = {};
    while (cells.next(cell)) {
      const bool text = (cell.first || names) && !cell.empty() && !cellNumber(cell, table_.delimiter) &&
                        !nearlyNumber(cell);
      if (cell.first) line.number = cell.line, line.blank_lines = cell.blank_lines, line.first_text = text;
      if (cell.first) line.first_empty = cell.empty() && !cell.quoted;
      if (text) ++line.texts;
      if ((!cell.first || cell.last) && !cell.quoted && leftOut(cell.text)) line.left_out = true;
      ++line.cells;
      line.last_empty = cell.empty() && !cell.quoted;
      if (cell.last) return true;
    }
    return false;
  }

  // A line behind the first.
  core::Check add(const Line& line) {
    if (second_.cells == 0) second_ = line;
    any_label_ = any_label_ || line.first_text;
    all_end_ = all_end_ && line.last_empty;
    if (line.cells != second_.cells && uneven_.cells == 0) uneven_ = line;
    if (second_.number == line.number || line.blank_lines == 0) return {};
    if (addGap(line.blank_lines)) return {};
    return core::Error{tr("The gaps between the lines of {0} have more than {1} lengths by line {2}; take blank lines "
                          "away.", {file_, kMostGaps, line.number})};
  }

  core::Result<TableShape> conclude(const Line& first, std::size_t count) {
    const std::size_t beyond = first.texts - first.first_text;
    const bool corner = first.first_empty && first.cells > 1 && count > 1 && !first.last_empty;
    const bool one_name = first.cells == 1 && first.first_text && !any_label_;
    const bool shifted = count > 1 && first.cells + 1 == second_.cells && first.texts > 0;
    table_.header = beyond > 0 || corner || one_name || shifted;
    if (table_.header && count == 1) return nothing();
    table_.labels = any_label_ || shifted || (table_.header && corner) || (!table_.header && first.first_text);
    table_.lines = count - table_.header;
    const Line& model = table_.header ? second_ : first;
    table_.cells = model.cells;
    const bool all_end = table_.header ? all_end_ && second_.last_empty : first.last_empty && (count == 1 || all_end_);
    const bool last_named = table_.header && first.cells == model.cells && !first.last_empty;
    table_.trailing = all_end && !last_named && model.cells > 1;
    if (!table_.header && count > 1 && first.cells != second_.cells) return uneven(second_, first);
    if (uneven_.cells > 0) return uneven(uneven_, model);
    if (table_.cells <= table_.labels + table_.trailing) return nothing();
    const std::size_t names = first.cells - (first.last_empty && table_.trailing);
    if (table_.header && names != table_.columns() && names != table_.columns() + table_.labels) {
      return core::Error{tr("Line {0} of {1} has {2} {2|name|names}, line {3} has {4} {4|cell|cells}; give every column a "
                            "name, or none.", {first.number, file_, first.cells, second_.number, second_.cells})};
    }
    table_.corner = table_.header && names > table_.columns();
    if (!table_.header && second_.blank_lines > 0) addGap(second_.blank_lines);
    return table_;
  }

  // False when there are too many.
  bool addGap(std::size_t blank_lines) {
    const auto at = std::lower_bound(table_.gaps.begin(), table_.gaps.end(), blank_lines);
    if (at != table_.gaps.end() && *at == blank_lines) return true;
    if (table_.gaps.size() == kMostGaps) return false;
    table_.gaps.insert(at, blank_lines);
    return true;
  }

  core::Error uneven(const Line& line, const Line& model) const {
    const auto numbers = [this](const Line& one) { return one.cells - std::min<std::size_t>(one.cells, table_.labels); };
    return {tr("Line {0} of {1} has {2} {2|number|numbers}, line {3} has {4}; make all lines equally long.",
               {line.number, file_, numbers(line), model.number, numbers(model)})};
  }

  std::string_view text_;
  std::string file_;
  TableShape table_;
  Line second_, uneven_;
  bool any_label_ = false, all_end_ = true;
};

}  // namespace

core::Result<TableShape> tableShape(std::string_view text, std::string_view file_name) {
  return TableSurvey(text, file_name).read();
}

}  // namespace attn::io
