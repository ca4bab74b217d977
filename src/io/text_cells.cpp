// See text_cells.h. Quotes are RFC 4180's: a mark inside of quotes is written twice.
#include "io/text_cells.h"

#include <algorithm>
#include <utility>

#include "io/print_tokens.h"

namespace attn::io {
namespace {

constexpr std::size_t kSampleCells = 2000, kSampleLines = 20;

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::optional<CellNumber> wholeNumber(std::string_view text) {
  const std::optional<WrittenNumber> number = numberAt(text);
  if (!number || number->length != text.size()) return std::nullopt;
  return CellNumber{number->value, false, text.find('.') != std::string_view::npos};
}

// Numbers less texts, of all lines but the first, which may be names.
long scoreOf(std::string_view text, char delimiter) {
  long score = 0, first_score = 0;
  std::size_t lines = 0;
  TextCells cells(text, delimiter);
  Cell cell;
  for (std::size_t i = 0; i < kSampleCells && cells.next(cell); ++i) {
    if (cell.first && ++lines > kSampleLines) break;
    if (cell.empty()) continue;
    (lines == 1 ? first_score : score) += cellNumber(cell, delimiter) ? 1 : -1;
  }
  return lines > 1 ? score : first_score;
}

}  // namespace

bool Cell::empty() const { return text.find_first_not_of(" \t") == std::string_view::npos; }

std::string Cell::value() const {
  std::string out(text);
  if (!quoted) return out;
  std::size_t end = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    out[end++] = text[i];
    if (text[i] == '"') ++i;  // the one that doubles it
  }
  out.resize(end);
  return out;
}

bool TextCells::atLineEnd(std::size_t at) const {
  return at == text_.size() || text_[at] == '\r' || text_[at] == '\n';
}

std::size_t TextCells::skipBlanks(std::size_t at) const {
  while (at < text_.size() && (text_[at] == ' ' || (text_[at] == '\t' && delimiter_ != '\t'))) ++at;
  return at;
}

void TextCells::endLine() {
  in_line_ = false;
  if (at_ == text_.size()) return;
  at_ += text_.substr(at_, 2) == "\r\n" ? 2 : 1;
  ++line_;
}

bool TextCells::next(Cell& cell) {
  cell.first = !in_line_;
  if (cell.first) {
    blank_lines_ = 0;
    while (at_ < text_.size() && skipLine()) {
    }
    if (at_ == text_.size()) return false;
    if (delimiter_ == ' ' || delimiter_ == '|') at_ = skipBlanks(at_);
    if (delimiter_ == '|' && text_[at_] == '|') ++at_;
  }
  cell.blank_lines = cell.first ? blank_lines_ : 0;
  cell.line = line_;
  if (!takeQuoted(cell)) takePlain(cell);
  finish(cell);
  return true;
}

// Past a line without cells.
bool TextCells::skipLine() {
  std::size_t end = at_;
  while (!atLineEnd(end)) ++end;
  const std::string_view line = text_.substr(at_, end - at_);
  const bool blank = line.find_first_not_of(delimiter_ == '\t' ? " " : " \t") == std::string_view::npos;
  const bool comment = line == "#" || line.substr(0, 2) == "# ";
  const bool dashes = delimiter_ == '|' && line.find_first_not_of("|-: \t") == std::string_view::npos;
  if (!blank && !comment && !dashes) return false;
  blank_lines_ += blank;
  comments_ += comment;
  at_ = end;
  endLine();
  return true;
}

void TextCells::takePlain(Cell& cell) {
  cell.at = at_;
  while (!atLineEnd(at_) && text_[at_] != delimiter_ && !(delimiter_ == ' ' && text_[at_] == '\t')) ++at_;
  cell.text = text_.substr(cell.at, at_ - cell.at);
  cell.quoted = false;
}

// What stands between the cell and the next, or the end of the line.
void TextCells::finish(Cell& cell) {
  bool more = false;
  if (delimiter_ == ' ') {
    at_ = skipBlanks(at_);
    more = !atLineEnd(at_);
  } else if (at_ < text_.size() && text_[at_] == delimiter_) {
    ++at_;
    const std::size_t behind = skipBlanks(at_);
    more = delimiter_ != '|' || !atLineEnd(behind);
    if (!more) at_ = behind;
  }
  if (delimiter_ == '|' && !cell.quoted) cell.text = trimmed(cell.text);
  cell.last = !more;
  in_line_ = more;
  if (!more) endLine();
}

// A text in quotes, when that is all that stands in the cell.
bool TextCells::takeQuoted(Cell& cell) {
  const std::size_t open = skipBlanks(at_);
  if (open >= text_.size() || text_[open] != '"' || !quotes_end_) return false;
  std::size_t close = text_.find('"', open + 1);
  while (close != std::string_view::npos && close + 1 < text_.size() && text_[close + 1] == '"') {
    close = text_.find('"', close + 2);
  }
  if (close == std::string_view::npos) {
    quotes_end_ = false;
    return false;
  }
  const std::size_t behind = skipBlanks(close + 1);
  const bool ends = atLineEnd(behind) || text_[behind] == delimiter_;
  if (!ends && !(delimiter_ == ' ' && behind > close + 1)) return false;
  cell.at = open + 1;
  cell.text = text_.substr(open + 1, close - open - 1);
  cell.quoted = true;
  line_ += static_cast<std::size_t>(std::count(cell.text.begin(), cell.text.end(), '\n'));
  at_ = delimiter_ == ' ' ? close + 1 : behind;
  return true;
}

std::optional<CellNumber> cellNumber(const Cell& cell, char delimiter) {
  const std::string_view text = trimmed(cell.text);
  if (const std::optional<CellNumber> number = wholeNumber(text)) return number;
  const std::size_t comma = text.find(',');
  constexpr std::size_t kLongest = 400;  // digits of a double with a decimal comma
  if (delimiter == ',' || comma == std::string_view::npos || text.size() > kLongest ||
      text.find('.') != std::string_view::npos) {
    return std::nullopt;
  }
  std::string pointed(text);
  pointed[comma] = '.';
  std::optional<CellNumber> number = wholeNumber(pointed);
  if (number) number->decimal_comma = true, number->decimal_point = false;
  return number;
}

bool nearlyNumber(const Cell& cell) {
  return cell.text.find_first_not_of("0123456789.,+-eE \t'") == std::string_view::npos &&
         cell.text.find_first_of("0123456789") != std::string_view::npos;
}

char delimiterOf(std::string_view text, std::string_view ending) {
  const std::string_view order = ending == "csv" ? ",;\t| " : "\t;,| ";
  char best = order[0];
  long best_score = scoreOf(text, best);
  // Names such as "0 the" would make blanks the winner in files whose ending says what separates their cells.
  const bool named = ending == "csv" || ending == "tsv";
  std::string_view line = text.substr(0, text.find('\n'));
  for (std::size_t end = line.size(); line.substr(0, 1) == "#" && end < text.size(); end += line.size() + 1) {
    line = text.substr(end + 1, text.find('\n', end + 1) - end - 1);
  }
  const bool separated = line.find_first_of(",;\t|") != std::string_view::npos;
  for (const char delimiter : order.substr(1)) {
    if (delimiter == ' ' && named && separated) continue;
    const long score = scoreOf(text, delimiter);
    if (score > best_score) best = delimiter, best_score = score;
  }
  return best;
}

}  // namespace attn::io
