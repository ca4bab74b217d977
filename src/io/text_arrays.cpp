// See text_arrays.h.
#include "io/text_arrays.h"

#include "io/print_arrays.h"
#include "io/source_text.h"
#include "io/table_arrays.h"

namespace attn::io {

core::Result<ArrayFile> readTextArrays(const ByteSource& source, std::string_view file_name, const ArrayLimits& limits) {
  const core::Result<SourceText> text = readText(source, file_name, limits.held);
  if (!text) return text.error();
  const std::string_view all = text.value().text();
  return looksPrinted(all) ? readPrint(all, file_name, limits) : readTable(all, file_name, limits);
}

}  // namespace attn::io
