// Arrays of an example as figures: named rows and columns, blocked cells, and what changed between two of them. Knows no
// task.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/trace.h"
#include "lesson/example.h"
#include "lesson/page.h"

namespace attn::scene {

// The array as that head has it; empty where the computation has none.
core::Matrix<double> arrayMatrix(const core::Trace<double>& trace, core::Index head, core::Array array);

// "weights", "scaled scores", "the input x": as sentences and titles name it; with `of_head`, " of head 1" behind.
std::string arrayTitle(const lesson::Example& example, core::Array array, core::Index head, core::Index heads);

lesson::Grid arrayGrid(const lesson::Example& example, const core::Trace<double>& trace, core::Index head,
                       core::Array array, std::string title);

// after − before, with every cell marked that is not bit for bit the same; both have one shape.
lesson::Grid differenceGrid(lesson::Grid look, const core::Matrix<double>& before, const core::Matrix<double>& after,
                            std::string title);

// Where a link leads: the walkthrough of an example with these edits, at a row of the stage that writes `array`.
struct StageMoment {
  const lesson::Example& base;  // built in, or a document, without edits of anybody else
  std::vector<std::string> edits;
  core::Array array = core::Array::kWeights;
  core::Index head = 0;
  core::Index row = 0;
  std::optional<std::vector<std::string>> pinned;  // edits that it is compared with; nothing: none
};
// "" for what is too long for a link.
std::string stageLink(const StageMoment& moment);

}  // namespace attn::scene
