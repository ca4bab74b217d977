// Weights as pitches, sources as places between the ears, and both as samples. See row_sound.h.
#include "app/row_sound.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>

#include "app/words.h"
#include "core/rng.h"
#include "io/little_endian.h"

namespace attn::app {
namespace {

constexpr std::uint32_t kRate = 22050;  // samples a second
constexpr std::uint16_t kChannels = 2, kBytes = 2;  // of one sample
constexpr std::size_t kMostSounds = 64;
constexpr double kLongest = 0.25, kAllOfThem = 4;  // seconds
constexpr int kLowest = 220, kHighest = 1760;      // Hz
constexpr double kLoudness = 0.5;                  // of at most 1
constexpr double kRise = 0.005, kFall = 0.02, kFade = 0.004;  // seconds
constexpr double kAside = 0.15;  // of the way from ear to ear, that the outer sounds stay inside

// How many neighbours share a sound.
std::size_t neighbours(std::size_t sources) { return (sources + kMostSounds - 1) / kMostSounds; }

// Silence, where it is neither.
struct Sound {
  std::optional<double> weight;
  bool clicks = false;  // where it has no weight
};

Sound soundOf(std::span<const Bar> sources) {
  Sound sound;
  for (const Bar& each : sources) {
    if (!each.known || std::isnan(each.weight)) continue;
    if (each.blocked) sound.clicks = true;
    else sound.weight = std::max(sound.weight.value_or(0), std::min(each.weight, 1.0));
  }
  return sound;
}

// Both of `length` samples between −1 and 1.
std::vector<double> toneOf(double weight, std::size_t length) {
  const double hertz = kLowest * std::pow(double{kHighest} / kLowest, weight);
  std::vector<double> samples(length);
  for (std::size_t n = 0; n < length; ++n) {
    const double begun = static_cast<double>(n) / kRate, left = static_cast<double>(length - n) / kRate;
    samples[n] = std::min({begun / kRise, left / kFall, 1.0}) * std::sin(2 * std::numbers::pi * hertz * begun);
  }
  return samples;
}

std::vector<double> clickOf(std::size_t length) {
  core::Rng noise(1);
  std::vector<double> samples(length);
  for (std::size_t n = 0; n < length; ++n)
    samples[n] = noise.uniform(-1, 1) * std::exp(-static_cast<double>(n) / (kRate * kFade));
  return samples;
}

// `place` is 0 at the left, 1 at the right; as loud anywhere between.
void append(std::string& wav, const std::vector<double>& samples, double place) {
  const double angle = (kAside + (1 - 2 * kAside) * place) * std::numbers::pi / 2;
  const double left = std::cos(angle) * kLoudness * INT16_MAX, right = std::sin(angle) * kLoudness * INT16_MAX;
  for (const double each : samples) {
    io::appendLittleEndian(wav, static_cast<std::int16_t>(std::lround(each * left)));
    io::appendLittleEndian(wav, static_cast<std::int16_t>(std::lround(each * right)));
  }
}

// What stands before so many frames of samples.
std::string header(std::size_t frames) {
  const auto size = static_cast<std::uint32_t>(frames * kChannels * kBytes);
  std::string wav = "RIFF";
  io::appendLittleEndian(wav, std::uint32_t{36 + size});
  wav += "WAVEfmt ";
  io::appendLittleEndian(wav, std::uint32_t{16});
  io::appendLittleEndian(wav, std::uint16_t{1});  // samples as they are
  io::appendLittleEndian(wav, kChannels);
  io::appendLittleEndian(wav, kRate);
  io::appendLittleEndian(wav, std::uint32_t{kRate * kChannels * kBytes});
  io::appendLittleEndian(wav, std::uint16_t{kChannels * kBytes});
  io::appendLittleEndian(wav, std::uint16_t{8 * kBytes});
  wav += "data";
  io::appendLittleEndian(wav, size);
  return wav;
}

}  // namespace

std::string rowSound(std::span<const Bar> row) {
  if (row.empty()) return header(0);
  const std::size_t step = neighbours(row.size()), count = (row.size() + step - 1) / step;
  const auto length = static_cast<std::size_t>(kRate * std::min(kLongest, kAllOfThem / static_cast<double>(count)));
  const std::vector<double> silence(length);
  std::string wav = header(count * length);
  for (std::size_t n = 0; n < count; ++n) {
    const Sound sound = soundOf(row.subspan(n * step, std::min(step, row.size() - n * step)));
    const double place = count == 1 ? 0.5 : static_cast<double>(n) / static_cast<double>(count - 1);
    append(wav, sound.weight ? toneOf(*sound.weight, length) : sound.clicks ? clickOf(length) : silence, place);
  }
  return wav;
}

std::string rowSoundText(std::size_t sources) {
  const std::string words = tr("One tone for each source, from left to right: {0} Hz for the weight 0, an octave higher for each "
                               "third, {1} Hz for 1. A blocked source clicks.", {kLowest, kHighest});
  const std::size_t step = neighbours(sources);
  return step <= 1 ? words : words + " " + tr("Here {0} neighbours share a tone, that of their largest weight.", {step});
}

Index heardRow(const Session& session) {
  const auto& cursor = session.state().cursor;
  return cursor && cursor->array == core::Array::kWeights ? cursor->row : distributionRow(session);
}

std::string unheardText(const Session& session) {
  return tr("The weights of {0} are not known yet; go on to them first.", {destinationText(session, heardRow(session))});
}

}  // namespace attn::app
