// What a model expects next, as figures. Knows no part of the page.
#pragma once
#include <string>
#include <vector>

#include "core/tensor.h"
#include "lesson/page.h"
#include "study/running.h"

namespace attn::study {

// Bars and a table of the ten likeliest tokens after position `row`.
lesson::Plot barsOfNext(const Running& running, const core::Matrix<float>& logits, Index row);
lesson::Table tableOfNext(const Running& running, const core::Matrix<float>& logits, Index row, std::string title);

// The token that is asked about: of the control `about`, or where that is empty the likeliest after the chosen position.
core::Result<Index> tokenAskedAbout(const Running& running, const scene::Inputs& in);

// "0.213", "<0.001".
std::string shareText(double probability);

}  // namespace attn::study
