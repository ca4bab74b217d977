// Example documents made from problems, and two large ones that stay readable on a screen only if it tries.
// Knows core only: the writing is independent of io's.
#pragma once
#include <string>
#include <vector>

#include "core/problem.h"

namespace attn::test {

// The document whose parsing gives `problem` again. Where none are given, tokens are "t0", "t1", … and sources "s0", ….
std::string documentOf(const core::Problem<double>& problem, std::vector<std::string> tokens = {},
                       std::vector<std::string> sources = {});

// 64 tokens of width 64, 8 heads with weights and output projection, causal.
std::string manyHeadsDocument();

// 512 tokens, one head of width 64 with q, k and v given.
std::string longDocument();

}  // namespace attn::test
