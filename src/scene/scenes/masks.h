// The parts of the scene about masks. Each computes whatever is chosen, so that the terminal prints all of them.
#pragma once
#include "core/trace.h"
#include "lesson/example.h"
#include "scene/scene.h"

namespace attn::scene::masks {

// The example that comes with the program under this id.
lesson::Example given(std::string_view id);

// The same example under another mask.
core::Trace<double> under(const lesson::Example& example, const core::MaskSpec& mask);

void showBatch(const Inputs& in, Outputs& out);
void showNothing(const Inputs& in, Outputs& out);
void showAlignment(const Inputs& in, Outputs& out);
void showReach(const Inputs& in, Outputs& out);

}  // namespace attn::scene::masks
