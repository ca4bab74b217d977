// What every cell of the stage looks like at this moment: known or not, blocked and why, its number as printed.
// Knows no places.
#pragma once
#include "ui/stage_memory.h"
#include "ui/theme.h"
#include "ui/view_state.h"

namespace attn::ui {

class StageCells {
 public:
  StageCells(StageMemory& memory, const app::Session& session);

  figure::CellFigure cell(core::Array array, app::Index row, app::Index column) const;
  // Known, blocked or without a source: something can be said about it.
  bool known(core::Array array, app::Index row, app::Index column) const;

  // A value as app::cellText() writes it. Stands until the next call.
  int forms() const { return app::cellForms(session_.state()); }
  std::string_view print(double value, int form) const;
  // The smallest cell that holds every number in the form asked for, known or not; matrices that can be read whole count.
  float numberCell() const;
  // The smallest cell that holds every number of this matrix in some form.
  float legibleCell(core::Array array) const;

  const figure::Scale& scaleOf(core::Array array) const;
  const figure::ColorTable& tableOf(core::Array array, bool dark) const;

  // One request per run of rows that are known, in place of cells.
  std::vector<figure::HeatmapRequest> texture(const figure::Placed& placed, float cell, app::Index head, const Colors& colors,
                                              bool dark, float dim) const;

 private:
  std::optional<core::Stage> writer(core::Array array) const;
  bool changed(core::Array array, app::Index row, app::Index column) const;
  figure::CellFigure finished(core::Array array, app::Index row, app::Index column, double value) const;
  float numberCell(core::Array array) const;
  float numberCell(core::Array array, int form) const;  // 0 where a number has none of this form
  std::shared_ptr<const figure::HeatmapData> data(core::Array array, app::Index head) const;
  app::Index knownColumns(core::Array array, app::Index row, app::Index columns) const;

  StageMemory& memory_;
  const app::Session& session_;
  app::Index position_;
  // Cells are asked for row by row: how far the row asked for last is known.
  struct KnownRow {
    core::Array array = core::Array::kX;
    app::Index row = -1, columns = 0;
  };
  mutable KnownRow known_row_;
};

}  // namespace attn::ui
