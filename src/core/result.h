// Success or one clear sentence. Used for everything that comes from outside; a programmer's mistake is an assert.
#pragma once
#include <cassert>
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace attn::core {

// What was found, where, and what to do: one sentence, no trailing newline.
struct Error {
  std::string message;
};

// The outcome of a check that yields nothing: empty when all is well.
using Check = std::optional<Error>;

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : outcome_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : outcome_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return outcome_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // Only when ok().
  T& value() { assert(ok()); return *std::get_if<0>(&outcome_); }
  const T& value() const { assert(ok()); return *std::get_if<0>(&outcome_); }
  T take() { assert(ok()); return std::move(*std::get_if<0>(&outcome_)); }

  // Only when not ok().
  const Error& error() const { assert(!ok()); return *std::get_if<1>(&outcome_); }

 private:
  std::variant<T, Error> outcome_;
};

}  // namespace attn::core
