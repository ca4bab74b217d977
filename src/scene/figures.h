// Figures and words that several scenes have: sentences as tokens with seeded vectors, maps with their blocked cells,
// the size of a change. Knows no scene.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "core/mask.h"
#include "core/trace.h"
#include "lesson/page.h"

namespace attn::scene {

using Tokens = std::vector<std::string>;

// Parts between blanks.
Tokens tokensOf(const std::string& sentence);

// d normal numbers that depend on the word and the seed only: the same word has the same vector wherever it stands.
core::RowVector<double> vectorOf(const std::string& word, std::uint64_t seed, core::Index d);
core::Matrix<double> vectorsOf(const Tokens& tokens, std::uint64_t seed, core::Index d);

// One reason for each cell, row by row, "" where it may be read.
std::vector<std::string> blockedCells(const core::Mask& mask);

// A map from 0 to 1, rows read columns; `mask` may be null.
lesson::Grid mapLook(std::string title, Tokens destinations, Tokens sources, const core::Mask* mask = nullptr);

// Numbers with signs, each row named.
lesson::Grid signedLook(std::string title, Tokens rows, Tokens columns = {});

// A row of weights as tokens: the ground of each is its weight, which also stands below it. `marked` is the reader.
lesson::Strip weightStrip(std::string title, const Tokens& tokens, const core::RowVector<double>& weights,
                          core::Index marked);

// Rows or columns of a small map of so many: blocks of one length, at most 24 of them.
core::Index mapSide(std::uint64_t length);
// A small map as lesson::Maps has it, row by row; numbers outside 0 … 1 as the nearest of these.
std::string shadesOf(const core::Matrix<double>& map);

// A bar for each name; `values` are as many.
lesson::Plot namedBars(std::string title, std::string x_label, std::string y_label, Tokens names, std::vector<double> values);

// "0", "1", …: names of columns. `each` is a text for tr(), such as "token {0}".
Tokens numbered(core::Index count, std::string_view each = "{0}");

std::vector<double> listOf(const core::RowVector<double>& row);

// "(1, 4, 10, 16)": a shape as PyTorch prints it.
std::string tuple(std::initializer_list<core::Index> numbers);

// The largest difference; both have one shape.
double largestChange(const core::Matrix<double>& a, const core::Matrix<double>& b);

// Of each row.
core::RowVector<double> rowChanges(const core::Matrix<double>& a, const core::Matrix<double>& b);

// How many entries are not bit for bit the same.
core::Index changedEntries(const core::Matrix<double>& a, const core::Matrix<double>& b);

// A computation of which the scene knows that it fits.
core::Trace<double> traceOf(const core::Problem<double>& problem);

}  // namespace attn::scene
