// What the controls say about the open files: which arrays are what, and which layer, sequence and head is looked at.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "opened/model.h"
#include "scene/scene.h"
#include "survey/files.h"

namespace attn::survey {

struct Chosen {
  Files& files;
  const FileSet& set;
  opened::Model model;       // under the roles and axes that were chosen
  std::string reading;       // differs when anything of these does: the key of what is known of heads
  opened::Place place;       // layer, sequence and head, within what there is
  std::vector<std::string> tokens, sources;  // of the destinations and of the sources; empty: they are numbered
  std::string token_note;    // why given tokens are not used, or ""
};

// Controls: `q` `k` `v` `scores` `weights` `z` `mask` `tokens` (roles: "", "none", or a family of array names),
// `axes` and `vector_axes` ("guess", or names of axes: "batch-head-query-key", "batch-position-packed"), `layer`, `batch`, `head`, `token_list`. Gives the options of these
// controls to `out`, hides those that do not apply and limits the numbers.
Chosen choose(Files& files, const scene::Inputs& in, scene::Outputs& out);

// What a reader should know of arrays that are put together: the steps of a generation; "" when there are none.
std::string stepsText(const opened::Model& model, std::uint64_t layer);

// What the reader said of attention that a model gave as None, and what to do; "" when it said nothing of the kind.
std::string attentionWasNone(const FileSet& set);

// Names that differ only in one number, as one: "attn_*" for attn_0, attn_1, …; in natural order.
struct Family {
  std::string id;      // the name with * in the place of the number; of a single array its name
  std::string label;   // "attn_* (12 arrays)"
  std::vector<std::size_t> arrays;
};
std::vector<Family> familiesOf(const io::ArrayFile& file);

}  // namespace attn::survey
