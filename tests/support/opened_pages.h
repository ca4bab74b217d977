// Pages about files that are opened from memory, for tests.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/array_writer.h"
#include "io/named_array.h"
#include "support/scenes.h"
#include "survey/survey.h"

namespace attn::test {

inline std::unique_ptr<io::ByteSource> sourceOf(std::string_view bytes) {
  core::Buffer buffer = core::Buffer::allocate(bytes.size()).take();
  std::copy(bytes.begin(), bytes.end(), buffer.as<char>().begin());
  return std::make_unique<io::BufferSource>(std::move(buffer));
}

inline io::NamedArray numbered(std::string name, std::vector<std::uint64_t> shape, std::vector<double> values) {
  return {std::move(name), std::move(shape), std::move(values)};
}

class OpenPages {
 public:
  void open(survey::Slot slot, const std::string& name, std::string_view bytes) {
    std::vector<opened::NamedSource> sources;
    sources.push_back({name, sourceOf(bytes)});
    const survey::Files::Outcome outcome = files.open(slot, std::move(sources));
    REQUIRE_MESSAGE(!outcome.label.empty(), (outcome.sentences.empty() ? "" : outcome.sentences[0]));
  }
  void open(survey::Slot slot, const std::string& name, const std::vector<io::NamedArray>& arrays) {
    open(slot, name, io::npzOf(arrays).take());
  }

  core::Result<lesson::Page> tryPage(const lesson::Settings& settings, const scene::Progress& progress = {}) {
    return scene::run(survey::sceneOf(files, bring), settings, progress);
  }
  lesson::Page page(const lesson::Settings& settings) {
    core::Result<lesson::Page> made = tryPage(settings);
    REQUIRE_MESSAGE(made.ok(), (made ? "" : made.error().message));
    return made.take();
  }

  survey::Files files;
  survey::Bring bring = [](const std::string&) { return core::Error{"It cannot be had."}; };
};

}  // namespace attn::test
