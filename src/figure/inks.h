// The colours of everything that is not a value, light and dark. Knows no panel and no figure.
#pragma once
#include "figure/color.h"

namespace attn::figure {

struct Inks {
  Color ground, surface, raised, line;  // page, panels, controls, hairlines
  Color text, muted;  // both at least 4.5:1 on ground, surface and raised
  Color now;  // the accent: the current step, its operands and its result
  Color row;  // the chosen row
  Color parameter;  // stored parameters: frame and title
  Color hatch;  // blocked cells
  Color unknown;  // not yet known
  Color warning;
  Color focus;  // keyboard focus ring
};

const Inks& inks(bool dark, bool high_contrast);

}  // namespace attn::figure
