// A table as in a book: a line above, one below the heads, one at the end. Where it is too wide, each row becomes a
// list. Below it, a button that gives it away as CSV.
#include <algorithm>
#include <cctype>

#include "io/csv_writer.h"
#include "ui/scene_figure.h"
#include "ui/widgets.h"

namespace attn::ui {
namespace {

using lesson::Table;

constexpr float kColumnGap = 26, kCellPad = 5;

TextStyle headStyle(const SceneView& view) {
  return {.face = Face::kStrong, .size = 13, .color = view.colors().muted, .leading = 1.35f};
}
TextStyle cellStyle(const SceneView& view, bool name = false) {
  return {.face = name ? Face::kStrong : Face::kBody, .size = 14, .color = view.colors().text, .leading = 1.4f};
}

const std::string& cellOf(const Table& table, std::size_t row, std::size_t column) {
  static const std::string none;
  return column < table.rows[row].size() ? table.rows[row][column] : none;
}

bool isNumber(std::string_view text) {
  if (text.rfind("−", 0) == 0) text.remove_prefix(std::string_view("−").size());
  else if (text.rfind("+", 0) == 0) text.remove_prefix(1);
  return !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) != 0 || text[0] == '-' ||
                           text[0] == '.' || text == "∞" || text == "NaN");
}

// Columns of numbers stand at the right, in figures of equal width.
bool holdsNumbers(const Table& table, std::size_t column) {
  if (column == 0) return false;
  bool any = false;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::string& text = cellOf(table, i, column);
    if (text.empty() || text == "–") continue;
    if (!isNumber(text)) return false;
    any = true;
  }
  return any;
}

struct Columns {
  std::vector<float> widths;
  std::vector<bool> numbers;
  float gap = 0, all = 0;
  bool listed = false;  // too narrow for columns
};

TextStyle styleIn(const SceneView& view, const Columns& columns, std::size_t column) {
  TextStyle style = cellStyle(view, column == 0);
  if (columns.numbers[column]) style.face = Face::kNumber, style.size = 13.5f;
  return style;
}

float longestWord(const SceneView& view, const TextStyle& style, std::string_view text) {
  float most = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    most = std::max(most, richWidth(view.frame, style, text.substr(0, end)));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return most;
}

// The widest columns give way first, down to their longest words.
void narrow(std::vector<float>& widths, const std::vector<float>& least, float room) {
  float sum = 0;
  for (const float each : widths) sum += each;
  while (sum > room + 0.5f) {
    std::size_t widest = widths.size();
    for (std::size_t i = 0; i < widths.size(); ++i)
      if (widths[i] > least[i] + 0.5f && (widest == widths.size() || widths[i] > widths[widest])) widest = i;
    if (widest == widths.size()) return;
    float next = least[widest];
    for (std::size_t i = 0; i < widths.size(); ++i)
      if (i != widest && widths[i] < widths[widest]) next = std::max(next, widths[i] - 1);
    const float cut = std::min(sum - room, widths[widest] - next);
    widths[widest] -= cut;
    sum -= cut;
  }
}

Columns columnsOf(const SceneView& view, const Table& table, float room) {
  Columns columns;
  const std::size_t count = table.columns.size();
  columns.gap = view.size(kColumnGap);
  std::vector<float> least(count);
  for (std::size_t j = 0; j < count; ++j) {
    columns.numbers.push_back(holdsNumbers(table, j));
    const TextStyle style = styleIn(view, columns, j);
    float wide = richWidth(view.frame, headStyle(view), table.columns[j]);
    least[j] = longestWord(view, headStyle(view), table.columns[j]);
    if (columns.numbers[j]) wide = std::min(wide, std::max(least[j], view.size(96)));  // long heads of numbers wrap
    for (std::size_t i = 0; i < table.rows.size(); ++i) {
      wide = std::max(wide, richWidth(view.frame, style, cellOf(table, i, j)));
      least[j] = std::max(least[j], longestWord(view, style, cellOf(table, i, j)));
    }
    columns.widths.push_back(wide + 1);
    least[j] += 1;
  }
  const float inner = room - 2 * view.size(kUnit);
  if (count > 5) columns.gap *= 0.7f;
  float gaps = columns.gap * static_cast<float>(count > 0 ? count - 1 : 0);
  narrow(columns.widths, least, inner - gaps);
  columns.all = gaps + 2 * view.size(kUnit);
  for (const float each : columns.widths) columns.all += each;
  columns.listed = columns.all > room + 1;
  return columns;
}

bool isMarked(const Table& table, std::size_t row) {
  return std::find(table.marked.begin(), table.marked.end(), static_cast<Index>(row)) != table.marked.end();
}

// Draws when asked to; the height in any case.
class TablePen {
 public:
  TablePen(SceneView& view, const Table& table, float x, float y, float width, bool draws)
      : view_(view), table_(table), columns_(columnsOf(view, table, width)), x_(x), y_(y), top_(y), draws_(draws),
        width_(columns_.listed ? width : columns_.all) {}

  float run() {
    if (columns_.listed) {
      for (std::size_t i = 0; i < table_.rows.size(); ++i) listRow(i);
      return y_ - top_;
    }
    rule(1.5f, view_.colors().muted);
    row([&](std::size_t j) -> const std::string& { return table_.columns[j]; }, true);
    rule(1, view_.colors().muted);
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      const float from = y_;
      const float height = rowHeight([&](std::size_t j) -> const std::string& { return cellOf(table_, i, j); }, false);
      if (isMarked(table_, i)) mark(from, height);
      row([&](std::size_t j) -> const std::string& { return cellOf(table_, i, j); }, false);
      if (i + 1 < table_.rows.size()) rule(1, view_.colors().line);
    }
    rule(1.5f, view_.colors().muted);
    return y_ - top_;
  }
  float width() const { return width_; }

 private:
  void rule(float thick, figure::Color color) {
    if (draws_)
      ImGui::GetWindowDrawList()->AddRectFilled({x_, y_}, {x_ + width_, y_ + thick}, packed(color));
    y_ += thick;
  }
  void mark(float from, float height) {
    if (!draws_) return;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({x_, from}, {x_ + width_, from + height}, packed(view_.colors().now, 0.09f));
    list.AddRectFilled({x_, from}, {x_ + 3, from + height}, packed(view_.colors().now));
  }
  TextStyle style(std::size_t j, bool head) const {
    return head ? headStyle(view_) : styleIn(view_, columns_, j);
  }
  template <class Text>
  float rowHeight(Text text, bool head) {
    float tallest = lineHeight(view_.frame, style(0, head));
    for (std::size_t j = 0; j < columns_.widths.size(); ++j)
      tallest = std::max(tallest, richHeight(view_, style(j, head), text(j), columns_.widths[j]));
    return tallest + 2 * view_.size(kCellPad);
  }
  template <class Text>
  void row(Text text, bool head) {
    const float height = rowHeight(text, head);
    float x = x_ + view_.size(kUnit);
    for (std::size_t j = 0; draws_ && j < columns_.widths.size(); ++j) {
      const float pad = view_.size(kCellPad);
      const float tall = richHeight(view_, style(j, head), text(j), columns_.widths[j]);
      cell(style(j, head), text(j), x, head ? y_ + height - pad - tall : y_ + pad, columns_.widths[j],
           columns_.numbers[j]);
      x += columns_.widths[j] + columns_.gap;
    }
    y_ += height;
  }
  void cell(const TextStyle& s, const std::string& text, float x, float y, float width, bool right) {
    if (text.empty()) return;
    for (const std::string& each : richLines(view_, s, text, width)) {
      const float wide = richWidth(view_.frame, s, each);
      richLine(view_.frame, s, each, right ? x + width - wide : x, y, {x - 1, y, width + 2, lineHeight(view_.frame, s)});
      y += lineHeight(view_.frame, s);
    }
  }
  // Name, then "head: text" for every other cell.
  void listRow(std::size_t i) {
    const float inset = view_.size(kUnit), from = y_, room = width_ - inset;
    y_ += view_.size(kCellPad);
    put(cellStyle(view_, true), cellOf(table_, i, 0), room);
    for (std::size_t j = 1; j < columns_.widths.size(); ++j)
      if (!cellOf(table_, i, j).empty()) put(cellStyle(view_), table_.columns[j] + ": " + cellOf(table_, i, j), room);
    y_ += view_.size(kCellPad);
    if (isMarked(table_, i)) mark(from, y_ - from);
    rule(1, view_.colors().line);
  }
  void put(const TextStyle& s, const std::string& text, float room) {
    if (draws_) richParagraph(view_, s, text, x_ + view_.size(kUnit), y_, room - view_.size(kUnit));
    y_ += richHeight(view_, s, text, room - view_.size(kUnit));
  }

  SceneView& view_;
  const Table& table_;
  Columns columns_;
  float x_, y_, top_;
  bool draws_;
  float width_;
};

// As other programs read numbers; the dash that stands for nothing is nothing.
std::string plainCell(const std::string& text) {
  constexpr std::string_view kMinus = "−";
  if (text == "–") return "";
  return isNumber(text) && text.rfind(kMinus, 0) == 0 ? "-" + text.substr(kMinus.size()) : text;
}

std::string csvOf(const Table& table) {
  std::vector<std::vector<std::string>> rows = {table.columns};
  for (const auto& row : table.rows) {
    rows.emplace_back();
    for (const std::string& cell : row) rows.back().push_back(plainCell(cell));
  }
  return io::csvText(rows);
}

// As a file where there is a way to give one, else on the clipboard.
void giveCsv(SceneView& view, const Table& table, std::size_t block) {
  if (view.frame.view.save_file) {
    view.frame.view.save_file(view.page.id + "-" + std::to_string(block) + ".csv", csvOf(table));
    return;
  }
  ImGui::SetClipboardText(csvOf(table).c_str());
  view.frame.view.said = "The table is on the clipboard as CSV.";
}

void drawCsvButton(SceneView& view, const Table& table, std::size_t block, float x, float y, float room) {
  const std::string label = view.frame.view.save_file ? "Save as CSV" : "Copy as CSV";
  const ButtonOptions options{.look = Look::kQuiet, .group = table.title};
  const Rect rect{x, y, std::min(room, buttonWidth(view.frame, label, options)), view.frame.controlHeight()};
  if (button(view.frame, "page/csv/" + std::to_string(block), label, rect, options)) giveCsv(view, table, block);
}

float csvHeight(const SceneView& view) { return view.frame.controlHeight() + view.size(4); }

}  // namespace

Extent extentOf(SceneView& view, const Table& table, float room) {
  TablePen pen(view, table, 0, 0, room, false);
  const float height = pen.run() + csvHeight(view);
  return {pen.width(), height};
}

void drawFigure(SceneView& view, const Table& table, std::size_t block, const Rect& area) {
  const float under = area.y + area.h - view.frame.controlHeight();
  drawCsvButton(view, table, block, area.x, under, area.w);
  if (!view.onScreen(area) && !view.frame.recorder.keep_texts) return;
  TablePen(view, table, area.x, area.y, area.w + 0.5f, true).run();
}

}  // namespace attn::ui
