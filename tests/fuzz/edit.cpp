// Any bytes as an edit list, on built-in examples and small documents: refused in one sentence, or carried out,
// computed, printed, and read again as the same.
// Run it with scripts/fuzz edit.
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "core/edit.h"
#include "core/edited.h"
#include "core/trace.h"
#include "fuzz/require.h"
#include "io/json.h"
#include "lesson/edits.h"
#include "lesson/trace_json.h"

namespace {

using namespace attn;
using fuzz::require;
using fuzz::requireSentence;
using lesson::Example;

constexpr std::string_view kDocuments[] = {
    R"({"attnscope":1,"tokens":["a"],"q":[[1]],"k":[[2]],"v":[[3]]})",
    R"({"attnscope":1,"tokens":["a","b"],"sources":["c","d","e"],"x":[[1,2],[3,4]],"x_sources":[[1],[2],[3]],
        "wq":[[1],[2]],"wk":[[1]],"wv":[[1,2]],"mask":{"causal":true,"align":"bottom-right",
        "padding":[true,true,false]},"softcap":3,"sink":1,"bias":[[1,2,3],[4,5,6]]})",
    R"({"attnscope":1,"tokens":["a","b","a"],"wq":[[[1],[2]],[[3],[4]]],"wk":[[1],[2]],"wv":[[5,6],[7,8]],
        "wo":[[1,0],[0,1],[1,1],[2,0]],"alibi":[0.5,0.25],"mask":{"window":2,
        "allowed":[[true,true,true],[true,true,false],[true,false,true]]},"residual":{"state":[[1,2],[3,5],[0,1]],"norm":{"gain":[1,2]}}})",
};

// 0 and 1 are the built-in examples.
Example exampleOf(unsigned choice) {
  const auto built_ins = lesson::builtIns();
  if (choice < built_ins.size()) return lesson::builtInExample(built_ins[choice].id).take();
  return lesson::parseExample(kDocuments[(choice - built_ins.size()) % std::size(kDocuments)], "fuzz").take();
}

// Whether every edit can be read; each that can is printed and read back.
bool readAll(const std::vector<std::string>& edits) {
  bool all = true;
  for (const std::string& text : edits) {
    const core::Result<core::Edit> edit = core::parseEdit(text);
    if (!edit) {
      requireSentence(edit.error());
      all = false;
      continue;
    }
    const core::Result<core::Edit> again = core::parseEdit(core::editText(edit.value()));
    require(again.ok());
    require(again.value() == edit.value());
  }
  return all;
}

// The document with the edits is the same example with the same edits.
void readAgain(const Example& example, const Example& edited, const std::string& trace_json) {
  const core::Result<Example> document = lesson::parseExample(lesson::documentWith(example, edited.edits), "fuzz");
  require(document.ok());
  require(document.value().edits == edited.edits);
  require(document.value().tokens == example.tokens);
  const core::Result<Example> again = lesson::editExample(document.value(), document.value().edits);
  require(again.ok());
  require(again.value().tokens == edited.tokens);
  require(lesson::traceJson(again.value(), core::computeTrace(again.value().problem).value()) == trace_json);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const Example example = exampleOf(data[0]);
  const std::vector<std::string> edits = lesson::splitEdits({reinterpret_cast<const char*>(data) + 1, size - 1});
  require(lesson::splitEdits(lesson::joinEdits(edits)) == edits);
  const bool readable = readAll(edits);
  const core::Result<Example> edited = lesson::editExample(example, edits);
  if (!edited) requireSentence(edited.error());
  if (!edited) return 0;
  require(readable);
  const core::Result<core::Trace<double>> trace = core::computeTrace(edited.value().problem);
  if (!trace) {
    requireSentence(trace.error());
    return 0;
  }
  const std::string text = lesson::traceJson(edited.value(), trace.value());
  require(io::parseJson(text).ok());
  for (const std::string& one : edits) core::entryStage(core::parseEdit(one).value(), edited.value().problem);
  readAgain(example, edited.value(), text);
  return 0;
}
