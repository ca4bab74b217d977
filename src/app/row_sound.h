// A row of weights for the ear: one tone after the other, from left to right. Knows no loudspeaker and no screen.
#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "app/explain.h"

namespace attn::app {

// A WAV file of two channels, 16 bits, 22,050 samples a second. Each source sounds for 1/16 to 1/4 of a second, all of them for
// at most 4 seconds: of more than 64 sources, as many neighbours as that takes share one sound. A weight w between 0 and 1
// is a tone of 220·8^w Hz, and one outside that of the nearer end; neighbours have the largest of theirs. Blocked sources,
// where no neighbour has a weight, are a soft click. What is not known yet, or no number, is silent. The first source is at
// the left, the last at the right, neither wholly out of the other ear.
std::string rowSound(std::span<const Bar> row);

// The same in words, of a row of so many sources.
std::string rowSoundText(std::size_t sources);

// The row that is heard: that of the chosen cell of the weights, known or not, else the one whose distribution is shown.
Index heardRow(const Session& session);
// Why there is nothing to hear of it.
std::string unheardText(const Session& session);

}  // namespace attn::app
