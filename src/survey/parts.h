// The parts of the page about opened files. Each puts its blocks into the list "part" and says what came out in the text
// "says"; controls that it has no use for it hides.
#pragma once
#include "core/language.h"
#include "scene/scene.h"
#include "scene/shown.h"
#include "scene/words.h"
#include "survey/chosen.h"

namespace attn::survey {

using scene::Inputs;
using scene::Outputs;
using scene::Progress;
using scene::Shown;

// "1,024".
inline std::string countText(std::uint64_t count) { return scene::grouped(static_cast<double>(count)); }
// "64 destinations × 64 sources".
inline std::string sizeText(std::uint64_t T, std::uint64_t S) {
  return tr("{0} {0|destination|destinations} × {1} {1|source|sources}", {countText(T), countText(S)});
}

// An error is a sentence in the place of the whole page.
core::Check showFile(const Chosen& chosen, const Inputs& in, Outputs& out, Shown& shown);      // what is in the file
core::Check showHeads(const Chosen& chosen, const Inputs& in, Outputs& out, Shown& shown);     // all heads, small
core::Check showHead(const Chosen& chosen, const Inputs& in, Outputs& out, Shown& shown);      // one head, large
core::Check showAudit(const Chosen& chosen, const Inputs& in, Outputs& out, Shown& shown, const Progress& progress);
core::Check showCompared(const Chosen& chosen, const Inputs& in, Outputs& out, Shown& shown, const Progress& progress);
void showCode(const Inputs& in, Shown& shown);  // how to export from a framework; needs no file
void showEmpty(Shown& shown);                   // nothing is open

}  // namespace attn::survey
