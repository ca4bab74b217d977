// The cells of a table in text, line by line: CSV, TSV, or columns between blanks. Knows no matrix.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace attn::io {

struct Cell {
  std::string_view text;  // without its quotes, those inside still doubled
  bool quoted = false;
  bool first = false, last = false;  // in its line
  std::size_t at = 0;                // offset of its first byte
  std::size_t line = 1;              // where it begins, from 1
  std::size_t blank_lines = 0;       // before its line

  bool empty() const;         // nothing but blanks
  std::string value() const;  // as it is meant, blanks included
};

// One cell after the other. Lines are separated by line ends outside of quotes; blank lines, lines of Markdown's dashes
// and lines that begin with "# " have no cells.
class TextCells {
 public:
  // ',', ';', '\t', '|' (whose lines may begin and end with it), or ' ' for any blanks.
  TextCells(std::string_view text, char delimiter) : text_(text), delimiter_(delimiter) {}

  bool next(Cell& cell);  // false behind the last
  std::size_t comments() const { return comments_; }

 private:
  bool skipLine();
  bool takeQuoted(Cell& cell);
  void takePlain(Cell& cell);
  void finish(Cell& cell);
  void endLine();
  bool atLineEnd(std::size_t at) const;
  std::size_t skipBlanks(std::size_t at) const;

  std::string_view text_;
  char delimiter_;
  std::size_t at_ = 0, line_ = 1, blank_lines_ = 0, comments_ = 0;
  bool in_line_ = false, quotes_end_ = true;  // false: no quotation mark closes what one opens from here on
};

// The number that the cell is, nothing for all other texts. `decimal_comma` says that it is written with a comma, which
// it may be unless commas separate cells.
struct CellNumber {
  double value = 0;
  bool decimal_comma = false, decimal_point = false;
};
std::optional<CellNumber> cellNumber(const Cell& cell, char delimiter);

// Whether the cell is made of what numbers are made of, such as 1.000,5 or 3.3.2: more likely a number that is written
// wrongly than a name.
bool nearlyNumber(const Cell& cell);

// Which delimiter makes most numbers of the first lines; `ending` (of the file, such as "tsv") decides between equals.
char delimiterOf(std::string_view text, std::string_view ending);

}  // namespace attn::io
