// Any bytes as an example document: refused in one sentence, or read, its edits carried out, computed, written, and
// read again as the same.
// Run it with scripts/fuzz document.
#include <cstdint>
#include <string>
#include <string_view>

#include "core/trace.h"
#include "fuzz/require.h"
#include "io/json.h"
#include "lesson/edits.h"
#include "lesson/example.h"
#include "lesson/trace_json.h"

namespace {

using namespace attn;
using fuzz::require;
using fuzz::requireSentence;

// Large inputs are slow and teach nothing that small ones do not.
constexpr core::Index kMaxCells = 4096;

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const core::Result<lesson::Example> example = lesson::parseExample(bytes, "fuzz");
  if (!example) {
    requireSentence(example.error());
    return 0;
  }
  const core::Result<lesson::Example> again = lesson::parseExample(example.value().document, "fuzz");
  require(again.ok());
  require(again.value().tokens == example.value().tokens);
  require(again.value().document == example.value().document);
  require(again.value().edits == example.value().edits);
  const core::Result<lesson::Example> edited = lesson::editExample(example.value(), example.value().edits);
  require(edited.ok());
  const std::string document = lesson::documentWith(example.value(), example.value().edits);
  require(lesson::parseExample(document, "fuzz").value().edits == example.value().edits);
  require(lesson::parseExample(lesson::documentWith(example.value(), {}), "fuzz").ok());
  const core::Problem<double>& problem = edited.value().problem;
  if (problem.T * problem.S * problem.heads() > kMaxCells) return 0;
  const core::Result<core::Trace<double>> trace = core::computeTrace(problem);
  if (!trace) {
    requireSentence(trace.error());
    return 0;
  }
  const core::Result<io::Json> json = io::parseJson(lesson::traceJson(edited.value(), trace.value()));
  require(json.ok());
  require(json.value().find("heads")->size() == trace.value().heads.size());
  return 0;
}
