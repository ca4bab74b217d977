// The parts of the scene "what-a-map-shows", one function for each of its cases. All work on the walkthrough's three
// positions, which are called "1", "2" and "3" as there.
#pragma once
#include "core/trace.h"
#include "scene/figures.h"
#include "scene/scene.h"

namespace attn::scene::map {

// X = [1 0; 0 1; 1 1], W_Q = I, W_K = √2·ln 2·I, W_V = diag(2, 4), causal: weights 1 · 1/3 2/3 · 1/4 1/4 1/2.
core::Problem<double> lessonHead();
// The same with these values (3×2) instead of W_V.
core::Problem<double> lessonHeadWith(const Matrix<double>& values);

const std::vector<std::string>& positionNames();
lesson::Grid mapLook(const std::string& title, const core::Mask& mask);
lesson::Grid listLook(const std::string& title, std::vector<std::string> rows, std::vector<std::string> columns);

void norms(const Inputs& in, Outputs& out);
void sameMap(const Inputs& in, Outputs& out);
void sameOutput(const Inputs& in, Outputs& out);
void cancelling(const Inputs& in, Outputs& out);
void lost(const Inputs& in, Outputs& out);

void firstRow(Outputs& out);
void transposed(const Inputs& in, Outputs& out);
void averaged(const Inputs& in, Outputs& out);
void claims(const Inputs& in, Outputs& out);

}  // namespace attn::scene::map
