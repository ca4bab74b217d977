// Opening a file of arrays for a command. See opened.h.
#include "cli/opened.h"

#include "disk/file.h"
#include "disk/file_source.h"

namespace attn::cli {

core::Result<Opened> openArrayFile(const std::string& path) {
  core::Result<std::unique_ptr<io::ByteSource>> source = disk::openFile(path);
  if (!source) return source.error();
  Opened opened{source.take(), {}};
  core::Result<io::ArrayFile> file = io::openArrays(*opened.source, disk::fileName(path));
  if (!file) return file.error();
  opened.file = file.take();
  for (const io::ArrayInfo& array : opened.file.arrays) {
    if (array.unreadable.empty()) return opened;
  }
  if (opened.file.arrays.empty()) return opened;
  const io::ArrayInfo& first = opened.file.arrays[0];
  return core::Error{path + ": " + (first.name.empty() ? "" : first.name + ": ") + first.unreadable};
}

}  // namespace attn::cli
