// A tensor is a view: first element, shape and strides in a member of the archive. Every view is checked against it.
#include "io/torch_tensor.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/language.h"
#include "io/label.h"

namespace attn::io {
namespace {

using Id = Pickle::Id;
using Kind = Pickle::Kind;
using Role = TorchName::Role;

constexpr std::string_view kPickleName = "data.pkl";
constexpr std::uint64_t kMostByteOrder = 16;
constexpr int kDeepestTensor = 4;  // a parameter of a tensor of a class …

bool isTensorRole(Role role) {
  return role == Role::kTensor || role == Role::kTensorV3 || role == Role::kWrapped || role == Role::kTyped ||
         role == Role::kOdd;
}

// One tensor, or a sentence about it.
class TensorReader {
 public:
  TensorReader(const TorchArchive& archive, const Pickle& pickle) : archive_(archive), pickle_(pickle) {}

  core::Result<ArrayInfo> read(Id call) {
    const TorchName* name = calledName(pickle_, call);
    Id arguments = pickle_.arguments(call);
    for (int depth = 0; name && (name->role == Role::kWrapped || name->role == Role::kTyped); ++depth) {
      if (depth == kDeepestTensor) return damaged(tr("a tensor is wrapped too often"));
      if (name->role == Role::kWrapped) {
        const Id inner = pickle_.item(arguments, 0);
        name = inner == Pickle::kNoValue ? nullptr : calledName(pickle_, inner);
        if (name) arguments = pickle_.arguments(inner);
      } else {
        const Id function = pickle_.item(arguments, 0), inner = pickle_.item(arguments, 2);
        const bool fits = inner != Pickle::kNoValue && pickle_.kind(function) == Kind::kName &&
                          pickle_.kind(inner) == Kind::kTuple;
        name = fits ? torchName(pickle_.moduleName(function), pickle_.name(function)) : nullptr;
        if (name) arguments = inner;
      }
    }
    if (!name || !isTensorRole(name->role)) return damaged(tr("a tensor is made of something else"));
    if (name->role == Role::kOdd) return unreadable(tr(name->what));
    return plain(arguments, name->role == Role::kTensorV3);
  }

 private:
  core::Error damaged(const std::string& what) const {
    return core::Error{tr("In {0}, {1}; the file is damaged: save it again with torch.save.",
                          {ticked(archive_.fileName()), what})};
  }

  static ArrayInfo unreadable(const std::string& what) {
    ArrayInfo info;
    info.shape = {0};
    info.strides = {1};
    info.unreadable = tr("This is {0}, which cannot be read here; save it as a dense tensor of float32.", {what});
    return info;
  }

  // (storage, place, shape, strides, requires_grad, hooks[, type][, properties])
  core::Result<ArrayInfo> plain(Id arguments, bool typed) {
    std::array<Id, 8> parts;
    const std::size_t needed = typed ? 7 : 4, properties = typed ? 7 : 6;
    std::size_t count = 0;
    for (const Id part : pickle_.items(arguments)) {
      if (count > properties) break;
      parts[count++] = part;
    }
    if (count < needed) return damaged(tr("a tensor lacks its shape or its place"));
    if (count > properties && pickle_.kind(parts[properties]) == Kind::kDict &&
        pickle_.item(parts[properties], 0) != Pickle::kNoValue) {
      return unreadable(tr("a tensor whose sign is turned where it is read"));
    }
    ArrayInfo info;
    if (!wholeNumber(parts[1], info.first)) return damaged(tr("a tensor begins at no place in its data"));
    if (core::Check wrong = sizes(parts[2], "shape", info.shape)) return *wrong;
    if (core::Check wrong = sizes(parts[3], "strides", info.strides)) return *wrong;
    if (info.shape.size() != info.strides.size()) {
      return damaged(tr("a tensor of shape {0} has {1} strides", {shapeText(info.shape), info.strides.size()}));
    }
    const TorchName* type = nullptr;
    if (typed) {
      type = pickle_.kind(parts[6]) == Kind::kName
                 ? torchName(pickle_.moduleName(parts[6]), pickle_.name(parts[6])) : nullptr;
      if (!type || type->role != Role::kType) return damaged(tr("a tensor has no type of elements"));
    }
    if (core::Check wrong = storage(parts[0], type, info)) return *wrong;
    return info;
  }

  bool wholeNumber(Id id, std::uint64_t& number) const {
    if (pickle_.kind(id) != Kind::kInteger || pickle_.integer(id) < 0) return false;
    number = static_cast<std::uint64_t>(pickle_.integer(id));
    return true;
  }

  // A tuple of numbers, perhaps as torch.Size.
  core::Check sizes(Id id, const char* what, std::vector<std::uint64_t>& sizes) const {
    if (const TorchName* name = calledName(pickle_, id); name && name->role == Role::kValue) {
      id = pickle_.item(pickle_.arguments(id), 0);
    }
    if (id == Pickle::kNoValue || (pickle_.kind(id) != Kind::kTuple && pickle_.kind(id) != Kind::kList)) {
      return damaged(tr("the {0} of a tensor is no list of numbers", {what}));
    }
    for (const Id item : pickle_.items(id)) {
      if (sizes.size() == kMostAxes) return damaged(tr("a tensor has more than {0} axes", {kMostAxes}));
      if (!wholeNumber(item, sizes.emplace_back())) {
        return damaged(tr("the {0} of a tensor holds what is no whole number from 0 on", {what}));
      }
    }
    return {};
  }

  // ('storage', type, key, device, elements)
  core::Check storage(Id id, const TorchName* type, ArrayInfo& info) const {
    std::array<Id, 5> parts;
    std::size_t count = 0;
    if (pickle_.kind(id) == Kind::kStored && pickle_.kind(pickle_.key(id)) == Kind::kTuple) {
      for (const Id part : pickle_.items(pickle_.key(id))) {
        if (count == parts.size()) break;
        parts[count++] = part;
      }
    }
    std::uint64_t elements = 0;
    const bool fits = count == parts.size() && pickle_.kind(parts[0]) == Kind::kText &&
                      pickle_.text(parts[0]) == "storage" && pickle_.kind(parts[1]) == Kind::kName &&
                      pickle_.kind(parts[2]) == Kind::kText && wholeNumber(parts[4], elements);
    const TorchName* stored = fits ? torchName(pickle_.moduleName(parts[1]), pickle_.name(parts[1])) : nullptr;
    if (!stored || stored->role != Role::kStorage) return damaged(tr("a tensor does not say where its data is"));
    const std::string key = "data/" + std::string(pickle_.text(parts[2]).substr(0, kLongestZipName));
    const ZipMember* member = archive_.member(key);
    if (!member) return damaged(tr("the data {0} of a tensor is missing", {ticked(key)}));
    if (stored->bytes > 0 && elements > member->expanded / stored->bytes) {
      return damaged(tr("the data {0} has {1} bytes, too few for {2} elements of {3}",
                        {ticked(key), member->expanded, elements, stored->what}));
    }
    place(*member, info);
    return view(key, *member, type ? *type : *stored, info);
  }

  void place(const ZipMember& member, ArrayInfo& info) const {
    info.where = member.deflated ? ArrayInfo::Where::kDeflated : ArrayInfo::Where::kFile;
    info.begin = member.begin;
    info.bytes = member.bytes;
    if (member.deflated) info.expanded = member.expanded;
    info.checksum = member.checksum;
    info.unreadable = member.unreadable;
    info.big_endian = archive_.bigEndian();
  }

  // Whether every element lies in the member.
  core::Check view(const std::string& key, const ZipMember& member, const TorchName& type, ArrayInfo& info) const {
    const std::optional<std::uint64_t> count = countOf(info.shape);
    if (!count) return damaged(tr("a tensor has a shape with more elements than can be counted"));
    if (type.type == ElementType::kText) {
      if (info.unreadable.empty()) {
        info.unreadable = tr("It has elements of type {0}, which cannot be read here; save it as float32.", {type.what});
      }
      return {};
    }
    info.type = type.type;
    info.element_bytes = typeBytes(type.type);
    if (*count == 0) {
      info.first = 0;
      return {};
    }
    const std::uint64_t stored = member.expanded / info.element_bytes;
    std::uint64_t last = info.first;
    for (std::size_t axis = 0; axis < info.shape.size() && last < stored; ++axis) {
      const std::uint64_t steps = info.shape[axis] - 1, stride = info.strides[axis];
      const bool counts = stride == 0 || steps <= (std::numeric_limits<std::uint64_t>::max() - last) / stride;
      last = counts ? last + steps * stride : stored;
    }
    if (last >= stored) {
      return damaged(tr("a tensor of shape {0} leads out of its data {1}, which has {2} elements",
                        {shapeText(info.shape), ticked(key), stored}));
    }
    return {};
  }

  const TorchArchive& archive_;
  const Pickle& pickle_;
};

}  // namespace

core::Result<TorchArchive> TorchArchive::find(const ByteSource& source, const std::vector<ZipMember>& members,
                                              std::string_view file_name) {
  TorchArchive archive;
  archive.file_name_ = file_name;
  if (core::Check wrong = archive.findFolder(members)) return *wrong;
  const auto by_name = [](const ZipMember* a, const ZipMember* b) { return a->name < b->name; };
  for (const ZipMember& member : members) {
    if (member.name.starts_with(archive.folder_) && !member.isFolder()) archive.members_.push_back(&member);
  }
  std::sort(archive.members_.begin(), archive.members_.end(), by_name);
  for (std::size_t i = 1; i < archive.members_.size(); ++i) {
    if (archive.members_[i]->name != archive.members_[i - 1]->name) continue;
    return core::Error{tr("{0} has {1} twice; save it again with torch.save.",
                          {ticked(file_name), ticked(archive.members_[i]->name)})};
  }
  if (core::Check wrong = archive.readByteOrder(source)) return *wrong;
  return archive;
}

core::Check TorchArchive::findFolder(const std::vector<ZipMember>& members) {
  for (const ZipMember& member : members) {
    const std::size_t slash = member.name.find('/');
    if (slash == std::string::npos || std::string_view(member.name).substr(slash + 1) != kPickleName) continue;
    const std::string folder = member.name.substr(0, slash + 1);
    if (!folder_.empty() && folder != folder_) {
      return core::Error{tr("{0} has several data.pkl; open a file that torch.save has written.", {ticked(file_name_)})};
    }
    folder_ = folder;
  }
  if (!folder_.empty()) return {};
  return core::Error{tr("{0} is a ZIP archive without data.pkl, so no PyTorch file; open a file that torch.save has "
                        "written.", {ticked(file_name_)})};
}

core::Check TorchArchive::readByteOrder(const ByteSource& source) {
  const ZipMember* order = member("byteorder");
  if (!order) return {};
  if (!order->unreadable.empty()) return core::Error{order->unreadable};
  const core::Result<core::Buffer> content = memberContent(source, *order, kMostByteOrder);
  if (!content) return content.error();
  const std::string_view text(content.value().as<char>().data(), content.value().size());
  big_endian_ = text == "big";
  if (big_endian_ || text == "little") return {};
  return core::Error{tr("{0} has its numbers in the order of bytes {1}, which is neither little nor big; save it "
                        "again with torch.save.", {ticked(file_name_), ticked(text)})};
}

const ZipMember* TorchArchive::member(std::string_view name) const {
  const std::string whole = folder_ + std::string(name);
  const auto at = std::lower_bound(members_.begin(), members_.end(), whole,
                                   [](const ZipMember* a, const std::string& b) { return a->name < b; });
  return at != members_.end() && (*at)->name == whole ? *at : nullptr;
}

const TorchName* calledName(const Pickle& pickle, Id id) {
  if (pickle.kind(id) != Kind::kCall) return nullptr;
  const Id function = pickle.function(id);
  return torchName(pickle.moduleName(function), pickle.name(function));
}

bool isTensor(const Pickle& pickle, Id id) {
  const TorchName* name = calledName(pickle, id);
  return name && isTensorRole(name->role);
}

core::Result<ArrayInfo> torchTensor(const TorchArchive& archive, const Pickle& pickle, Id id) {
  return TensorReader(archive, pickle).read(id);
}

}  // namespace attn::io
