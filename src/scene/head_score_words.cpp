// See head_score_words.h.
#include "scene/head_score_words.h"

#include <cmath>

#include "core/language.h"
#include "core/number.h"

namespace attn::scene {

using core::HeadScores;

const std::array<HeadScore, 6> kHeadScores = {{
    {"entropy", trLater("spread (entropy)"), &HeadScores::entropy,
     trLater("How evenly a row spreads its weights: 0 when each row reads one source, 1 when it reads all alike, that is "
             "all up to its own position in a head that never reads a later one."),
     trLater("mean of (−Σ w_ij ln w_ij over all j) / ln n_i")},
    {"diagonal", trLater("itself"), &HeadScores::diagonal, trLater("How much of its weight a position gives to itself."),
     trLater("mean of w(i, i)")},
    {"previous", trLater("the token before"), &HeadScores::previous,
     trLater("How much it gives to the position before; near 1 in a previous-token head (Olsson et al. 2022)."),
     trLater("mean of w(i, i − 1), i > 0")},
    {"first", trLater("the first token"), &HeadScores::first,
     trLater("How much rows after the first give to position 0; near 1 where it serves as a sink (Xiao et al. 2023)."),
     trLater("mean of w(i, 0), i > 0")},
    {"same", trLater("the same token before"), &HeadScores::same,
     trLater("How much a repeated token gives to its own earlier occurrences; near 1 in a duplicate-token head (Wang et al. "
             "2022)."),
     trLater("mean of Σ w(i, j) over all j < i with the token of i")},
    {"repeat", trLater("what followed the same token before"), &HeadScores::repeat,
     trLater("How much a repeated token gives to what stood behind its earlier occurrences; near 1 in an induction head "
             "(Olsson et al. 2022)."),
     trLater("mean of Σ w(i, j + 1) over all j with the token of i, j + 1 < i")},
}};

std::string scoreText(double value) { return std::isnan(value) ? "–" : core::fixedText(value, 3); }

}  // namespace attn::scene
