// See head_score_words.h.
#include "scene/head_score_words.h"

#include <cmath>

#include "core/number.h"

namespace attn::scene {

using core::HeadScores;

const std::array<HeadScore, 6> kHeadScores = {{
    {"entropy", "spread (entropy)", &HeadScores::entropy,
     "How evenly a row spreads its weights: 0 when each row reads one source, 1 when it reads all alike, that is all up to "
     "its own position in a head that never reads a later one.",
     "mean of (−Σ w_ij ln w_ij over all j) / ln n_i"},
    {"diagonal", "itself", &HeadScores::diagonal, "How much of its weight a position gives to itself.", "mean of w(i, i)"},
    {"previous", "the token before", &HeadScores::previous,
     "How much it gives to the position before; near 1 in a previous-token head (Olsson et al. 2022).", "mean of w(i, i − 1), i > 0"},
    {"first", "the first token", &HeadScores::first,
     "How much rows after the first give to position 0; near 1 where it serves as a sink (Xiao et al. 2023).", "mean of w(i, 0), i > 0"},
    {"same", "the same token before", &HeadScores::same,
     "How much a repeated token gives to its own earlier occurrences; near 1 in a duplicate-token head (Wang et al. 2022).",
     "mean of Σ w(i, j) over all j < i with the token of i"},
    {"repeat", "what followed the same token before", &HeadScores::repeat,
     "How much a repeated token gives to what stood behind its earlier occurrences; near 1 in an induction head (Olsson et "
     "al. 2022).",
     "mean of Σ w(i, j + 1) over all j with the token of i, j + 1 < i"},
}};

std::string scoreText(double value) { return std::isnan(value) ? "–" : core::fixedText(value, 3); }

}  // namespace attn::scene
