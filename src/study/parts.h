// The parts of the page about the trained model. Each puts its blocks together and says what came out; controls that it
// has no use for are hidden already.
#pragma once
#include "scene/scene.h"
#include "scene/shown.h"
#include "scene/words.h"
#include "study/running.h"

namespace attn::study {

using scene::Inputs;
using scene::Outputs;
using scene::Shown;

// All heads in a run on the text, small; pressing one shows it large.
lesson::Maps mapsOf(const Running& running, const core::DecoderRun& run, std::string title);

void showText(const Running& running, Outputs& out, Shown& shown);                       // a text and what comes next
void showHead(const Running& running, const Inputs& in, Outputs& out, Shown& shown);     // one head, large
// The same without the walk, of a head that something else than `layer` and `head` names; `with` stands behind its name.
void showHeadWith(const Running& running, Index layer, Index head, const std::string& with, Outputs& out, Shown& shown);
void showStream(const Running& running, const Inputs& in, Outputs& out, Shown& shown);   // what is written into the residual stream
core::Check showScores(const Running& running, const Inputs& in, Outputs& out, Shown& shown, const Progress& progress);  // of all heads
core::Check showChange(const Running& running, const Inputs& in, Outputs& out, Shown& shown, const Progress& progress);  // and its effect
core::Check showLines(const Running& running, const Inputs& in, Outputs& out, Shown& shown, const Progress& progress);   // that on many texts
core::Check showTasks(const Running& running, Outputs& out, Shown& shown, const Progress& progress);                     // to solve with all this
core::Check showTraining(const Running& running, const Inputs& in, Outputs& out, Shown& shown);  // the same heads at two stages of training
void showCircuits(const Running& running, const Inputs& in, Outputs& out, Shown& shown);         // a head's weights without any text
core::Check showGenerated(const Running& running, const Inputs& in, Outputs& out, Shown& shown, const Progress& progress);  // its own text

}  // namespace attn::study
