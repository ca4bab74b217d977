// The stage on the whole screen: what the step is about is in view, cells say what is known, hands move the camera.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <string>

#include "figure/cell_figure.h"
#include "support/sanitized.h"
#include "ui/harness.h"
#include "ui/stage.h"
#include "ui/stage_cells.h"
#include "ui/stage_picture.h"

using namespace attn;
using core::Array;
using core::Index;

namespace {

// Of a walk whose steps are looked at one by one, under the sanitizers some of each kind.
constexpr Index kStride = test::kSanitized ? 4 : 1;

std::string longDocument(int T, int heads) {
  const auto matrix = [](int rows, int columns) {
    std::string text = "[";
    for (int i = 0; i < rows; ++i) {
      text += i ? ",[" : "[";
      for (int j = 0; j < columns; ++j) {
        text += (j ? "," : "") + std::to_string((i * 31 + j * 17) % 23 - 11);
      }
      text += "]";
    }
    return text + "]";
  };
  std::string tokens, q;
  for (int i = 0; i < T; ++i) {
    tokens += (i ? ",\"w" : "\"w") + std::to_string(i) + "\"";
  }
  for (int h = 0; h < heads; ++h) {
    q += (h ? "," : "") + matrix(T, 4);
  }
  return "{\"attnscope\":1,\"title\":\"long\",\"tokens\":[" + tokens + "],\"q\":[" + q + "],\"k\":[" + q + "],\"v\":[" +
         q + "],\"mask\":\"causal\"}";
}

bool within(const figure::Box& inner, const figure::Box& outer) {
  return inner.x >= outer.x - 1 && inner.y >= outer.y - 1 && inner.right() <= outer.right() + 1 &&
         inner.bottom() <= outer.bottom() + 1;
}

figure::Box onStage(const test::Screen& screen, const ui::Part& part) {
  const ui::StageMemory& memory = *screen.view.stage;
  const figure::Placed* placed = memory.layout.find(part.array, part.again);
  REQUIRE(placed);
  return figure::partBox(ui::onScreen(*placed, memory.origin), memory.layout.cell, part.range);
}

}  // namespace

TEST_CASE("at every step the operands and the result are in view together, with their numbers") {
  for (const char* example : {"three-positions", "cat-sat-down"}) {
    for (const app::Order order : {app::Order::kRow, app::Order::kStage}) {
      test::Screen screen;
      screen.view.environment.reduced_motion = true;
      screen.dispatch(app::action::OpenExample{example});
      screen.dispatch(app::action::SetOrder{order});
      for (Index position = 1; position <= screen.session.timeline().size(); position += kStride) {
        screen.dispatch(app::action::Seek{position});
        screen.frame(2);
        CAPTURE(example);
        CAPTURE(position);
        const ui::StageMemory& memory = *screen.view.stage;
        const ui::StepParts parts = ui::partsOf(memory.equation, *screen.session.state().at);
        REQUIRE(parts.result.size() == 1);
        CHECK(within(onStage(screen, parts.result.front()), memory.canvas));
        for (const ui::Part& part : parts.operands) {
          CHECK(within(onStage(screen, part), memory.canvas));
        }
        CHECK(memory.layout.cell >= figure::kNumberCell);
      }
    }
  }
}

TEST_CASE("more room never gives smaller cells" * doctest::skip(attn::test::kSlow)) {
  for (const char* example : {"three-positions", "cat-sat-down"}) {
    test::Screen screen;
    screen.view.environment.reduced_motion = true;
    screen.dispatch(app::action::OpenExample{example});
    for (Index position = 0; position <= screen.session.timeline().size(); ++position) {
      screen.dispatch(app::action::Seek{position});
      for (const auto& [wider, taller] : {std::pair{1.0f, 0.6f}, {1.0f, 0.0f}, {0.0f, 1.0f}}) {
        float before = 0;
        for (float grown = 0; grown <= 1600; grown += 133) {
          screen.resize(1000 + wider * grown, 640 + taller * grown);
          screen.frame(2);
          CAPTURE(example);
          CAPTURE(position);
          CAPTURE(grown);
          CHECK(screen.view.camera.cell >= before);
          before = screen.view.camera.cell;
        }
      }
    }
  }
}

TEST_CASE("every known cell of the step's result holds a number, in one form for the whole matrix") {
  for (const bool exact : {true, false}) {
    for (const int decimals : {2, 4, 6}) {
      test::Screen screen;
      screen.view.environment.reduced_motion = true;
      screen.open(R"({"attnscope":1,"tokens":["a","b","c"],"q":[[1.25,-3],[20.123456,0.001],[-7,1e12]],
                      "k":[[1,0.1],[0.2,5.81823],[-4.58,3]],"v":[[0.1,1e12],[2,-3.25],[100,0.5]]})");
      screen.dispatch(app::action::SetOrder{app::Order::kStage});
      screen.dispatch(app::action::SetExact{exact});
      screen.dispatch(app::action::SetDecimals{decimals});
      screen.dispatch(app::action::Last{});
      screen.frame(2);
      const ui::StageMemory& memory = *screen.view.stage;
      const ui::StageCells cells(*screen.view.stage, screen.session);
      for (const Array array : {Array::kQ, Array::kK, Array::kScores, Array::kZ}) {
        CAPTURE(core::arrayName(array));
        CAPTURE(decimals);
        figure::MatrixFigure matrix;
        const figure::EquationPart* part = memory.equation.find(array);
        REQUIRE(part);
        matrix.placed.rows = part->rows, matrix.placed.columns = part->columns;
        matrix.cell = memory.layout.cell;
        matrix.metrics = memory.metrics;
        matrix.table = &cells.tableOf(array, false);
        matrix.scale = cells.scaleOf(array);
        matrix.forms = cells.forms();
        std::size_t numbers = 0;
        matrix.at = [&](Index i, Index j) { return cells.cell(array, i, j); };
        matrix.print = [&](double value, int form) { return cells.print(value, form); };
        figure::Picture picture;
        figure::addCells(picture, matrix, figure::Inks{}, {0, part->rows, 0, part->columns});
        for (const figure::Shape& shape : picture.shapes) {
          const auto* label = std::get_if<figure::Label>(&shape);
          numbers += label ? 1 : 0;
        }
        CHECK(numbers == static_cast<std::size_t>(part->rows * part->columns));
      }
    }
  }
}

TEST_CASE("huge numbers are short in cells, with one digit before the point") {
  test::Screen screen;
  screen.frame(2);
  const ui::StageCells cells(*screen.view.stage, screen.session);
  CHECK(cells.print(1e12, 1) == "1e12");
  CHECK(cells.print(99999999993.0, 1) == "1e11");
  CHECK(cells.print(-1.5e7, 1) == "−1.5e7");
  CHECK(cells.print(5.8182e12, 1) == "5.82e12");
}

TEST_CASE("cells and their numbers grow with the text") {
  const auto cellAt = [](float text_scale) {
    test::Screen screen(1920, 1080);
    screen.view.environment.reduced_motion = true;
    screen.view.text_scale = text_scale;
    screen.dispatch(app::action::Seek{7});
    screen.frame(2);
    return screen.view.camera.cell;
  };
  CHECK(cellAt(1.5f) >= 1.2f * cellAt(1));
}

TEST_CASE("on a phone operands and result are in view at every step, and cells can still be told apart") {
  for (const float width : {390.0f, 320.0f}) {
    test::Screen screen(width, 844);
    screen.view.environment.reduced_motion = true;
    for (Index position = 1; position <= screen.session.timeline().size(); ++position) {
      screen.dispatch(app::action::Seek{position});
      screen.frame(2);
      CAPTURE(width);
      CAPTURE(position);
      const ui::StageMemory& memory = *screen.view.stage;
      const ui::StepParts parts = ui::partsOf(memory.equation, *screen.session.state().at);
      CHECK(within(onStage(screen, parts.result.front()), memory.canvas));
      for (const ui::Part& part : parts.operands) {
        CHECK(within(onStage(screen, part), memory.canvas));
      }
      CHECK(memory.layout.cell >= 17);  // CSS pixels
    }
  }
}

TEST_CASE("what is not yet reached has no number, and what is reached has the Trace's") {
  test::Screen screen;
  for (const app::Grain grain : {app::Grain::kRow, app::Grain::kTerm}) {
    screen.dispatch(app::action::SetGrain{grain});
    for (Index position = 0; position <= screen.session.timeline().size(); position += kStride) {
      screen.dispatch(app::action::Seek{position});
      screen.frame();
      const ui::StageCells cells(*screen.view.stage, screen.session);
      for (const core::Stage stage : screen.session.timeline().stages()) {
        const Array array = core::resultOf(stage);
        const core::ArrayView view = core::arrayOf(screen.session.trace(), 0, array);
        for (Index i = 0; i < view.rows; ++i) {
          for (Index j = 0; j < view.columns; ++j) {
            const figure::CellFigure cell = cells.cell(array, i, j);
            const app::CellReach reach = screen.session.timeline().reach(screen.session.position(), stage, i, j);
            if (reach.reach == app::Reach::kUnknown) {
              CHECK(cell.look == figure::CellLook::kUnknown);
              CHECK(cell.value == 0);
            } else if (cell.look == figure::CellLook::kValue) {
              CHECK(cell.value == view(i, j));
            }
          }
        }
      }
    }
  }
}

TEST_CASE("visible cells are recorded by name, and a press chooses them") {
  test::Screen screen;
  screen.view.environment.reduced_motion = true;
  screen.dispatch(app::action::Last{});
  screen.frame(3);
  const ui::Control* cell = screen.find("residual[2][1]");
  REQUIRE(cell);
  CHECK(cell->role == ui::Role::kCell);
  CHECK(cell->rect.w == doctest::Approx(screen.view.camera.cell));
  REQUIRE(screen.click("residual[2][1]"));
  screen.frame(2);
  REQUIRE(screen.session.state().cursor);
  CHECK(*screen.session.state().cursor == app::CellCursor{Array::kResidual, 2, 1});
}

TEST_CASE("a press on a position beside a matrix chooses its row") {
  test::Screen screen;
  screen.view.environment.reduced_motion = true;
  screen.dispatch(app::action::Last{});
  screen.frame(3);
  const ui::Control* cell = screen.find("residual[0][0]");
  REQUIRE(cell);
  screen.clickAt(cell->rect.x - 12, cell->rect.y + cell->rect.h / 2);
  screen.frame(2);
  CHECK(screen.session.state().row == 0);
}

TEST_CASE("panning and zooming take the camera over, and Fit gives it back") {
  test::Screen screen;
  screen.view.environment.reduced_motion = true;
  screen.frame(2);
  CHECK(screen.view.camera.automatic);
  const ui::Camera before = screen.view.camera;
  ui::panStage(screen.view, 40, 25);
  CHECK_FALSE(screen.view.camera.automatic);
  screen.frame(2);
  CHECK(screen.view.camera.x != before.x);
  ui::fitStage(screen.view);
  screen.frame(2);
  CHECK(screen.view.camera.cell == doctest::Approx(before.cell));
  CHECK(screen.view.camera.x == doctest::Approx(before.x));
}

TEST_CASE("zooming keeps the cell under the pointer where it is") {
  test::Screen screen;
  screen.view.environment.reduced_motion = true;
  screen.dispatch(app::action::Seek{4});
  screen.frame(3);
  const ui::Control* cell = screen.find("scores[2][1]");
  REQUIRE(cell);
  const float x = cell->rect.x + cell->rect.w / 2, y = cell->rect.y + cell->rect.h / 2;
  for (const float factor : {1.2f, 1.3f, 0.5f}) {
    ui::zoomStage(screen.view, factor, x, y);
    screen.frame(2);
    const ui::Control* now = screen.find("scores[2][1]");
    REQUIRE(now);
    // The picture stands on whole pixels: half of one each way, twice.
    CHECK(std::abs(now->rect.x + now->rect.w / 2 - x) <= 2);
    CHECK(std::abs(now->rect.y + now->rect.h / 2 - y) <= 2);
  }
}

TEST_CASE("the camera glides for a quarter of a second, and not at all under reduced motion") {
  test::Screen screen;
  screen.view.environment.reduced_motion = false;
  screen.frame(3);
  screen.dispatch(app::action::Last{});
  screen.view.animating = false;
  screen.frame(1);
  CHECK(screen.view.animating);
  screen.frame(60);
  screen.view.animating = false;
  screen.frame(1);
  CHECK_FALSE(screen.view.animating);
  screen.view.environment.reduced_motion = true;
  screen.dispatch(app::action::First{});
  screen.view.animating = false;
  screen.frame(1);
  CHECK_FALSE(screen.view.animating);
}

TEST_CASE("with eleven positions the operands of every step and the operator's words are in view") {
  test::Screen screen;
  screen.view.environment.reduced_motion = true;
  screen.open(longDocument(11, 1));
  for (Index position = 1; position <= screen.session.timeline().size(); ++position) {
    screen.dispatch(app::action::Seek{position});
    screen.frame(2);
    CAPTURE(position);
    const ui::StageMemory& memory = *screen.view.stage;
    const app::Step step = *screen.session.state().at;
    const ui::StepParts parts = ui::partsOf(memory.equation, step);
    CHECK(within(onStage(screen, parts.result.front()), memory.canvas));
    for (const ui::Part& part : parts.operands) {
      CHECK(within(onStage(screen, part), memory.canvas));
    }
    for (const figure::Link& link : memory.layout.links) {
      if (link.stage == step.stage && !link.text.empty()) {
        const figure::Point at = {link.text_at.x + memory.origin.x, link.text_at.y + memory.origin.y};
        CHECK(memory.canvas.contains(at));
      }
    }
  }
}

TEST_CASE("heads are counted on the stage as the example counts") {
  test::Screen screen;
  std::string document = longDocument(4, 2);
  document.insert(1, "\"first_index\":1,");
  screen.open(document);
  screen.frame(2);
  const ui::Control* head = screen.find("stage/head/0");
  REQUIRE(head);
  CHECK(head->label == "Head 1");
}

TEST_CASE("after the camera is taken over, Fit stands in the lower corner of a narrow stage, clear of titles") {
  test::Screen screen(390, 844);
  screen.view.environment.reduced_motion = true;
  screen.view.environment.coarse_pointer = true;
  screen.frame(2);
  ui::zoomStage(screen.view, 1.2f);
  screen.frame(2);
  const ui::Control* fit = screen.find("stage/fit");
  REQUIRE(fit);
  const figure::Box& canvas = screen.view.stage->canvas;
  CHECK(fit->rect.y + fit->rect.h <= canvas.bottom());
  CHECK(fit->rect.y > canvas.center().y);
  CHECK(fit->rect.x > canvas.center().x);
}

TEST_CASE("a press on a small map brings its head into view") {
  test::Screen screen;
  screen.open(longDocument(6, 3));
  screen.dispatch(app::action::Last{});
  screen.frame(2);
  REQUIRE(screen.click("stage/head/2"));
  screen.frame(2);
  CHECK(screen.session.state().head == 2);
}

TEST_CASE("hundreds of positions are a few textured quads, never a rectangle per cell, and a map is one of them") {
  for (const int positions : {128, 129, 512, 2048}) {
    if (test::kSanitized && positions > 512) continue;
    CAPTURE(positions);
    test::Screen screen;
    screen.view.environment.reduced_motion = true;
    screen.open(longDocument(positions, 1));
    screen.dispatch(app::action::SetOrder{app::Order::kStage});
    screen.dispatch(app::action::Last{});
    screen.frame(3);
    CHECK(screen.view.heatmaps.size() >= 2);
    CHECK(screen.view.heatmaps.size() < 40);
    std::size_t maps = 0;
    for (const figure::HeatmapRequest& request : screen.view.heatmaps) {
      REQUIRE(request.data);
      const auto rows = static_cast<std::size_t>(request.data->rows), columns = static_cast<std::size_t>(request.data->columns);
      CHECK(request.data->values.size() == rows * columns);
      maps += rows == static_cast<std::size_t>(positions) && columns == rows;
    }
    CHECK(maps >= 1);
    CHECK(maps <= 5);  // scores, scaled, masked, weights, and the small map of the head: one each
    CHECK(ImGui::GetDrawData()->TotalVtxCount < 60000);
  }
}

TEST_CASE("a texture shows only the rows that are known") {
  test::Screen screen;
  screen.view.environment.reduced_motion = true;
  screen.open(longDocument(200, 1));
  screen.dispatch(app::action::SetOrder{app::Order::kRow});
  screen.dispatch(app::action::ChooseRow{50});
  screen.dispatch(app::action::Last{});
  screen.frame(3);
  const ui::StageMemory& memory = *screen.view.stage;
  const ui::StageCells cells(*screen.view.stage, screen.session);
  const figure::Placed weights = ui::onScreen(*memory.layout.find(Array::kWeights), memory.origin);
  const auto requests = cells.texture(weights, memory.layout.cell, 0, ui::colors(screen.view), false, 0);
  REQUIRE(requests.size() == 1);
  // Rows of a fraction of a pixel, in single precision.
  CHECK(requests[0].clip_height == doctest::Approx(memory.layout.cell).epsilon(1e-3));
  CHECK(requests[0].clip_y == doctest::Approx(weights.cells.y + 50 * memory.layout.cell).epsilon(1e-3));
}

namespace {

// Numbers that are written into the cells of this part on the picture.
std::size_t numbersIn(test::Screen& screen, const ui::Part& part) {
  const figure::Box box = onStage(screen, part);
  const figure::Picture picture = ui::stagePicture(*screen.view.stage, screen.view, screen.session);
  std::size_t count = 0;
  for (const figure::Shape& shape : picture.shapes) {
    const auto* label = std::get_if<figure::Label>(&shape);
    count += label && label->face == figure::Typeface::kNumber && box.contains(label->at) &&
             screen.view.stage->canvas.contains(label->at);
  }
  return count;
}

std::string crossDocument() {
  return R"({"attnscope":1,"tokens":["le","chat","dort"],"sources":["the","cat","is","sleeping","now"],
    "x":[[1.5,-2.25,0.5,3],[0.75,1,-1.5,2],[2.5,0.3,1.1,-0.7]],
    "x_sources":[[1,2,3,4,5,6],[0.5,-1,2,0.25,1,3],[2,2,-3,1,0,1],[1.25,0,0.5,2,2,-1],[3,1,1,0,-2,0.5]],
    "wq":[[1,0.5],[-0.25,2],[0.3,1],[1,-1]],
    "wk":[[1,0],[0.5,1],[0,1],[-1,0.25],[0.2,0.4],[1,1]],
    "wv":[[1,0],[0.5,1],[0,1],[-1,0.25],[0.2,0.4],[1,1]]})";
}

}  // namespace

TEST_CASE("the result of every step shows its numbers, in the picture or in the lens beside it") {
  const std::string eleven = longDocument(11, 4);
  struct Case {
    std::string document;
    float width, height, text_scale;
  };
  for (const Case& each : {Case{crossDocument(), 1280, 800, 1}, Case{eleven, 1280, 800, 1}, Case{"", 390, 844, 2},
                           Case{"", 320, 256, 1}, Case{eleven, 390, 844, 2}}) {
    test::Screen screen(each.width, each.height);
    screen.view.text_scale = each.text_scale;
    if (!each.document.empty()) {
      screen.open(each.document);
    }
    for (Index position = 1; position <= screen.session.timeline().size(); position += kStride) {
      screen.dispatch(app::action::Seek{position});
      screen.frame(2);
      const app::Step step = *screen.session.state().at;
      CAPTURE(each.width);
      CAPTURE(position);
      const ui::StepParts parts = ui::partsOf(screen.view.stage->equation, step);
      if (!screen.view.stage->lens) {
        CHECK(numbersIn(screen, parts.result.front()) >= 1);
      }
    }
  }
}

TEST_CASE("the lens of a long row holds its largest weight and says which sources it shows") {
  std::string tokens, q, k;
  for (int i = 0; i < 64; ++i) {
    tokens += (i ? ",\"t" : "\"t") + std::to_string(i) + "\"";
    q += i ? ",[4]" : "[4]";
    k += std::string(i ? "," : "") + (i == 12 ? "[2]" : "[0]");
  }
  test::Screen screen;
  screen.open("{\"attnscope\":1,\"tokens\":[" + tokens + "],\"q\":[" + q + "],\"k\":[" + k + "],\"v\":[" + k + "]}");
  for (const core::Stage stage : {core::Stage::kScores, core::Stage::kWeights, core::Stage::kZ}) {
    while (!screen.session.state().at || screen.session.state().at->stage != stage) {
      screen.dispatch(app::action::StepBy{1});
    }
    screen.frame(2);
    int from = -1, to = -1;
    for (const ui::Recorder::TextLine& each : screen.recorder.texts) {
      std::sscanf(each.text.c_str(), "sources %d to %d of 64", &from, &to);
    }
    CAPTURE(static_cast<int>(stage));
    CHECK(from <= 12);
    CHECK(to >= 12);
    CHECK(from >= 0);
  }
  CHECK(screen.shows("The 16 largest of 64 sources."));
  CHECK(screen.shows("12 “t12”"));
}
