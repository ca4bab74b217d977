// The tensors that the pickle of a PyTorch file describes: where each lies in the file, checked against what is there.
// Knows no names of tensors.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "io/array_file.h"
#include "io/pickle.h"
#include "io/torch_names.h"
#include "io/zip.h"

namespace attn::io {

// The archive around the pickle. What it refers to must live longer.
class TorchArchive {
 public:
  // Finds the folder with data.pkl; no two members of it may have one name.
  static core::Result<TorchArchive> find(const ByteSource& source, const std::vector<ZipMember>& members,
                                         std::string_view file_name);

  // The member of this name in the folder, or null.
  const ZipMember* member(std::string_view name) const;
  bool bigEndian() const { return big_endian_; }
  std::string_view fileName() const { return file_name_; }

 private:
  core::Check findFolder(const std::vector<ZipMember>& members);
  core::Check readByteOrder(const ByteSource& source);

  std::string_view file_name_;
  std::string folder_;  // with its slash
  std::vector<const ZipMember*> members_;  // of the folder, by name
  bool big_endian_ = false;
};

// What the call stands for; null for everything but a kCall.
const TorchName* calledName(const Pickle& pickle, Pickle::Id id);
bool isTensor(const Pickle& pickle, Pickle::Id id);

// The tensor at `id`, for which isTensor: nameless, perhaps unreadable. Refuses what is damaged: data that is missing,
// and a shape, strides or a place that lead out of it.
core::Result<ArrayInfo> torchTensor(const TorchArchive& archive, const Pickle& pickle, Pickle::Id id);

}  // namespace attn::io
