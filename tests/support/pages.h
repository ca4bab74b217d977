// Pages of every kind of block, drawn at random, and what two pages must share to be the same.
#pragma once
#include <cstdint>

#include "lesson/page.h"

namespace attn::test {

// Satisfies checkPage. Holds every kind of block, odd texts, and numbers that are not finite where `finite` is false.
lesson::Page randomPage(std::uint64_t seed, bool finite);

// Everything but the results.
bool samePage(const lesson::Page& a, const lesson::Page& b);

}  // namespace attn::test
