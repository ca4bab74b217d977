// How numbers of the computation look in cells: kind, text and range of colours, and the names beside them. Shared by all
// that draws them; knows no places.
#pragma once
#include <string>
#include <vector>

#include "app/state.h"
#include "core/trace.h"
#include "figure/matrix_figure.h"
#include "lesson/example.h"

namespace attn::app {

// What kind of cell `value` of this array is, once it is known. `set`: an edit has put it there, so that it stands as it
// is where the mask or a row without sources would stand for it.
figure::CellLook lookOf(const core::Trace<double>& trace, Index head, core::Array array, Index row, Index column, double value, bool set);
bool isMasked(core::Array array);  // blocked cells of it hold nothing

// A number in one of cellForms() forms: form 0 exactly, where that is asked for and there is such a form, then with fewer
// and fewer decimals; "" when it has none of this form.
int cellForms(const State& state);
std::string cellText(const State& state, double value, int form);

// Of the finite ones.
double largestMagnitude(const double* values, Index count);
figure::Scale signedScale(double largest);
// 0–1, or for long rows up to a weight that nearly all allowed cells stay below: then `clipped`.
figure::Scale weightScale(const core::Trace<double>& trace, Index head, bool& clipped);

// Of every position: "1 cat", "cat", "1".
struct AxisLabels {
  std::vector<std::string> labels, tokens, numbers;
};
AxisLabels axisLabels(const lesson::Example& example, bool sources, bool show_spaces);

}  // namespace attn::app
