// The open example as the scenes about it are told of it: with its edits, computed, beside what it is compared with.
// Knows no scene and no control.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "core/trace.h"
#include "lesson/example.h"
#include "scene/scene.h"

namespace attn::scene {

struct OpenExample {
  lesson::Example example, other;  // as edited; what it is compared with, which may have other tokens
  std::shared_ptr<const core::Trace<double>> trace, before;
  Index head = 0, head_before = 0;  // the chosen ones, clamped to those that there are
  bool pinned = false;              // compared with what is pinned; else with the same example without any edit
  std::vector<std::string> edits;
  std::string mask;  // document, none or causal

  bool builtIn() const { return !example.id.empty(); }
  Index heads() const { return static_cast<Index>(trace->heads.size()); }
};

// Of the context params, all of which the text file declares: `example` (a built-in id, or a document), `mask`, `edits`
// and `head`, and the same with `pinned_` before them, which count where `pinned_example` is not empty. One sentence when
// a document, its edits or its computation cannot be had.
core::Result<OpenExample> openExample(const Inputs& in);

// As sentences name them: "2 “sat”" or "position 3", as the example counts.
std::string destinationText(const lesson::Example& example, Index row);
std::string sourceText(const lesson::Example& example, Index col);
std::string headText(const lesson::Example& example, Index head);
std::string ordinal(const lesson::Example& example, Index number);
// With a capital letter, for the beginning of a sentence.
std::string begun(std::string text);

// Names of rows and columns of grids: tokens with nothing invisible, and with their numbers where two are alike.
std::vector<std::string> positionLabels(const lesson::Example& example, bool sources);
// "1", "2", …: names of components.
std::vector<std::string> componentLabels(const lesson::Example& example, Index count);

// Options for controls: ids count from 0, labels are names.
std::vector<lesson::ParamOption> positionOptions(const lesson::Example& example, bool sources);
std::vector<lesson::ParamOption> headOptions(const OpenExample& open);
// Of the option that is chosen; `otherwise` where nothing is, or what is not there.
Index chosenIndex(const std::string& value, Index count, Index otherwise);

// The walkthrough of this example with these edits behind its own, standing at the weights of a row. "" where a link
// cannot hold that: for opened documents, and for edits that are too long.
std::string walkthroughLink(const OpenExample& open, const std::vector<std::string>& more, Index row, Index head);

}  // namespace attn::scene
