// Pasted numbers beside the right ones: which cells agree, and which mistake would explain the rest. Knows no page.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lesson/example.h"
#include "lesson/page.h"
#include "scene/scene.h"

namespace attn::scene {

struct PastedQuestion {
  const lesson::Example& example;
  const core::Trace<double>& trace;
  core::Array of = core::Array::kWeights;
  core::Index head = 0;
  double tolerance = 1e-6;  // relative and absolute
};

struct PastedChecked {
  lesson::Verdict::Judgement judgement = lesson::Verdict::Judgement::kNone;
  std::string words;  // the judgement in a sentence or two
  std::string given;  // "16 numbers, 4×4: 0.25, 0.75, … and 14 more", "" for none
  std::string right;  // "the weights, 4×4"
  std::vector<lesson::Block> blocks;  // the differences, cell by cell, and the mistakes that fit

  bool readable = false;  // as many numbers as wanted: what follows means something
  core::Index cells = 0, off = 0;     // off: beyond the tolerance and beyond what the printed digits allow
  core::Index beyond_tolerance = 0;   // off at the tolerance alone
  double largest = 0;                 // difference
  std::vector<std::string> mistakes;  // ids of those that explain every cell
};

// Numbers that cannot be read, or have another shape, are judged as wrong, and the words say why. Fails only when
// Progress says to stop.
core::Result<PastedChecked> checkPasted(const PastedQuestion& question, std::string_view text, const Progress& progress);

}  // namespace attn::scene
