// A State as one short readable string and back: URL fragment, --link flag, test fixture, bug report. Data only.
//
// Keys, defaults left out:
//   v       1, always first
//   ex      id of the example (three-positions)        d     an opened document, compressed, instead of ex
//   doc     a file from the page's own folder          mask  none, causal (as the document says)
//   order   row, stage (row)                           grain stage, row, cell, term (row)
//   row     the chosen destination (the last)          head  the head in view (0)
//   stage   the stage of the last step done; none: the opening state. With it, where the step says so:
//   at      the row that the step is about, or all; left out where it is `row`, or at a coarse grain all rows of K, V
//           and norm
//   col     its column                                 term  its product, or its phase in the softmax and norm
//   cursor  array.row.column
//   edits   the edits, as lesson::joinEdits writes them; empty: none (those of the document)
//   show    before, difference: what the stage shows of a comparison (after)
//   pin     what is compared with: a link of ex or d, mask, edits and head (the example without any edit)
//   scene   id of the open scene; none: the walkthrough
//   set.KEY what differs from the presets of that scene's controls; with set.walk the moment is one of the example to which
//           the scene's page gives way
//   present 1, 0 (0): large type, for a class          embed 1, 0 (0): slim, for a frame in another page
//   hide    some of contents, explain, answers, numbers, edits, with points between
//   note    plain text above the stage, at most 280 characters
//   exact   1, 0 (1)                                   dec   2–6 (4)
//   palette viridis, cividis, magma, grey (viridis)    spaces 1, 0 (0)
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/presentation.h"
#include "app/session.h"
#include "app/state.h"

namespace attn::app {

// The param of a scene that makes its page give way to an example: with it a link leads to that example, through the page.
inline constexpr const char* kWalk = "walk";

// The param with which the page about files shows one that comes with the program.
inline constexpr const char* kSample = "sample";

inline constexpr std::size_t kMaxLink = 8 * 1024;

struct EncodedLink {
  std::string link;      // only A–Z a–z 0–9 - _ . ~ = & and %-escapes; at most kMaxLink bytes
  std::string left_out;  // "" or a sentence: what did not fit and what to do instead
  bool edits_fit = true;
};
// Defaults are left out. An opened document rides along compressed (d=…) while the whole fits.
EncodedLink encodeLink(const State& state, const Library& library, const Presentation& presentation = {});
// The link to where a session is, as it is presented.
EncodedLink linkOf(const Session& session);

struct DecodedLink {
  State state;
  Presentation presentation;
  std::vector<std::string> notes;  // one sentence per value that became its default
  bool walks = false;              // the moment is read once the scene's page has given way to an example
  std::string document_file;       // doc=name.json: a file from the page's own folder, for the platform to open
};
// Never fails: unknown keys are ignored, bad values replaced. A document in d=… is added to `library`. `opened` is the
// id of the document that doc=… asked for, or to which the page of a walk gave way, once it has been opened: it takes the
// place of doc= and of the scene. The step may lie outside the walk: settle() of update.h brings it in.
DecodedLink decodeLink(std::string_view link, Library& library, std::string_view opened = {});

}  // namespace attn::app
