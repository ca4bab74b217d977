// The scores of a head as pages name and explain them. Knows no page.
#pragma once
#include <array>
#include <string>
#include <string_view>

#include "core/head_scores.h"

namespace attn::scene {

struct HeadScore {
  std::string_view id, name;  // "previous", "the token before"; names, words and formulas are texts for tr()
  double core::HeadScores::*value;
  std::string_view words, formula;
};
// The last two need to know which tokens are the same.
extern const std::array<HeadScore, 6> kHeadScores;

// "0.123", or "–" where no row has any say in it.
std::string scoreText(double value);

}  // namespace attn::scene
