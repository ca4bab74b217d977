// One head switched off while the scores of all heads are measured: what the head that finds repetitions still finds, and
// what the loss becomes, beside another head as a control. Knows no controls.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "core/statistics.h"
#include "scene/shown.h"
#include "study/change.h"
#include "study/inputs.h"

namespace attn::study {

class SwitchedOff {
 public:
  // The control is drawn by controlHead().
  SwitchedOff(const Running& running, HeadPlace off, std::uint64_t seed);

  // Measures one of the texts as it is, with the head off and with the control off; gives the run with the head off.
  core::Result<core::DecoderRun> add(const Texts& texts, const std::vector<Index>& tokens, const core::DecoderRun& plain);
  // After all texts.
  void show(const Texts& texts, scene::Outputs& out, scene::Shown& shown) const;

 private:
  enum Case { kAsItIs, kOff, kControl, kCases };
  struct Measured {
    core::Running loss;
    std::vector<core::Running> found;  // of every head: what followed the same token before
  };

  void add(Case which, const Texts& texts, const std::vector<Index>& tokens, const core::DecoderRun& run);
  HeadPlace inductionHead() const;
  double found(Case which, HeadPlace head) const;
  lesson::Table table(const Texts& texts) const;

  const Running& running_;
  HeadPlace off_, control_;
  std::array<Measured, kCases> measured_;
};

}  // namespace attn::study
