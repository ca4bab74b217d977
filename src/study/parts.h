// The parts of the page about the trained model. Each puts its blocks together and says what came out; controls that it
// has no use for are hidden already.
#pragma once
#include "scene/scene.h"
#include "scene/shown.h"
#include "study/running.h"

namespace attn::study {

using scene::Inputs;
using scene::Outputs;
using scene::Progress;
using scene::Shown;

// All heads on the text, small; pressing one shows it large.
lesson::Maps mapsOf(const Running& running);

void showText(const Running& running, Outputs& out, Shown& shown);                       // a text and what comes next
void showHead(const Running& running, const Inputs& in, Outputs& out, Shown& shown);     // one head, large
void showStream(const Running& running, const Inputs& in, Outputs& out, Shown& shown);   // what is written into the residual stream
void showTraining(Running& running, Outputs& out, Shown& shown);                         // the same heads along training

}  // namespace attn::study
