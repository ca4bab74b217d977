// The parts of the page about opened files. Each puts its blocks into the list "part" and says what came out in the text
// "says"; controls that it has no use for it hides.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "scene/words.h"
#include "survey/chosen.h"

namespace attn::survey {

using scene::Inputs;
using scene::Outputs;
using scene::Progress;

// "1 layer", "1,024 heads".
inline std::string counted(std::uint64_t count, const std::string& one) {
  return scene::grouped(static_cast<double>(count)) + " " + one + (count == 1 ? "" : "s");
}

// What a part puts together.
struct Shown {
  std::vector<lesson::Block> blocks;
  std::string says;

  void heading(std::string text) { blocks.push_back({lesson::Words{lesson::Words::Style::kHeading, std::move(text)}}); }
  void text(std::string text) { blocks.push_back({lesson::Words{lesson::Words::Style::kText, std::move(text)}}); }
  void note(std::string text) { blocks.push_back({lesson::Words{lesson::Words::Style::kNote, std::move(text)}}); }
  void code(std::string text) { blocks.push_back({lesson::Words{lesson::Words::Style::kCode, std::move(text)}}); }
  template <class Content>
  void add(Content content, bool beside = false) { blocks.push_back({std::move(content), beside}); }
};

// An error is a sentence in the place of the whole page.
core::Check showFile(const Chosen& chosen, const Inputs& in, Outputs& out, Shown& shown);      // what is in the file
core::Check showHeads(const Chosen& chosen, const Inputs& in, Outputs& out, Shown& shown);     // all heads, small
core::Check showHead(const Chosen& chosen, const Inputs& in, Outputs& out, Shown& shown);      // one head, large
core::Check showAudit(const Chosen& chosen, const Inputs& in, Outputs& out, Shown& shown, const Progress& progress);
core::Check showCompared(const Chosen& chosen, const Inputs& in, Outputs& out, Shown& shown, const Progress& progress);
void showCode(const Inputs& in, Shown& shown);  // how to export from a framework; needs no file
void showEmpty(Shown& shown);                   // nothing is open

}  // namespace attn::survey
