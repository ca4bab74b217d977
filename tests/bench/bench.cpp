// attnscope-bench: how long computing and drawing take. A frame counts from the action to ImGui's finished draw lists;
// painting is left out, because it depends on the machine's graphics. Knows no window.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "bench/map.h"
#include "bench/streaming.h"
#include "core/decoder.h"
#include "core/trace.h"
#include "disk/file_source.h"
#include "io/array_file.h"
#include "lesson/example.h"
#include "model/decoder_file.h"
#include "platform/application.h"
#include "support/generated_documents.h"

namespace {

using namespace attn;
using Clock = std::chrono::steady_clock;

constexpr int kTraceRuns = 9;
constexpr int kSteps = 200;
constexpr int kEdits = 100;
constexpr int kModelRuns = 100;
constexpr platform::FrameInfo kScreen{1280, 800, 1280, 800, 1.0 / 60};

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

// The value below which the given part of the times lies.
double quantile(std::vector<double> times, double part) {
  std::sort(times.begin(), times.end());
  return times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))];
}

void print(const std::string& what, const std::vector<double>& times) {
  std::printf("%-44s %9.3f %9.3f %9.3f %6zu\n", what.c_str(), quantile(times, 0.5), quantile(times, 0.95),
              quantile(times, 1), times.size());
}

struct Case {
  const char* name;
  std::string document;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const lesson::BuiltIn& each : lesson::builtIns()) all.push_back({each.id.data(), std::string(each.json)});
  all.push_back({"T=64 D=64 8 heads", test::manyHeadsDocument()});
  all.push_back({"T=512 d=64", test::longDocument()});
  return all;
}

bool benchComputing(const Case& the) {
  std::vector<double> reading, computing;
  for (int run = 0; run < kTraceRuns; ++run) {
    auto start = Clock::now();
    const auto example = lesson::parseExample(the.document, "bench");
    reading.push_back(millisecondsSince(start));
    if (!example) return std::fprintf(stderr, "attnscope-bench: %s\n", example.error().message.c_str()), false;
    start = Clock::now();
    const auto trace = core::computeTrace(example.value().problem);
    computing.push_back(millisecondsSince(start));
    if (!trace) return std::fprintf(stderr, "attnscope-bench: %s\n", trace.error().message.c_str()), false;
  }
  print(std::string("read   ") + the.name, reading);
  print(std::string("trace  ") + the.name, computing);
  return true;
}

bool benchSteps(const Case& the) {
  constexpr std::pair<app::Grain, const char*> kGrains[] = {
      {app::Grain::kStage, "stage"}, {app::Grain::kRow, "row"}, {app::Grain::kCell, "cell"}, {app::Grain::kTerm, "term"}};
  platform::Application application;
  application.view.environment.reduced_motion = true;
  if (const auto failed = application.open(the.document, "bench.json")) {
    return std::fprintf(stderr, "attnscope-bench: %s\n", failed->message.c_str()), false;
  }
  for (int warm_up = 0; warm_up < 10; ++warm_up) application.frame(kScreen);
  for (const auto& [grain, name] : kGrains) {
    application.session.dispatch(app::action::SetGrain{grain});
    application.session.dispatch(app::action::First{});
    std::vector<double> times;
    while (times.size() < kSteps && application.session.position() < application.session.timeline().size()) {
      const auto start = Clock::now();
      application.session.dispatch(app::action::StepBy{1});
      application.poke();
      application.frame(kScreen);
      times.push_back(millisecondsSince(start));
    }
    print(std::string("step   ") + the.name + ", " + name, times);
  }
  return true;
}

// From an edit to the picture of what follows: the whole result is on the screen, beside what it was. Of an input, from
// which everything is computed anew, and of a value, from which only the mixtures are.
bool benchEdits() {
  for (const char* target : {"x[3][5]=", "h2.v[3][1]="}) {
    platform::Application application;
    application.view.environment.reduced_motion = true;
    if (const auto failed = application.open(test::manyHeadsDocument(), "bench.json")) {
      return std::fprintf(stderr, "attnscope-bench: %s\n", failed->message.c_str()), false;
    }
    application.session.dispatch(app::action::Last{});
    application.view.lab_open = true;
    for (int warm_up = 0; warm_up < 10; ++warm_up) application.frame(kScreen);
    std::vector<double> times;
    for (int n = 0; n < kEdits; ++n) {
      const auto start = Clock::now();
      application.session.dispatch(app::action::AddEdit{target + std::to_string(n) + "/7"});
      application.poke();
      application.frame(kScreen);
      times.push_back(millisecondsSince(start));
    }
    print(std::string("edit   T=64 D=64 8 heads, ") + target, times);
  }
  return true;
}

// The trained model on as long a text as it reads; all that it computes on the way is kept.
bool benchModel() {
  const auto failed = [](const core::Error& error) {
    return std::fprintf(stderr, "attnscope-bench: %s\n", error.message.c_str()), false;
  };
  const auto source = disk::openFile(ATTN_WEB_DATA "/model.safetensors");
  if (!source) return failed(source.error());
  const auto file = io::openArrays(*source.value(), "model.safetensors");
  if (!file) return failed(file.error());
  const auto read = model::readDecoder(*source.value(), file.value());
  if (!read) return failed(read.error());
  const core::Decoder& decoder = read.value().decoder;
  std::vector<core::Index> tokens;
  for (core::Index t = 0; t < decoder.context(); ++t) tokens.push_back(7 * t % decoder.vocabulary());
  std::vector<double> times;
  for (int run = 0; run < kModelRuns; ++run) {
    const auto start = Clock::now();
    if (const auto result = core::runDecoder(decoder, tokens); !result) return failed(result.error());
    times.push_back(millisecondsSince(start));
  }
  print("model  64 characters", times);
  return true;
}

constexpr char kUsage[] =
    "attnscope-bench [compute|step|edit|model|streaming|map|seconds KERNEL T WIDTH]\n\n"
    "Prints milliseconds on this machine, for the built-in examples and two large documents: reading a document,\n"
    "computing everything that is shown for it, one step with the frame that shows it (1280×800, not painted), and an edit\n"
    "with the frame that shows what follows; and the trained model on 64 characters, with everything kept. Only when it is\n"
    "asked for, and for minutes: streaming, attention over long sequences, and map, pictures of it, as ratios with what they\n"
    "must and should be. seconds prints those that one kernel takes.\n";

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  if (what == "--help") return std::fputs(kUsage, stdout) < 0;
  if (argc == 2 && what == "streaming") return bench::benchStreaming(), 0;
  if (argc == 5 && what == "seconds") return bench::printSeconds(argv[2], std::atol(argv[3]), std::atol(argv[4])) ? 0 : 1;
  if (argc == 2 && what == "map") return bench::benchMap() ? 0 : 1;
  if (argc > 2 || (!what.empty() && what != "compute" && what != "step" && what != "edit" && what != "model")) {
    std::fprintf(stderr, "attnscope-bench: there is no benchmark \"%s\"; see --help.\n", argv[argc - 1]);
    return 2;
  }
  std::printf("%-44s %9s %9s %9s %6s\n", "milliseconds", "median", "p95", "most", "runs");
  for (const Case& each : cases()) {
    if ((what.empty() || what == "compute") && !benchComputing(each)) return 1;
    if ((what.empty() || what == "step") && !benchSteps(each)) return 1;
  }
  if ((what.empty() || what == "edit") && !benchEdits()) return 1;
  if ((what.empty() || what == "model") && !benchModel()) return 1;
}
