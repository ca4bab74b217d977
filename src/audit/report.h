// What can be said about one layer's export: what its weights give away alone, and which computation explains them.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "audit/findings.h"
#include "audit/verdict.h"

namespace attn::audit {

// What the owner says about the mask; nothing: it is read off the weights.
enum class MaskClaim : std::uint8_t { kOpen, kNone, kCausal };

struct Report {
  std::vector<Finding> findings;
  std::optional<Verdict> verdict;  // nothing when q and k, or weights and output, are missing
  std::string words;               // the verdict in one or two sentences; "" without one
};

// `layer` is written into the findings. `stop` as in explain(), also asked before each head.
Report reportOn(const Export& exported, core::Index layer, MaskClaim claim, const std::function<bool()>& stop = {});

// Of hypotheses that contain a departure other than a mask: "scale", "rotary", …; the README lists them.
std::string findingCode(Kind kind);

}  // namespace attn::audit
