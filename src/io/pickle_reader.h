// The operations of a pickle, one after the other, on a stack of values. Only io/pickle.cpp needs it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/pickle.h"

namespace attn::io {

class PickleReader {
 public:
  using Id = Pickle::Id;
  using Kind = Pickle::Kind;
  using Allowed = bool (*)(std::string_view module, std::string_view name);

  PickleReader(core::Buffer bytes, std::string_view file_name, Allowed allowed, const PickleLimits& limits);
  core::Result<Pickle> read();

 private:
  using Value = Pickle::Value;

  // Each of these is true, or puts what was wrong into failure_.
  bool step(unsigned operation);
  bool stepContainer(unsigned operation);
  bool stepText(unsigned operation);
  bool stepObject(unsigned operation);
  bool stepMemory(unsigned operation);

  bool fail(const std::string& what);
  bool out(core::Check failed);
  bool take(std::size_t bytes, std::uint64_t& value);  // little-endian
  bool takeLine(std::uint32_t& begin, std::uint32_t& length);
  bool span(std::uint64_t length, std::uint32_t& begin);

  bool push(const Value& value);
  bool pushId(Id id);
  bool pushInteger(std::int64_t number, Kind kind = Kind::kInteger);
  bool pushSlice(Kind kind, std::size_t length_bytes);
  bool pushLong(std::uint64_t length);
  bool pushFloat();
  bool pop(Id& id);
  bool popMark(std::size_t& from);

  bool has(std::size_t count);
  bool standsBelow(std::size_t from);
  bool add(Id container, Id item);
  bool gather(Kind kind, std::size_t from);
  bool append(std::size_t from);
  bool setItems(std::size_t from);
  bool addItems(std::size_t from);
  bool pushName(const Value& name);
  bool nameFromLines();
  bool nameFromStack();
  bool call(Id function, Id arguments);
  bool reduce();
  bool build();
  bool remember(std::uint64_t index);
  bool recall(std::uint64_t index);
  core::Check finish();

  std::string_view file_name_;
  Allowed allowed_;
  PickleLimits limits_;
  Pickle pickle_;
  std::size_t at_ = 0;
  Pool<Id> stack_, memory_;
  Pool<std::uint32_t> marks_;
  core::Check failure_;
};

}  // namespace attn::io
