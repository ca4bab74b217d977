// Which hypotheses explain an export: the textbook computation under each mask, each departure alone, pairs of them.
// Never says "wrong" without one that fits. Knows no files and no findings about weights alone.
#pragma once
#include <functional>
#include <optional>
#include <vector>

#include "audit/hypothesis.h"
#include "audit/recompute.h"

namespace attn::audit {

struct Fit {
  Hypothesis hypothesis;
  double max_abs_diff = 0;  // over all heads and compared cells
  double bound = 0;         // what rounding may make of the cell where the difference is largest
  // The first cell (by head, row, column) whose difference is more than rounding explains; nothing when it fits.
  struct Place {
    core::Index head = 0, row = 0, col = 0;
    double given = 0, expected = 0;
  };
  std::optional<Place> first;
};

struct Verdict {
  bool on_output = false;  // compared weights · v with the exported output, because weights were not exported
  std::vector<Fit> fits;   // none, one, or several that the export cannot tell apart; each without idle departures
  std::optional<Fit> nearest;  // when none fits
  std::size_t tried = 0;       // hypotheses that were computed
};

// Needs q and k, and weights or both v and out. `masks` replaces the masks that the weights themselves suggest, with what
// their owner says: a list of hypotheses of masks alone. `stop` is asked now and then; when it answers true, the verdict is
// what is known by then.
Verdict explain(const Export& exported, const std::vector<Hypothesis>& masks = {},
                const std::function<bool()>& stop = {});

// The textbook computation under each of these masks and nothing else.
Verdict explainMasksOnly(const Export& exported, const std::vector<Hypothesis>& masks);

// Masks worth trying: those that block only cells whose weight is 0, each a different set of cells, the plainest first.
std::vector<Hypothesis> maskCandidates(const Export& exported);

// What would tell several fits apart: one sentence, or "".
std::string whatSeparates(const Verdict& verdict);

}  // namespace attn::audit
