// The current matrix as a table of words: heads of rows and columns, and what stands in each cell.
#pragma once
#include <string>
#include <vector>

#include "app/session.h"

namespace attn::ui {

struct TableRow {
  std::string head;
  std::vector<std::string> cells;
};
struct MatrixTable {
  std::string caption;
  std::vector<std::string> columns;
  std::vector<TableRow> rows;
  int cursor_row = -1, cursor_column = -1;  // within this table
};

struct StageMemory;

// At most 64×64; beyond, the part around the selection, and the caption says which. With what the stage shows: the same
// before the edits, or the difference.
MatrixTable tableOf(const app::Session& session, core::Array array, const StageMemory* stage = nullptr);
// What is given, each array a table: shown before the first step.
std::vector<MatrixTable> givenTables(const app::Session& session, const StageMemory* stage = nullptr);

// What the screen shows of one cell: the number as printed, "not yet known", "blocked: causal", "no source allowed".
std::string cellWords(const app::Session& session, core::Array array, core::Index row, core::Index column,
                      const StageMemory* stage = nullptr);

}  // namespace attn::ui
