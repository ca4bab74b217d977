// A computation, or one array of it, as a file of the format that somebody needs. Knows neither files nor screens.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/state.h"
#include "core/result.h"
#include "core/trace.h"
#include "lesson/example.h"

namespace attn::app {

struct ExportFormat {
  std::string_view id;         // "numpy"
  std::string_view extension;  // of its files: "py"
  std::string_view name;       // for a person: "NumPy"
  bool of_array = true, of_whole = false;  // of one array; of everything that is computed
  bool text = true;            // else bytes that are no text
};
std::span<const ExportFormat> exportFormats();
const ExportFormat* findFormat(std::string_view id);

struct ExportChoice {
  std::string format;
  std::string what;           // the name of an array, "" for everything
  std::optional<Index> head;  // of the array; nothing: all of them
  bool dark = false;          // of a picture
};
// The bytes of the file; `look` says how numbers and tokens of a picture look. Refuses an array that the Trace has not and
// what the format cannot hold.
core::Result<std::string> exported(const lesson::Example& example, const core::Trace<double>& trace, const ExportChoice& choice,
                                   const State& look);

}  // namespace attn::app
