// Goes through the values of the pickle and names what is an array. Where its data lies is another file's business.
#include "io/torch_file.h"

#include <algorithm>
#include <cstring>

#include "core/language.h"
#include "io/label.h"
#include "io/pickle.h"
#include "io/text.h"
#include "io/torch_tensor.h"

namespace attn::io {
namespace {

using Id = Pickle::Id;
using Kind = Pickle::Kind;
using Role = TorchName::Role;

constexpr std::size_t kDeepest = 64;         // values inside each other
constexpr std::size_t kMostVisits = std::size_t(1) << 22;
constexpr std::size_t kLongestName = 1000, kLongestKey = 200;  // bytes
constexpr std::size_t kMostTensorNotes = 20;

bool known(std::string_view module, std::string_view name) { return torchName(module, name) != nullptr; }

// "att" of "folder/att.pt".
std::string stemOf(std::string_view file_name) {
  const std::size_t folder = file_name.find_last_of("/\\");
  if (folder != file_name.npos) file_name.remove_prefix(folder + 1);
  const std::size_t dot = file_name.rfind('.');
  if (dot != file_name.npos && dot > 0) file_name = file_name.substr(0, dot);
  return labelText(file_name, kLongestKey);
}

// Goes through the values of the pickle and makes arrays of them. What stands in several places is met in each.
class Collector {
 public:
  Collector(const TorchArchive& archive, const Pickle& pickle, const ArrayLimits& limits)
      : archive_(archive), pickle_(pickle), limits_(limits) {
    file_.format = tr("PyTorch file");
  }

  core::Result<ArrayFile> collect() {
    if (!visit(pickle_.root())) return *failure_;
    if (unsaid_ > 0) {
      file_.notes.push_back(tr("Passed over {0} more {0|value|values}.", {unsaid_}));
    }
    return std::move(file_);
  }

 private:
  // The functions below are true, or put what was wrong into failure_.
  bool visit(Id id) {
    if (!counted()) return false;
    if (name_.size() > kLongestName) return passOver(tr("values behind a name of more than 1000 bytes"));
    if (isTensor(pickle_, id)) return tensor(id);
    switch (pickle_.kind(id)) {
      case Kind::kList:
      case Kind::kTuple:
      case Kind::kDict:
      case Kind::kSet:
      case Kind::kCall:
        break;
      default:
        return passOver(kindText(id));
    }
    if (std::find(open_.begin(), open_.end(), id) != open_.end()) return fail(tr("contains itself"));
    if (open_.size() == kDeepest) {
      return fail(tr("has more than {0} values inside each other", {kDeepest}));
    }
    open_.push_back(id);
    const bool all = pickle_.kind(id) == Kind::kCall ? call(id) : container(id);
    open_.pop_back();
    return all;
  }

  // A list may stand in many places, so work is bounded by what is met and not by what there is.
  bool counted() {
    return ++visits_ <= kMostVisits || fail(tr("has more than {0} values one by one", {kMostVisits}));
  }

  bool fail(const std::string& what) {
    failure_ = core::Error{tr("What {0} holds {1}; save its tensors in one dictionary.",
                              {ticked(archive_.fileName()), what})};
    return false;
  }

  bool passOver(const std::string& what) {
    if (file_.notes.size() < kMostTensorNotes) {
      file_.notes.push_back(name_.empty() ? tr("Passed over: {0}.", {what})
                                          : tr("Passed over {0}: {1}.", {ticked(name_), what}));
    } else {
      ++unsaid_;
    }
    return true;
  }

  std::string kindText(Id id) const {
    switch (pickle_.kind(id)) {
      case Kind::kNone:
        return name_.find("attention") == std::string::npos
                   ? "None"
                   : tr("None, as models give that were loaded without attn_implementation=\"eager\"");
      case Kind::kBool:
      case Kind::kInteger:
      case Kind::kLarge:
      case Kind::kFloat: return tr("a number");
      case Kind::kText: return tr("a text");
      case Kind::kBytes: return tr("bytes");
      case Kind::kStored: return tr("a storage without a tensor");
      case Kind::kName: return labelText(pickle_.name(id), kLongestKey);
      case Kind::kCall: return tr("a value of {0}", {labelText(pickle_.name(pickle_.function(id)), kLongestKey)});
      default: return tr("a list");
    }
  }

  // Goes on with a value inside, whose name is that of the outer one and `key`.
  bool inside(std::string_view key, Id id) {
    const std::size_t length = name_.size();
    if (length > 0) name_ += '.';
    name_ += key;
    const bool all = visit(id);
    name_.resize(length);
    return all;
  }

  bool call(Id id) {
    const Role role = calledName(pickle_, id)->role;
    if (role != Role::kMapping && role != Role::kObject) return passOver(kindText(id));
    if (pickle_.item(id, 0) != Pickle::kNoValue || role == Role::kMapping) return container(id);
    if (const Id state = pickle_.state(id); state != Pickle::kNoValue) return visit(state);
    return visit(pickle_.arguments(id));
  }

  bool container(Id id) {
    if (pickle_.pairs(id)) return pairs(id);
    bool texts = true, plain = true;
    std::size_t count = 0;
    for (const Id item : pickle_.items(id)) {
      if (!counted()) return false;
      const Kind kind = pickle_.kind(item);
      texts = texts && kind == Kind::kText;
      plain = plain && kind != Kind::kNone && (kind < Kind::kList || kind > Kind::kCall);
      ++count;
    }
    if (count == 0) return true;
    if (texts && pickle_.kind(id) != Kind::kSet) return tokens(id, count);
    if (plain && count > 1) return passOver(tr("a list of {0} values that are no tensors", {count}));
    std::size_t index = 0;
    for (const Id item : pickle_.items(id)) {
      if (!inside(std::to_string(index++), item)) return false;
    }
    return true;
  }

  bool pairs(Id id) {
    Id key = Pickle::kNoValue;
    std::size_t index = 0;
    for (const Id item : pickle_.items(id)) {
      if (key == Pickle::kNoValue) {
        key = item;
        continue;
      }
      if (!inside(keyText(key, index++), item)) return false;
      key = Pickle::kNoValue;
    }
    return true;
  }

  std::string keyText(Id key, std::size_t index) const {
    switch (pickle_.kind(key)) {
      case Kind::kText: return labelText(pickle_.text(key), kLongestKey);
      case Kind::kBool:
      case Kind::kInteger: return std::to_string(pickle_.integer(key));
      default: return "#" + std::to_string(index);
    }
  }

  std::string arrayName() const { return name_.empty() ? stemOf(archive_.fileName()) : name_; }

  bool room() {
    if (file_.arrays.size() < limits_.arrays) return true;
    return fail(tr("is more than {0} arrays", {limits_.arrays}));
  }

  bool tensor(Id id) {
    if (!room()) return false;
    core::Result<ArrayInfo> array = torchTensor(archive_, pickle_, id);
    if (!array) {
      failure_ = array.error();
      return false;
    }
    array.value().name = arrayName();
    file_.arrays.push_back(array.take());
    return true;
  }

  // A list of texts, each with as many bytes as the longest.
  bool tokens(Id id, std::size_t count) {
    if (!room()) return false;
    std::size_t longest = 1;
    for (const Id item : pickle_.items(id)) longest = std::max(longest, pickle_.text(item).size());
    if (longest > (limits_.held - held_) / count) {
      return passOver(tr("{0} texts, the longest of {1}, which take more memory than there is for them",
                         {count, core::bytesText(longest)}));
    }
    core::Result<core::Buffer> buffer = core::Buffer::allocate(count * longest);
    if (!buffer) {
      failure_ = buffer.error();
      return false;
    }
    std::byte* at = buffer.value().bytes().data();
    std::memset(at, 0, count * longest);
    for (const Id item : pickle_.items(id)) {
      const std::string_view text = pickle_.text(item);
      if (!text.empty()) std::memcpy(at, text.data(), text.size());
      at += longest;
    }
    held_ += count * longest;
    ArrayInfo info;
    info.name = arrayName();
    info.type = ElementType::kText;
    info.element_bytes = longest;
    info.shape = {count};
    info.strides = {1};
    info.where = ArrayInfo::Where::kHeld;
    info.begin = file_.held.size();
    info.bytes = count * longest;
    file_.held.push_back(buffer.take());
    file_.arrays.push_back(std::move(info));
    return true;
  }

  const TorchArchive& archive_;
  const Pickle& pickle_;
  const ArrayLimits& limits_;
  ArrayFile file_;
  std::string name_;
  std::vector<Id> open_;
  std::size_t visits_ = 0, unsaid_ = 0;
  std::uint64_t held_ = 0;
  core::Check failure_;
};

// What is no ZIP archive but may be of torch.save all the same.
core::Check oldFormat(const ByteSource& source, std::string_view file_name) {
  constexpr std::size_t kHead = 262, kTarMark = 257;
  char head[kHead] = {};
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(kHead, source.size()));
  if (core::Check failed = source.read(0, std::as_writable_bytes(std::span(head).first(size)))) return failed;
  const std::string_view text(head, size);
  if (text.starts_with("PK")) return {};
  const bool pickle = size > 1 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5;
  if (pickle || (size == kHead && text.substr(kTarMark) == "ustar")) {
    return core::Error{tr("{0} is a pickle or was saved by PyTorch before 1.6; convert it in Python: "
                          "torch.save(torch.load(\"OLD\"), \"NEW\").", {ticked(file_name)})};
  }
  return core::Error{tr("{0} is no PyTorch file; open a file that torch.save has written.", {ticked(file_name)})};
}

}  // namespace

core::Result<ArrayFile> readTorchFile(const ByteSource& source, std::string_view file_name,
                                      const ArrayLimits& limits) {
  if (core::Check old = oldFormat(source, file_name)) return *old;
  const core::Result<std::vector<ZipMember>> members = readZip(source, file_name);
  if (!members) return members.error();
  const core::Result<TorchArchive> archive = TorchArchive::find(source, members.value(), file_name);
  if (!archive) return archive.error();
  const ZipMember& list = *archive.value().member("data.pkl");
  if (!list.unreadable.empty()) return core::Error{list.unreadable};
  core::Result<core::Buffer> bytes = memberContent(source, list, PickleLimits().bytes);
  if (!bytes) return core::Error{ticked(file_name) + ": " + bytes.error().message};
  const core::Result<Pickle> pickle = readPickle(bytes.take(), file_name, known);
  if (!pickle) return pickle.error();
  return Collector(archive.value(), pickle.value(), limits).collect();
}

}  // namespace attn::io
