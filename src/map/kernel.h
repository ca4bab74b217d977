// What takes the time of a map: scores of a few rows with many sources, and their exponentials. Knows no rule, no order
// of rows and no cells: kernels of one instruction set may take its place, with the same meaning.
#pragma once
#include <cstddef>

namespace attn::map {

inline constexpr std::ptrdiff_t kRows = 4;     // rows of one call
inline constexpr std::ptrdiff_t kPanel = 8;    // sources that are packed together
inline constexpr std::ptrdiff_t kBlock = 512;  // sources of one call at most: their scores stay in the nearest cache

// Scores are in units of log 2 here: exponentials are powers of two.
inline constexpr double kLog2E = 1.4426950408889634, kLn2 = 0.6931471805599453;
// The score of what may not be read; its power of two is 0.
inline constexpr float kBlocked = -3e38f;

// scores[r·kBlock + j] = q_r · k_j for kRows rows of `width` numbers and the sources of `panels` panels (at most
// kBlock ÷ kPanel), each a sum in the order of the numbers: the same bits wherever a pair is computed.
void scoreBlock(const float* q, const float* keys, std::ptrdiff_t width, std::ptrdiff_t panels, float* scores);

// The largest of n numbers, n a multiple of kPanel, ≥ kPanel.
float largest(const float* numbers, std::ptrdiff_t n);

// Each of n scores ≤ top becomes 2^(score − top); n a multiple of kPanel.
void exponentials(float* scores, std::ptrdiff_t n, float top);

// most[c] = the largest and sum[c] = the sum of the c-th `cell` of n numbers, n ≥ 1; the last cell may be shorter.
void poolCells(const float* numbers, std::ptrdiff_t n, std::ptrdiff_t cell, float* most, float* sum);

}  // namespace attn::map
