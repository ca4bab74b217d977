// A table as in a book: a line above, one below the heads, one at the end. Where it is too wide, each row becomes a
// list. Below it, a button that gives it away as CSV.
#include <algorithm>
#include <cctype>

#include "io/csv_writer.h"
#include "ui/presenting.h"
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

}  // namespace

// Widths of columns and heights of rows: of a thousand rows they take longer to find than to draw.
struct TableLayout {
  Columns columns;
  float width = 0, head = 0;
  std::vector<float> rows;  // without the rules between them
  float height = 0;         // of all, rules included
};

namespace {

constexpr float kThick = 1.5f, kThin = 1;  // rules

TextStyle styleIn(const SceneView& view, const Columns& columns, std::size_t column, bool head) {
  return head ? headStyle(view) : styleIn(view, columns, column);
}

template <class Text>
float rowHeight(SceneView& view, const Columns& columns, Text text, bool head) {
  float tallest = lineHeight(view.frame, styleIn(view, columns, 0, head));
  for (std::size_t j = 0; j < columns.widths.size(); ++j)
    tallest = std::max(tallest, richHeight(view, styleIn(view, columns, j, head), text(j), columns.widths[j]));
  return tallest + 2 * view.size(kCellPad);
}

// Of a row as a list: name, then "head: text" for every other cell.
template <class Line>
void listLines(SceneView& view, const Table& table, std::size_t i, Line line) {
  line(cellStyle(view, true), cellOf(table, i, 0));
  for (std::size_t j = 1; j < table.columns.size(); ++j)
    if (!cellOf(table, i, j).empty()) line(cellStyle(view), table.columns[j] + ": " + cellOf(table, i, j));
}

float listRoom(const SceneView& view, float width) { return width - 2 * view.size(kUnit); }

TableLayout newLayout(SceneView& view, const Table& table, float room) {
  TableLayout layout;
  layout.columns = columnsOf(view, table, room);
  const bool listed = layout.columns.listed;
  layout.width = listed ? room : layout.columns.all;
  if (!listed) layout.head = rowHeight(view, layout.columns, [&](std::size_t j) -> const std::string& { return table.columns[j]; }, true);
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    float height = 2 * view.size(kCellPad);
    if (listed) {
      listLines(view, table, i, [&](const TextStyle& style, const std::string& text) {
        height += richHeight(view, style, text, listRoom(view, layout.width));
      });
    } else {
      height = rowHeight(view, layout.columns, [&](std::size_t j) -> const std::string& { return cellOf(table, i, j); }, false);
    }
    layout.rows.push_back(height);
    layout.height += height + (listed || i + 1 < table.rows.size() ? kThin : 0);
  }
  if (!listed) layout.height += layout.head + 2 * kThick + kThin;
  return layout;
}

// Kept with the page, for the few widths that a layout asks for in turn.
const TableLayout& layoutOf(SceneView& view, const Table& table, float room) {
  constexpr std::size_t kMostKept = 64;
  auto& kept = view.memory.tables;
  if (kept.size() > kMostKept) kept.clear();
  auto& layout = kept[{&table, room, view.frame.scale()}];
  if (!layout) layout = std::make_shared<const TableLayout>(newLayout(view, table, room));
  return *layout;
}

class TablePen {
 public:
  TablePen(SceneView& view, const Table& table, const TableLayout& layout, float x, float y)
      : view_(view), table_(table), layout_(layout), columns_(layout.columns), x_(x), y_(y) {}

  void run() {
    const bool listed = columns_.listed;
    if (!listed) {
      rule(kThick, view_.colors().muted);
      row([&](std::size_t j) -> const std::string& { return table_.columns[j]; }, layout_.head, true);
      y_ += layout_.head;
      rule(kThin, view_.colors().muted);
    }
    for (std::size_t i = 0; i < table_.rows.size(); ++i) {
      const float height = layout_.rows[i];
      if (view_.onScreen({x_, y_, layout_.width, height}) || view_.frame.recorder.keep_texts) {
        if (isMarked(table_, i)) mark(height);
        if (listed) listRow(i);
        else row([&](std::size_t j) -> const std::string& { return cellOf(table_, i, j); }, height, false);
      }
      y_ += height;
      if (listed || i + 1 < table_.rows.size()) rule(kThin, view_.colors().line);
    }
    if (!listed) rule(kThick, view_.colors().muted);
  }

 private:
  void rule(float thick, figure::Color color) {
    ImGui::GetWindowDrawList()->AddRectFilled({x_, y_}, {x_ + layout_.width, y_ + thick}, packed(color));
    y_ += thick;
  }
  void mark(float height) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled({x_, y_}, {x_ + layout_.width, y_ + height}, packed(view_.colors().now, 0.09f));
    list.AddRectFilled({x_, y_}, {x_ + 3, y_ + height}, packed(view_.colors().now));
  }
  template <class Text>
  void row(Text text, float height, bool head) {
    const float pad = view_.size(kCellPad);
    float x = x_ + view_.size(kUnit);
    for (std::size_t j = 0; j < columns_.widths.size(); ++j) {
      const TextStyle style = styleIn(view_, columns_, j, head);
      const float tall = richHeight(view_, style, text(j), columns_.widths[j]);
      cell(style, text(j), x, head ? y_ + height - pad - tall : y_ + pad, columns_.widths[j], columns_.numbers[j]);
      x += columns_.widths[j] + columns_.gap;
    }
  }
  void cell(const TextStyle& s, const std::string& text, float x, float y, float width, bool right) {
    if (text.empty()) return;
    for (const std::string& each : richLines(view_, s, text, width)) {
      const float wide = richWidth(view_.frame, s, each);
      richLine(view_.frame, s, each, right ? x + width - wide : x, y, {x - 1, y, width + 2, lineHeight(view_.frame, s)});
      y += lineHeight(view_.frame, s);
    }
  }
  void listRow(std::size_t i) {
    float y = y_ + view_.size(kCellPad);
    const float room = listRoom(view_, layout_.width);
    listLines(view_, table_, i, [&](const TextStyle& style, const std::string& text) {
      y += richParagraph(view_, style, text, x_ + view_.size(kUnit), y, room);
    });
  }

  SceneView& view_;
  const Table& table_;
  const TableLayout& layout_;
  const Columns& columns_;
  float x_, y_;
};

// As other programs read numbers; the dash that stands for nothing is nothing.
std::string plainCell(const std::string& text) {
  constexpr std::string_view kMinus = "−";
  if (text == "–") return "";
  if (text.size() > 2 && text.front() == '`' && text.back() == '`') return text.substr(1, text.size() - 2);
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
    view.frame.view.save_file(lesson::fileStem(view.page) + std::to_string(block) + ".csv", csvOf(table));
    return;
  }
  ImGui::SetClipboardText(csvOf(table).c_str());
  view.frame.view.said = tr("The table is on the clipboard as CSV.");
}

void drawCsvButton(SceneView& view, const Table& table, std::size_t block, float x, float y, float room) {
  if (presents(view.frame)) return;
  const std::string label = view.frame.view.save_file ? tr("Save as CSV") : tr("Copy as CSV");
  const ButtonOptions options{.look = Look::kQuiet, .group = table.title};
  const Rect rect{x, y, std::min(room, buttonWidth(view.frame, label, options)), view.frame.controlHeight()};
  if (button(view.frame, "page/csv/" + std::to_string(block), label, rect, options)) giveCsv(view, table, block);
}

float csvHeight(const SceneView& view) { return presents(view.frame) ? 0 : view.frame.controlHeight() + view.size(4); }

}  // namespace

Extent extentOf(SceneView& view, const Table& table, float room) {
  const TableLayout& layout = layoutOf(view, table, room);
  return {layout.width, layout.height + csvHeight(view)};
}

void drawFigure(SceneView& view, const Table& table, std::size_t block, const Rect& area) {
  const float under = area.y + area.h - view.frame.controlHeight();
  drawCsvButton(view, table, block, area.x, under, area.w);
  if (!view.onScreen(area) && !view.frame.recorder.keep_texts) return;
  TablePen(view, table, layoutOf(view, table, area.w + 0.5f), area.x, area.y).run();
}

}  // namespace attn::ui
