// The header is decoded where it stands, so it takes no memory but its own. Of RapidJSON, the reader of events alone.
#include "io/safetensors_header.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "core/language.h"
#include "io/array_file.h"
#include "io/label.h"
#include "io/text.h"

#define RAPIDJSON_ASSERT(x) assert(x)
#include <rapidjson/reader.h>

namespace attn::io {
namespace {

namespace rj = rapidjson;

constexpr std::string_view kMetadata = "__metadata__";
constexpr std::size_t kLongestTypeName = 32, kLongestShown = 200, kMostShown = 20;

// What may come next.
enum class Wanted {
  kHeader,       // the opening brace
  kTensor,       // the name of a tensor
  kTensorOpen,   // the brace of one
  kField,        // dtype, shape or data_offsets
  kType,
  kShapeOpen,
  kShape,        // a size, or the end of the list
  kOffsetsOpen,
  kOffsets,
  kMetadataOpen,
  kMetadataKey,
  kMetadataText,
  kNothing,
};

class HeaderHandler {
 public:
  explicit HeaderHandler(std::size_t most_tensors) : most_tensors_(most_tensors) {}

  // What was wrong, as the end of a sentence; empty when it was only no JSON.
  std::string problem;
  SafetensorsHeader header;

  bool Null() {
    if (wanted_ != Wanted::kMetadataOpen) return wrong("null");
    wanted_ = Wanted::kTensor;
    return true;
  }
  bool Bool(bool) { return wrong(tr("true or false")); }
  bool Int(int) { return wrong(tr("a number below 0")); }
  bool Int64(std::int64_t) { return wrong(tr("a number below 0")); }
  bool Double(double) { return wrong(tr("a number that is no whole number of 64 bits")); }
  bool Uint(unsigned number) { return Uint64(number); }
  bool Uint64(std::uint64_t number) {
    if (wanted_ == Wanted::kShape) return size(number);
    if (wanted_ != Wanted::kOffsets) return wrong(tr("a number"));
    if (offsets_ == 2) return fail(tr("says that tensor {0} has more than two data_offsets", {tensor()}));
    (offsets_++ == 0 ? header.tensors.back().begin : header.tensors.back().end) = number;
    return true;
  }
  bool RawNumber(const char*, rj::SizeType, bool) { return false; }

  bool String(const char* text, rj::SizeType length, bool) {
    const std::string_view view(text, length);
    if (wanted_ == Wanted::kType) {
      header.tensors.back().type = labelText(view, kLongestTypeName);
      wanted_ = Wanted::kField;
      return true;
    }
    if (wanted_ != Wanted::kMetadataText) return wrong(tr("a text"));
    if (header.metadata.size() < kMostShown) {
      header.metadata.emplace_back(labelText(metadata_.back(), kLongestShown), labelText(view, kLongestShown));
    }
    wanted_ = Wanted::kMetadataKey;
    return true;
  }

  bool Key(const char* text, rj::SizeType length, bool) {
    const std::string_view name(text, length);
    if (wanted_ == Wanted::kMetadataKey) {
      if (metadata_.size() == kMostMetadata) {
        return fail(tr("has more than {0} entries in __metadata__", {kMostMetadata}));
      }
      metadata_.push_back(name);
      wanted_ = Wanted::kMetadataText;
      return true;
    }
    return wanted_ == Wanted::kTensor ? beginTensor(name) : beginField(name);
  }

  bool StartObject() {
    switch (wanted_) {
      case Wanted::kHeader:
        wanted_ = Wanted::kTensor;
        return true;
      case Wanted::kTensorOpen:
        wanted_ = Wanted::kField;
        return true;
      case Wanted::kMetadataOpen:
        wanted_ = Wanted::kMetadataKey;
        return true;
      default:
        return wrong(tr("an object"));
    }
  }

  bool EndObject(rj::SizeType) {
    if (wanted_ == Wanted::kTensor) {
      wanted_ = Wanted::kNothing;
      return unique(names_);
    }
    if (wanted_ == Wanted::kField) {
      for (int field = 0; field < 3; ++field) {
        if (!seen_[field]) return fail(tr("says that tensor {0} has no `{1}`", {tensor(), kFields[field]}));
      }
    }
    const bool metadata = wanted_ == Wanted::kMetadataKey;
    wanted_ = Wanted::kTensor;
    return !metadata || unique(metadata_);
  }

  bool StartArray() {
    if (wanted_ == Wanted::kShapeOpen) {
      wanted_ = Wanted::kShape;
    } else if (wanted_ == Wanted::kOffsetsOpen) {
      wanted_ = Wanted::kOffsets;
    } else {
      return wrong(tr("a list"));
    }
    return true;
  }

  bool EndArray(rj::SizeType) {
    if (wanted_ == Wanted::kOffsets && offsets_ != 2)
      return fail(tr("says that tensor {0} has fewer than two data_offsets", {tensor()}));
    wanted_ = Wanted::kField;
    return true;
  }

 private:
  static constexpr const char* kFields[] = {"dtype", "shape", "data_offsets"};
  static constexpr Wanted kFieldValues[] = {Wanted::kType, Wanted::kShapeOpen, Wanted::kOffsetsOpen};

  bool fail(std::string what) {
    problem = std::move(what);
    return false;
  }

  bool wrong(const std::string& found) {
    switch (wanted_) {
      case Wanted::kHeader:
        return fail(tr("has {0} where its list of tensors belongs", {found}));
      case Wanted::kTensorOpen:
        return fail(tr("says that tensor {0} is {1} instead of an object with dtype, shape and data_offsets",
                       {tensor(), found}));
      case Wanted::kMetadataOpen:
      case Wanted::kMetadataText:
        return fail(tr("has {0} in __metadata__, which holds texts only", {found}));
      default:
        return fail(tr("says that tensor {0} has {1} as its `{2}`", {tensor(), found, kFields[field_]}));
    }
  }

  std::string tensor() const { return ticked(names_.back()); }

  bool beginTensor(std::string_view name) {
    if (name == kMetadata) {
      if (has_metadata_) return fail(tr("has __metadata__ twice"));
      has_metadata_ = true;
      wanted_ = Wanted::kMetadataOpen;
      return true;
    }
    if (name.size() > kLongestTensorName) {
      return fail(tr("has a tensor with a name of {0} bytes, more than {1}", {name.size(), kLongestTensorName}));
    }
    if (header.tensors.size() == most_tensors_) {
      return fail(tr("lists more than {0} tensors", {most_tensors_}));
    }
    names_.push_back(name);
    header.tensors.emplace_back();
    header.tensors.back().name = name;
    std::fill(std::begin(seen_), std::end(seen_), false);
    offsets_ = 0;
    wanted_ = Wanted::kTensorOpen;
    return true;
  }

  bool beginField(std::string_view name) {
    for (int field = 0; field < 3; ++field) {
      if (name != kFields[field]) continue;
      if (seen_[field]) return fail(tr("says that tensor {0} has `{1}` twice", {tensor(), kFields[field]}));
      seen_[field] = true;
      field_ = field;
      wanted_ = kFieldValues[field];
      return true;
    }
    return fail(tr("says that tensor {0} has a {1}, which the format does not know", {tensor(), ticked(name)}));
  }

  bool size(std::uint64_t number) {
    std::vector<std::uint64_t>& shape = header.tensors.back().shape;
    if (shape.size() == kMostAxes) return fail(tr("says that tensor {0} has more than {1} axes", {tensor(), kMostAxes}));
    shape.push_back(number);
    return true;
  }

  bool unique(std::vector<std::string_view>& names) {
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    return twice == names.end() || fail(tr("has the name {0} twice", {ticked(*twice)}));
  }

  std::size_t most_tensors_;
  Wanted wanted_ = Wanted::kHeader;
  int field_ = 0, offsets_ = 0;
  bool seen_[3] = {}, has_metadata_ = false;
  std::vector<std::string_view> names_, metadata_;  // in the text that is being read
};

// The place of the first byte that is not UTF-8, or the end.
std::size_t endOfText(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size()) {
    const int length = characterLength(text.substr(at, 4));
    if (length == 0) break;
    at += static_cast<std::size_t>(length);
  }
  return at;
}

core::Error about(std::string_view file_name, const std::string& what) {
  return core::Error{tr("The header of {0} {1}; the file is damaged or was not written as safetensors: save it again.",
                        {ticked(file_name), what})};
}

}  // namespace

core::Result<SafetensorsHeader> readSafetensorsHeader(core::Buffer text, std::string_view file_name,
                                                      std::size_t most_tensors) {
  assert(text.size() > 0);
  char* const begin = text.as<char>().data();
  const std::size_t size = text.size() - 1;
  begin[size] = '\0';
  if (size == 0 || begin[0] != '{') return about(file_name, tr("does not begin with {{"));
  if (const void* zero = std::memchr(begin, 0, size)) {
    const auto at = static_cast<const char*>(zero) - begin;
    return about(file_name, tr("has a zero byte at byte {0} of the file", {8 + at}));
  }
  // The reader's own check of UTF-8 would read beyond the end after half a character.
  if (const std::size_t end = endOfText({begin, size}); end < size) {
    return about(file_name, tr("is not UTF-8 at byte {0} of the file", {8 + end}));
  }
  HeaderHandler handler(most_tensors);
  rj::InsituStringStream stream(begin);
  rj::Reader reader;
  constexpr unsigned kFlags = rj::kParseInsituFlag | rj::kParseIterativeFlag;
  const rj::ParseResult outcome = reader.Parse<kFlags>(stream, handler);
  if (!handler.problem.empty()) return about(file_name, handler.problem);
  if (outcome.IsError()) {
    return about(file_name, tr("is no JSON at byte {0} of the file", {8 + outcome.Offset()}));
  }
  return std::move(handler.header);
}

}  // namespace attn::io
