// What heads write on average over held-out lines. Knows no page.
#pragma once
#include <functional>
#include <vector>

#include "core/decoder.h"
#include "core/tensor.h"

namespace attn::study {

// Of z, before W_O.
struct HeadMeans {
  core::Matrix<double> by_position;  // T×d: row t over the texts that have a position t
  core::RowVector<double> pooled;    // over all positions of all texts
};

// [layer][head]. Texts that cannot be run are passed over. `progress` is told the part done; nothing when it asked to stop.
std::vector<std::vector<HeadMeans>> headMeans(const core::Decoder& decoder, const std::vector<std::vector<core::Index>>& texts,
                                              const std::function<bool(double done)>& progress);

}  // namespace attn::study
