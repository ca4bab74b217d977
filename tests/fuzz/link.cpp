// Any bytes as a link and as an action: never a crash, always a step of the walk, and a link that restores the State.
// Run it with scripts/fuzz link.
#include <cstdint>
#include <string>

#include "app/api.h"
#include "app/explain.h"
#include "app/link.h"
#include "fuzz/require.h"

namespace {

using namespace attn::app;
using attn::fuzz::require;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  Session session;
  if (const auto action = parseAction(bytes))
    session.dispatch(action.value());
  else
    session.dispatch(action::LoadLink{bytes});
  // Opened documents may be large; their sums say nothing about links.
  constexpr Index kMaxCells = 4096;
  if (session.trace().mask.rows() * session.trace().mask.columns() > kMaxCells) return 0;
  require(session.timeline().at(session.position()) == session.state().at);
  require(!plainText(session).empty());
  require(!stateJson(session).empty());
  const EncodedLink link = encodeLink(session.state(), session.library(), session.presentation());
  require(link.link.size() <= kMaxLink);
  if (!link.left_out.empty()) return 0;
  Session other;
  other.dispatch(action::LoadLink{link.link});
  require(other.state() == session.state());
  require(other.presentation() == session.presentation());
  return 0;
}
