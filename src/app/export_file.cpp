// Which format is written by whom.
#include "app/export_file.h"

#include <algorithm>

#include "app/array_picture.h"
#include "core/language.h"
#include "io/array_writer.h"
#include "lesson/python_code.h"
#include "lesson/trace_arrays.h"
#include "lesson/trace_json.h"

namespace attn::app {
namespace {

using Text = core::Result<std::string>;

constexpr ExportFormat kFormats[] = {{"csv", "csv", "CSV"},
                                     {"tsv", "tsv", "TSV"},
                                     {"json", "json", "JSON", true, true},
                                     {"npy", "npy", ".npy", true, false, false},
                                     {"npz", "npz", ".npz", true, true, false},
                                     {"safetensors", "safetensors", ".safetensors", true, true, false},
                                     {"tex", "tex", "LaTeX"},
                                     {"md", "md", "Markdown"},
                                     {"py", "py", "Python", false, true},
                                     {"numpy", "py", "NumPy", false, true},
                                     {"torch", "py", "PyTorch", false, true},
                                     {"svg", "svg", "SVG"}};

Text oneArray(const lesson::Example& example, const core::Trace<double>& trace, const ExportChoice& choice, const State& look) {
  const core::Result<io::NamedArray> array = lesson::traceArray(example, trace, choice.what, choice.head);
  if (!array) return array.error();
  const lesson::Labels labels = lesson::labelsOf(example, array.value());
  const io::TableLabels table{labels.rows, labels.columns};
  const std::string& format = choice.format;
  if (format == "csv") return io::separatedOf(array.value(), table, ',');
  if (format == "tsv") return io::separatedOf(array.value(), table, '\t');
  if (format == "md") return io::markdownOf(array.value(), table);
  if (format == "tex") return io::latexOf(array.value(), table);
  if (format == "npy") return io::npyOf(array.value());
  if (format == "npz") return io::npzOf({&array.value(), 1});
  if (format == "safetensors") return io::safetensorsOf({&array.value(), 1});
  if (format == "svg") return arraySvg(example, trace, array.value(), choice.head.value_or(0), look, choice.dark);
  return io::jsonOf(array.value()) + "\n";
}

Text whole(const lesson::Example& example, const core::Trace<double>& trace, const std::string& format) {
  using lesson::Dialect;
  if (format == "py") return lesson::pythonCode(example, trace, Dialect::kPlain);
  if (format == "numpy") return lesson::pythonCode(example, trace, Dialect::kNumpy);
  if (format == "torch") return lesson::pythonCode(example, trace, Dialect::kTorch);
  if (format == "json") return lesson::traceJson(example, trace) + "\n";
  const std::vector<io::NamedArray> arrays = lesson::traceArrays(example, trace);
  return format == "npz" ? io::npzOf(arrays) : Text(io::safetensorsOf(arrays));
}

}  // namespace

std::span<const ExportFormat> exportFormats() { return kFormats; }

const ExportFormat* findFormat(std::string_view id) {
  const auto found = std::find_if(std::begin(kFormats), std::end(kFormats), [id](const ExportFormat& each) { return each.id == id; });
  return found == std::end(kFormats) ? nullptr : &*found;
}

Text exported(const lesson::Example& example, const core::Trace<double>& trace, const ExportChoice& choice, const State& look) {
  const ExportFormat* format = findFormat(choice.format);
  if (!format) return core::Error{tr("There is no format \"{0}\".", {choice.format})};
  if (!choice.what.empty() && !format->of_array) {
    return core::Error{tr("Code reproduces the whole computation; leave --what out.")};
  }
  if (choice.what.empty() && !format->of_whole) {
    return core::Error{tr("The format {0} holds one array; name it with --what, for example --what weights.",
                          {choice.format})};
  }
  return choice.what.empty() ? whole(example, trace, choice.format) : oneArray(example, trace, choice, look);
}

}  // namespace attn::app
