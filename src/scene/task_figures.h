// Arrays of an example as figures: named rows and columns, blocked cells, and what changed between two of them. Knows no
// task.
#pragma once
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

// The walkthrough of a built-in example with these edits, at the end of the stage that writes `array`.
std::string stageLink(const std::string& example, const std::vector<std::string>& edits, core::Array array,
                      core::Index head);

}  // namespace attn::scene
