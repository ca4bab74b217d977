// Attention computed tile by tile, one step at a time, beside the whole grid at once. Knows no tokens.
#include <algorithm>
#include <cmath>

#include "core/cost.h"
#include "core/language.h"
#include "core/number.h"
#include "core/rng.h"
#include "core/tiles.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene {
namespace {

using core::RowVector;
using core::Tile;

constexpr Index kTileWidth = 4;
constexpr double kSameOutput = 1e-12;  // sixteen terms near 1, rescaled at most sixteen times, are rounded by less

std::string text(double value, int decimals = 4) { return core::fixedText(value, decimals); }

std::string vectorText(const RowVector<double>& row) {
  std::string all;
  for (Index j = 0; j < row.size(); ++j) all += (j ? ", " : "[") + text(row(j), 2);
  return all + "]";
}

core::Trace<double> wholeGrid(const Inputs& in) {
  core::Rng rng(in.seed("seed"));
  core::Problem<double> problem;
  problem.T = problem.S = in.integer("T");
  problem.q = {rng.normalMatrix(problem.T, kTileWidth, 2)};
  problem.k = {rng.normalMatrix(problem.T, kTileWidth)};
  problem.v = {rng.normalMatrix(problem.T, kTileWidth)};
  problem.mask = core::plainMask(in.on("causal"));
  return traceOf(problem);
}

// What is in memory at this step: the scores of one tile. Everything else is computed and forgotten, or not yet
// computed.
lesson::Grid tileGrid(const core::Trace<double>& trace, const Tile& tile) {
  const Matrix<double>& scaled = trace.heads[0].scaled;
  const std::string title = tile.blocked ? tr("Scaled scores: this tile is blocked and skipped")
                                         : tr("Scaled scores: only this tile is in memory");
  lesson::Grid grid = signedLook(title, numbered(scaled.rows()), numbered(scaled.cols()));
  grid.map = true;
  grid.decimals = 2;
  grid.rows = scaled.rows();
  grid.columns = scaled.cols();
  grid.values.assign(scaled.data(), scaled.data() + scaled.size());
  grid.limit = scaled.cwiseAbs().maxCoeff();
  for (Index i = 0; i < grid.rows; ++i) {
    for (Index j = 0; j < grid.columns; ++j) {
      const bool here = i >= tile.row_begin && i < tile.row_end && j >= tile.column_begin && j < tile.column_end;
      if (here) grid.marked.emplace_back(i, j);
      grid.blocked.push_back(!here ? tr("not in memory") : core::blockReasonText(trace.mask.reasons(i, j)));
      if (!grid.blocked.back().empty()) grid.values[static_cast<std::size_t>(i * grid.columns + j)] = 0;
    }
  }
  return grid;
}

// What each row of the tile carries on, before and after this tile.
lesson::Table stateTable(const core::TiledAttention& tiled, std::size_t at) {
  const Tile& tile = tiled.tiles[at];
  const bool first = tile.column_begin == 0;
  lesson::Table table{tr("What each row carries from tile to tile"),
                      first ? tr("–: nothing was there before, this is the first tile of these rows.") : "",
                      {"", tr("largest before"), tr("largest in this tile"), tr("largest now"),
                       tr("factor on what was there"), tr("sum now"), tr("output now, undivided")},
                      {},
                      {}};
  for (Index i = 0; i < tile.row_max.size(); ++i) {
    table.rows.push_back({tr("row {0}", {tile.row_begin + i}), first ? "–" : text(tiled.tiles[at - 1].row_max(i)),
                          text(tile.tile_max(i)), text(tile.row_max(i)), first ? "–" : text(tile.rescale(i)),
                          text(tile.row_sum(i)), vectorText(tile.output.row(i))});
  }
  return table;
}

// The output of each row if the scan ended here; rows of later tiles have none yet.
Matrix<double> outputSoFar(const core::TiledAttention& tiled, std::size_t at) {
  Matrix<double> z = Matrix<double>::Zero(tiled.z.rows(), tiled.z.cols());
  for (std::size_t t = 0; t <= at; ++t) {
    const Tile& tile = tiled.tiles[t];
    for (Index i = 0; i < tile.row_sum.size(); ++i) {
      if (tile.row_sum(i) > 0) z.row(tile.row_begin + i) = tile.output.row(i) / tile.row_sum(i);
    }
  }
  return z;
}

// How far the rows of this tile are from their result. Rows whose turn has not come are no part of it.
double rowsDifference(const Tile& tile, const Matrix<double>& full) {
  double largest = 0;
  for (Index i = 0; i < tile.row_sum.size(); ++i) {
    if (tile.row_sum(i) == 0) continue;
    const RowVector<double> now = tile.output.row(i) / tile.row_sum(i);
    largest = std::max(largest, (now - full.row(tile.row_begin + i)).cwiseAbs().maxCoeff());
  }
  return largest;
}

lesson::Plot differencePlot(const core::TiledAttention& tiled, const Matrix<double>& full, std::size_t at) {
  lesson::Plot plot;
  plot.title = tr("How far the rows of a tile are from the full result");
  plot.x_label = tr("tiles done");
  plot.y_label = tr("largest difference");
  lesson::Plot::Series series{tr("difference"), lesson::Plot::Kind::kBars, {}, {}};
  for (std::size_t t = 0; t < tiled.tiles.size(); ++t) {
    series.x.push_back(static_cast<double>(t + 1));
    series.y.push_back(rowsDifference(tiled.tiles[t], full));
  }
  plot.series = {std::move(series)};
  plot.marks = {{tr("this step"), static_cast<double>(at + 1), true}};
  return plot;
}

// "row 4", "rows 0 to 3".
std::string rowsOfTile(const Tile& tile) {
  const Index first = tile.row_begin, last = tile.row_end - 1;
  return first == last ? tr("row {0}", {first}) : tr("rows {0} to {1}", {first, last});
}

std::string columnsOfTile(const Tile& tile) {
  const Index first = tile.column_begin, last = tile.column_end - 1;
  return first == last ? tr("column {0}", {first}) : tr("columns {0} to {1}", {first, last});
}

void describeStep(const core::TiledAttention& tiled, const core::Trace<double>& trace, std::size_t at, Outputs& out) {
  const Tile& tile = tiled.tiles[at];
  const Matrix<double>& full = trace.heads[0].z;
  const Matrix<double> so_far = outputSoFar(tiled, at);
  out.number("tile", static_cast<double>(at + 1));
  out.number("tiles", static_cast<double>(tiled.tiles.size()));
  out.number("first_row", static_cast<double>(tile.row_begin));
  out.number("last_row", static_cast<double>(tile.row_end - 1));
  out.number("first_source", static_cast<double>(tile.column_begin));
  out.number("last_source", static_cast<double>(tile.column_end - 1));
  out.text("rows_text", rowsOfTile(tile));
  out.text("columns_text", columnsOfTile(tile));
  out.flag("tile_blocked", tile.blocked);
  out.flag("row_without_source", !tile.blocked && (tile.tile_max.array() == -INFINITY).any());
  out.number("rows_difference", rowsDifference(tile, full));
  out.flag("rows_finished", tile.column_end == trace.problem.S);
  out.flag("largest_grew", tile.column_begin > 0 && (tile.rescale.array() < 1).any());
  out.numbers("running_max", {tile.row_max.begin(), tile.row_max.end()});
  out.numbers("running_sum", {tile.row_sum.begin(), tile.row_sum.end()});
  out.number("difference_so_far", largestChange(so_far, full));
  out.figure("tile_grid", tileGrid(trace, tile));
  out.figure("state", stateTable(tiled, at));
  out.figure("difference", differencePlot(tiled, full, at));

  const double limit = std::max(so_far.cwiseAbs().maxCoeff(), full.cwiseAbs().maxCoeff());
  const auto look = [&](const std::string& title) {
    lesson::Grid grid = signedLook(title, numbered(full.rows()), numbered(full.cols()));
    grid.limit = limit;
    grid.decimals = 2;
    return grid;
  };
  out.grid("output_so_far", so_far, look(tr("Output after this tile, divided by the sum")));
  out.grid("output_full", full, look(tr("Output with the whole grid")));
}

void describeMemory(const Inputs& in, Outputs& out) {
  const double T = in.number("long_T"), side = in.number("long_tile"), d = 64;
  const core::NumberType type = core::NumberType::kFloat32;
  const double grid = core::gridBytes(T, T, type), used = std::min(side, T);
  const double tile = core::tileBytes(used, used, d, d, type);
  out.number("grid_bytes", grid);
  out.number("tile_bytes", tile);
  out.text("grid_text", core::bytesText(grid));
  out.text("tile_text", core::bytesText(tile));
  out.number("times_less", std::floor(grid / tile));
  out.flag("tiles_save", tile < grid);
  out.flag("tile_fits", side <= T);
  lesson::Plot plot;
  plot.title = tr("Memory for the scores of one head");
  plot.x_label = tr("positions T");
  plot.y_label = tr("bytes");
  plot.log_x = plot.log_y = true;
  lesson::Plot::Series whole{tr("whole grid"), lesson::Plot::Kind::kLine, {}, {}},
      tiles{tr("one tile"), lesson::Plot::Kind::kLine, {}, {}};
  for (double t = 64; t <= 131072; t *= 2) {
    whole.x.push_back(t);
    tiles.x.push_back(t);
    whole.y.push_back(core::gridBytes(t, t, type));
    tiles.y.push_back(core::tileBytes(std::min(side, t), std::min(side, t), d, d, type));
  }
  plot.series = {std::move(whole), std::move(tiles)};
  plot.marks = {{tr("T set here"), T, true}};
  out.figure("memory", plot);
}

}  // namespace

core::Check tileByTile(const Inputs& in, Outputs& out, const Progress&) {
  const core::Trace<double> trace = wholeGrid(in);
  const core::HeadTrace<double>& head = trace.heads[0];
  const core::TiledAttention tiled = core::attendInTiles(head.q, head.k, head.v, trace.scale, trace.mask,
                                                         in.integer("tile_rows"), in.integer("tile_columns"));
  out.limit("step", static_cast<double>(tiled.tiles.size()));
  const std::size_t at = std::min(static_cast<std::size_t>(in.integer("step")), tiled.tiles.size()) - 1;
  describeStep(tiled, trace, at, out);
  out.matrix("z_tiles", tiled.z);
  out.number("largest_difference", largestChange(tiled.z, head.z));
  out.flag("equal_to_full", largestChange(tiled.z, head.z) < kSameOutput);
  out.flag("bit_for_bit", tiled.z == head.z);
  out.number("whole_cells", static_cast<double>(head.scaled.size()));
  out.number("tile_cells", static_cast<double>(tiled.tile_rows * tiled.tile_columns));
  const auto skipped =
      std::count_if(tiled.tiles.begin(), tiled.tiles.end(), [](const Tile& tile) { return tile.blocked; });
  out.number("skipped_tiles", static_cast<double>(skipped));
  describeMemory(in, out);
  return {};
}

}  // namespace attn::scene
