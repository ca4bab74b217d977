// Tells which reader a file belongs to, and what to do with a file that none can read. Reads nothing itself.
#include <algorithm>
#include <array>
#include <cctype>

#include "core/language.h"
#include "io/array_file.h"
#include "io/json_arrays.h"
#include "io/label.h"
#include "io/npy.h"
#include "io/npz.h"
#include "io/safetensors.h"
#include "io/safetensors_index.h"
#include "io/text_arrays.h"
#include "io/torch_file.h"
#include "io/zip.h"

namespace attn::io {
namespace {

using namespace std::string_view_literals;

constexpr std::size_t kHead = 512;  // the mark of a tar archive stands behind 257 bytes

enum class ArrayFormat { kNpy, kNpz, kTorch, kSafetensors, kJson, kText };

bool beginsWith(std::string_view text, std::string_view head) { return text.substr(0, head.size()) == head; }

// Whether the name ends so, in small or capital letters.
bool endsWith(std::string_view name, std::string_view ending) {
  return name.size() >= ending.size() &&
         std::equal(ending.begin(), ending.end(), name.end() - static_cast<std::ptrdiff_t>(ending.size()),
                    [](char a, char b) { return a == std::tolower(static_cast<unsigned char>(b)); });
}

bool endsWithAny(std::string_view name, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [name](std::string_view end) { return endsWith(name, end); });
}

struct Other {
  std::string_view head, sentence;
};

constexpr std::string_view kOldTorch =
    trLater("It is a Python pickle, which is read only by running it; load it in Python and save its arrays: "
            "numpy.savez(\"attention.npz\", *[a.detach().float().cpu().numpy() for a in torch.load(\"FILE\")]).");

// Formats that are told by how they begin and not read.
constexpr Other kOthers[] = {
    {"\x89HDF\r\n\x1A\n"sv,
     trLater("It is an HDF5 file, which is not read; save its arrays from Python: numpy.savez(\"attention.npz\", **"
             "{{k: d[()] for k, d in h5py.File(\"FILE\").items()}).")},
    {"\x1F\x8B"sv, trLater("It is compressed with gzip; unpack it with gunzip and open what is inside.")},
    {"\x28\xB5\x2F\xFD"sv, trLater("It is compressed with Zstandard; unpack it with unzstd and open what is inside.")},
    {"BZh"sv, trLater("It is compressed with bzip2; unpack it with bunzip2 and open what is inside.")},
    {"\xFD" "7zXZ"sv, trLater("It is compressed with XZ; unpack it with unxz and open what is inside.")},
    {"7z\xBC\xAF\x27\x1C"sv, trLater("It is a 7-Zip archive; unpack it and open what is inside.")},
    {"GGUF"sv,
     trLater("It is a GGUF file, which holds a model's weights and no attention; run the model and save its attention with "
             "numpy.savez.")},
    {"\x80\x02"sv, kOldTorch},
    {"\x80\x03"sv, kOldTorch},
    {"\x80\x04"sv, kOldTorch},
    {"\x80\x05"sv, kOldTorch},
};

// The sentence about a file that is not read, or nothing.
std::string_view otherFormat(std::string_view head, std::string_view name) {
  for (const Other& other : kOthers)
    if (beginsWith(head, other.head)) return other.sentence;
  constexpr std::size_t kTarMark = 257;
  if (head.size() > kTarMark && beginsWith(head.substr(kTarMark), "ustar")) {
    return trLater("It is a tar archive, as very old versions of PyTorch wrote; load it with torch.load and save its "
                   "arrays with numpy.savez.");
  }
  if (endsWith(name, ".onnx")) {
    return trLater("It is an ONNX model, which holds weights and no attention; run it with its attention as an output and "
                   "save that with numpy.savez.");
  }
  return {};
}

// The length of a JSON header in eight bytes, then the header. The first bytes alone may look like any other format's:
// with a header of 640 bytes like a pickle's.
bool beginsSafetensors(std::string_view head) {
  return head.size() > 8 && head[8] == '{' && head.substr(4, 4) == "\0\0\0\0"sv;
}

bool isJson(std::string_view head, std::string_view name) {
  if (endsWith(name, ".json")) return true;
  if (endsWithAny(name, {".txt", ".csv", ".tsv", ".log", ".out", ".dat"})) return false;
  // The first sign behind the mark of an encoding and white space; zeros are the other halves of UTF-16.
  const std::size_t first = head.find_first_not_of("\xEF\xBB\xBF\xFE\xFF \t\r\n\0"sv);
  // Lists may as well be a print of NumPy or PyTorch, whose reader takes JSON's too.
  return first != std::string_view::npos && head[first] == '{';
}

// Zero bytes are no text, unless a mark says that each character has two bytes or four.
bool isBinary(std::string_view head) {
  return head.find('\0') != std::string_view::npos && !beginsWith(head, "\xFF\xFE") && !beginsWith(head, "\xFE\xFF") &&
         !beginsWith(head, "\0\0\xFE\xFF"sv);
}

// PyTorch writes a ZIP archive too, with a pickle that says what the other members are.
core::Result<ArrayFormat> zipFormat(const ByteSource& source, std::string_view name) {
  const core::Result<std::vector<ZipMember>> members = readZip(source, name);
  if (!members) return members.error();
  const auto isPickle = [](const ZipMember& member) {
    return member.name == "data.pkl" || member.name.ends_with("/data.pkl");
  };
  return std::any_of(members.value().begin(), members.value().end(), isPickle) ? ArrayFormat::kTorch : ArrayFormat::kNpz;
}

core::Result<ArrayFormat> formatOf(const ByteSource& source, std::string_view head, std::string_view name) {
  const auto refusal = [name](std::string_view sentence) {
    return core::Error{ticked(name) + ": " + tr(sentence)};
  };
  if (head.empty()) return refusal(trLater("It is empty; save the arrays again."));
  if (beginsWith(head, "\x93NUMPY")) return ArrayFormat::kNpy;
  if (beginsWith(head, "PK\x03\x04") || beginsWith(head, "PK\x05\x06")) return zipFormat(source, name);
  if (beginsSafetensors(head)) return ArrayFormat::kSafetensors;
  if (const std::string_view sentence = otherFormat(head, name); !sentence.empty()) return refusal(sentence);
  if (endsWith(name, ".safetensors")) return ArrayFormat::kSafetensors;
  if (endsWith(name, ".npy")) return ArrayFormat::kNpy;
  if (endsWith(name, ".npz")) return zipFormat(source, name);
  if (isBinary(head)) {
    return refusal(trLater("It is of no format that is read here; save the arrays as .npy, .npz, .safetensors, .json or "
                           ".csv."));
  }
  return isJson(head, name) ? ArrayFormat::kJson : ArrayFormat::kText;
}

// The index of a model in several files: the sentence that names them.
core::Error indexRefusal(const ByteSource& source, std::string_view name) {
  constexpr std::size_t kMostNamed = 20;
  const core::Result<std::vector<std::string>> files = readSafetensorsIndex(source, name);
  if (!files) return files.error();
  std::vector<std::string> names;
  for (const std::string& file : files.value()) names.push_back(ticked(file));
  return {tr("{0}: It is the index of a model in several files; open those that hold what you want: {1}.",
             {ticked(name), listed(names, kMostNamed)})};
}

core::Result<ArrayFile> readAs(ArrayFormat format, const ByteSource& source, std::string_view name,
                               const ArrayLimits& limits) {
  switch (format) {
    case ArrayFormat::kNpy: return readNpy(source, name, limits);
    case ArrayFormat::kNpz: return readNpz(source, name, limits);
    case ArrayFormat::kTorch: return readTorchFile(source, name, limits);
    case ArrayFormat::kSafetensors: return readSafetensors(source, name, limits);
    case ArrayFormat::kJson: return readJsonArrays(source, name, limits);
    case ArrayFormat::kText: break;
  }
  return readTextArrays(source, name, limits);
}

}  // namespace

core::Result<ArrayFile> openArrays(const ByteSource& source, std::string_view file_name, const ArrayLimits& limits) {
  std::array<std::byte, kHead> bytes;
  const auto head = std::span(bytes).first(static_cast<std::size_t>(std::min<std::uint64_t>(kHead, source.size())));
  if (core::Check failed = source.read(0, head)) return core::Error{ticked(file_name) + ": " + failed->message};
  if (isSafetensorsIndex(file_name)) return indexRefusal(source, file_name);
  const core::Result<ArrayFormat> format =
      formatOf(source, {reinterpret_cast<const char*>(head.data()), head.size()}, file_name);
  if (!format) return format.error();
  core::Result<ArrayFile> file = readAs(format.value(), source, file_name, limits);
  if (file && file.value().arrays.empty()) {
    file.value().notes.push_back(tr("It holds no arrays; where they were a model's attentions, load it with "
                                    "attn_implementation=\"eager\" and ask for output_attentions=True, then save them "
                                    "again."));
  }
  return file;
}

}  // namespace attn::io
