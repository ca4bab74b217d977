// A State as one short readable string and back: URL fragment, --link flag, test fixture, bug report. Data only.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "app/session.h"
#include "app/state.h"

namespace attn::app {

inline constexpr std::size_t kMaxLink = 8 * 1024;

struct EncodedLink {
  std::string link;      // only A–Z a–z 0–9 - _ . ~ = & and %-escapes; at most kMaxLink bytes
  std::string left_out;  // "" or a sentence: what did not fit and what to do instead
};
// Defaults are left out. An opened document rides along compressed (d=…) while the whole fits.
EncodedLink encodeLink(const State& state, const Library& library);

struct DecodedLink {
  State state;
  std::vector<std::string> notes;  // one sentence per value that became its default
  std::string document_file;       // doc=name.json: a file from the page's own folder, for the platform to open
};
// Never fails: unknown keys are ignored, bad values replaced. A document in d=… is added to `library`. `opened` is the id
// of the document that doc=… asked for, once it has been opened: it takes the place of doc=.
DecodedLink decodeLink(std::string_view link, Library& library, std::string_view opened = {});

}  // namespace attn::app
