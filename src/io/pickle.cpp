// What a read pickle says of its values. Runs none of its operations: src/io/pickle_reader.cpp does.
#include "io/pickle.h"

#include <cassert>
#include <cstring>
#include <string>

#include "core/language.h"
#include "io/label.h"
#include "io/pickle_reader.h"

namespace attn::io {

std::string_view Pickle::slice(std::uint32_t begin, std::uint32_t length) const {
  return {bytes_.as<char>().data() + begin, length};
}

std::int64_t Pickle::integer(Id id) const {
  assert(kind(id) == Kind::kBool || kind(id) == Kind::kInteger);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(values_[id].b) << 32 | values_[id].a);
}

double Pickle::number(Id id) const {
  assert(kind(id) == Kind::kFloat);
  const std::uint64_t bits = static_cast<std::uint64_t>(values_[id].b) << 32 | values_[id].a;
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::string_view Pickle::text(Id id) const {
  assert(kind(id) == Kind::kText || kind(id) == Kind::kBytes);
  return slice(values_[id].a, values_[id].b);
}

std::string_view Pickle::moduleName(Id id) const {
  assert(kind(id) == Kind::kName);
  return slice(values_[id].a, values_[id].b);
}

std::string_view Pickle::name(Id id) const {
  assert(kind(id) == Kind::kName);
  return slice(values_[id].c, values_[id].d);
}

Pickle::Items Pickle::items(Id id) const {
  [[maybe_unused]] const Kind kind = values_[id].kind;
  assert((kind >= Kind::kList && kind <= Kind::kSet) || kind == Kind::kCall);
  return {*this, values_[id].a};
}

std::size_t Pickle::count(Id id) const {
  std::size_t count = 0;
  for ([[maybe_unused]] const Id item : items(id)) ++count;
  return count;
}

Pickle::Id Pickle::item(Id id, std::size_t index) const {
  for (const Id item : items(id)) {
    if (index-- == 0) return item;
  }
  return kNoValue;
}

core::Result<Pickle> readPickle(core::Buffer bytes, std::string_view file_name,
                                bool (*allowed)(std::string_view module, std::string_view name),
                                const PickleLimits& limits) {
  if (bytes.size() > limits.bytes) {
    return core::Error{tr("The list of what {0} holds has {1}, more than {2}; save fewer things in one file.",
                          {ticked(file_name), core::bytesText(bytes.size()), core::bytesText(limits.bytes)})};
  }
  return PickleReader(std::move(bytes), file_name, allowed, limits).read();
}

}  // namespace attn::io
