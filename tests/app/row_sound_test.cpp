// A row of weights as a sound: what each source sounds like, where and how long, read back from the file's own bytes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "app/row_sound.h"
#include "io/little_endian.h"

namespace {

using namespace attn;
using app::Bar;

struct Sounds {
  std::vector<std::vector<double>> left, right;  // by sound: samples between −1 and 1
  double seconds = 0;                            // of each
};

// What a player makes of the bytes, cut into `count` sounds of one length.
Sounds played(const std::string& wav, std::size_t count) {
  const auto bytes = std::as_bytes(std::span(wav.data(), wav.size()));
  REQUIRE(wav.size() >= 44);
  CHECK(wav.substr(0, 4) == "RIFF");
  CHECK(wav.substr(8, 8) == "WAVEfmt ");
  CHECK(wav.substr(36, 4) == "data");
  CHECK(io::littleEndian<std::uint32_t>(bytes, 4) == wav.size() - 8);
  CHECK(io::littleEndian<std::uint32_t>(bytes, 40) == wav.size() - 44);
  CHECK(io::littleEndian<std::uint16_t>(bytes, 20) == 1);
  REQUIRE(io::littleEndian<std::uint16_t>(bytes, 22) == 2);
  REQUIRE(io::littleEndian<std::uint16_t>(bytes, 34) == 16);
  const double rate = io::littleEndian<std::uint32_t>(bytes, 24);
  CHECK(io::littleEndian<std::uint32_t>(bytes, 28) == 4 * rate);
  const std::size_t length = (wav.size() - 44) / 4 / count;
  REQUIRE(wav.size() == 44 + 4 * length * count);
  Sounds sounds{{}, {}, static_cast<double>(length) / rate};
  const auto sample = [&](std::size_t n) {
    return static_cast<std::int16_t>(io::littleEndian<std::uint16_t>(bytes, 44 + 2 * n)) / 32768.0;
  };
  for (std::size_t n = 0; n < count; ++n) {
    sounds.left.emplace_back();
    sounds.right.emplace_back();
    for (std::size_t at = n * length; at < (n + 1) * length; ++at) {
      sounds.left.back().push_back(sample(2 * at));
      sounds.right.back().push_back(sample(2 * at + 1));
    }
  }
  return sounds;
}

// By how often it goes through 0.
double hertz(const std::vector<double>& samples, double seconds) {
  int crossings = 0;
  for (std::size_t n = 1; n < samples.size(); ++n) crossings += (samples[n - 1] < 0) != (samples[n] < 0);
  return crossings / (2 * seconds);
}

double loudest(const std::vector<double>& samples, std::size_t from = 0) {
  double largest = 0;
  for (std::size_t n = from; n < samples.size(); ++n) largest = std::max(largest, std::abs(samples[n]));
  return largest;
}

double energy(const std::vector<double>& samples) {
  double sum = 0;
  for (const double each : samples) sum += each * each;
  return sum;
}

Bar bar(double weight) { return {"", weight, false, true, ""}; }
const Bar kBlocked{"", 0, true, true, ""}, kUnknown{"", 0.5, false, false, ""};

std::vector<Bar> row(const std::vector<double>& weights) {
  std::vector<Bar> all;
  for (const double each : weights) all.push_back(bar(each));
  return all;
}

}  // namespace

TEST_CASE("the weight is the pitch: 220 Hz for 0, an octave higher for each third, and the nearer end outside of 0 to 1") {
  const std::vector<double> weights = {0, 1.0 / 3, 0.5, 2.0 / 3, 1, -0.25, 1.5};
  const std::vector<double> wanted = {220, 440, 220 * std::sqrt(8), 880, 1760, 220, 1760};
  const Sounds sounds = played(app::rowSound(row(weights)), weights.size());
  CHECK(sounds.seconds == doctest::Approx(0.25).epsilon(0.001));
  for (std::size_t n = 0; n < weights.size(); ++n) {
    CAPTURE(weights[n]);
    CHECK(std::abs(hertz(sounds.left[n], sounds.seconds) - wanted[n]) < 5);  // two crossings more or less
    CHECK(loudest(sounds.left[n]) + loudest(sounds.right[n]) > 0.4);
    CHECK(loudest(sounds.left[n]) <= 0.5);
    CHECK(std::abs(sounds.left[n].front()) < 0.001);  // no crack between two tones
    CHECK(std::abs(sounds.left[n].back()) < 0.01);
  }
}

TEST_CASE("sources stand from left to right, equally loud and never in one ear alone; a single one stands in the middle") {
  const Sounds sounds = played(app::rowSound(row({0.5, 0.5, 0.5})), 3);
  for (std::size_t n = 0; n < 3; ++n) {
    CHECK(energy(sounds.left[n]) + energy(sounds.right[n]) ==
          doctest::Approx(energy(sounds.left[0]) + energy(sounds.right[0])).epsilon(0.001));
    CHECK(std::min(loudest(sounds.left[n]), loudest(sounds.right[n])) > 0.1);
  }
  CHECK(loudest(sounds.left[0]) > 3 * loudest(sounds.right[0]));
  CHECK(loudest(sounds.left[1]) == doctest::Approx(loudest(sounds.right[1])).epsilon(0.001));
  CHECK(loudest(sounds.right[2]) > 3 * loudest(sounds.left[2]));
  const Sounds one = played(app::rowSound(row({1})), 1);
  CHECK(one.seconds == doctest::Approx(0.25).epsilon(0.001));
  CHECK(one.left == one.right);
}

TEST_CASE("a blocked source is a short click, and what is not known or no number is silent") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const Sounds sounds = played(app::rowSound(std::vector<Bar>{bar(0), kBlocked, kUnknown, bar(nan)}), 4);
  const auto& click = sounds.left[1];
  CHECK(loudest(click) > 0.1);
  CHECK(loudest(click, click.size() / 4) < 0.002);  // it is over when a tone has only begun
  CHECK(energy(click) < energy(sounds.left[0]) / 10);
  for (const std::size_t n : {std::size_t{2}, std::size_t{3}}) CHECK(loudest(sounds.left[n]) + loudest(sounds.right[n]) == 0);
}

TEST_CASE("a row that reads nothing clicks, one of zeros hums at the lowest pitch, one without sources is an empty file") {
  const Sounds clicks = played(app::rowSound(std::vector<Bar>(5, kBlocked)), 5);
  for (const auto& each : clicks.left) CHECK(energy(each) > 0);
  const Sounds zeros = played(app::rowSound(row(std::vector<double>(5, 0.0))), 5);
  for (const auto& each : zeros.right) CHECK(std::abs(hertz(each, zeros.seconds) - 220) < 5);
  CHECK(app::rowSound({}).size() == 44);
}

TEST_CASE("up to 64 sources sound one by one, for at most four seconds together") {
  for (const std::size_t count : {2, 16, 17, 63, 64}) {
    CAPTURE(count);
    const Sounds sounds = played(app::rowSound(row(std::vector<double>(count, 1.0 / 3))), count);
    CHECK(sounds.seconds >= 0.0624);
    CHECK(sounds.seconds * static_cast<double>(count) <= 4);
    CHECK(std::abs(hertz(sounds.left.back(), sounds.seconds) - 440) < 17);  // two crossings of a sixteenth of a second
  }
}

TEST_CASE("of 5,000 sources 79 neighbours share a sound, that of their largest weight, and a click where all are blocked") {
  std::vector<Bar> bars(5000, kBlocked);
  std::fill(bars.begin() + 79 * 3, bars.begin() + 79 * 60, bar(0));
  bars[79 * 50 + 31] = bar(1);
  bars[79 * 2] = bar(2.0 / 3);  // among blocked ones
  const Sounds sounds = played(app::rowSound(bars), 64);
  CHECK(sounds.seconds * 64 <= 4);
  CHECK(sounds.seconds * 64 > 3.9);
  const auto pitch = [&](std::size_t n) { return hertz(sounds.left[n], sounds.seconds); };
  CHECK(std::abs(pitch(50) - 1760) < 17);
  CHECK(std::abs(pitch(49) - 220) < 17);
  CHECK(std::abs(pitch(2) - 880) < 17);
  CHECK(energy(sounds.left[1]) > 0);
  CHECK(energy(sounds.left[1]) < energy(sounds.left[49]) / 5);
  CHECK(app::rowSoundText(5000).find("Here 79 neighbours share a tone") != std::string::npos);
  CHECK(app::rowSoundText(64).find("neighbours") == std::string::npos);
}

TEST_CASE("what is heard is the row whose distribution is shown, or that of a chosen weight, once its weights are known") {
  app::Session session;
  CHECK(app::heardRow(session) == 2);
  CHECK(app::distributionOf(session, 2).empty());
  CHECK(app::unheardText(session) == "The weights of position 3 are not known yet; go on to them first.");
  session.dispatch(app::action::SetOrder{app::Order::kStage});
  session.dispatch(app::action::Last{});
  const std::vector<Bar> last = app::distributionOf(session, 2);
  REQUIRE(last.size() == 3);
  CHECK(last[2].weight == session.trace().heads[0].softmax.weights(2, 2));
  session.dispatch(app::action::ChooseCell{{core::Array::kWeights, 0, 0}});
  CHECK(app::heardRow(session) == 0);
  const Sounds first = played(app::rowSound(app::distributionOf(session, 0)), 3);  // causal: it reads itself alone
  CHECK(std::abs(hertz(first.left[0], first.seconds) - 1760) < 5);
  CHECK(energy(first.left[1]) < energy(first.left[0]) / 10);
  session.dispatch(app::action::ChooseCell{{core::Array::kScores, 0, 0}});
  CHECK(app::heardRow(session) == 2);
}
