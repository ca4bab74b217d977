// What a Python pickle says, as plain values: names that it asks for are only names, and nothing is ever called. Knows no
// PyTorch.
#pragma once
#include <cstdint>
#include <string_view>

#include "core/buffer.h"
#include "core/result.h"
#include "io/pool.h"

namespace attn::io {

class Pickle {
 public:
  using Id = std::uint32_t;  // of a value
  static constexpr Id kNoValue = 0xFFFFFFFF;

  enum class Kind : std::uint8_t {
    kNone,
    kBool,
    kInteger,
    kLarge,   // an integer of more than 64 bits
    kFloat,
    kText,
    kBytes,
    kList,
    kTuple,
    kDict,
    kSet,
    kName,    // of a class, a function or a constant
    kCall,    // a name that would be called, its arguments, and what would be put into the outcome
    kStored,  // something that stands beside the pickle, by its key
  };

  Id root() const { return root_; }
  Kind kind(Id id) const { return values_[id].kind; }

  std::int64_t integer(Id id) const;        // of a kBool or a kInteger
  double number(Id id) const;               // of a kFloat
  std::string_view text(Id id) const;       // the bytes of a kText, nearly always UTF-8, or of a kBytes
  std::string_view moduleName(Id id) const;  // of a kName
  std::string_view name(Id id) const;
  Id function(Id id) const { return values_[id].c; }   // of a kCall: a kName
  Id arguments(Id id) const { return values_[id].d; }  // of a kCall: a kTuple
  Id state(Id id) const { return values_[id].e; }      // of a kCall: what would be put into it, or kNoValue
  Id key(Id id) const { return values_[id].c; }        // of a kStored
  // Whether the items are keys and values in turn: of a dict always, of a call where it is like one.
  bool pairs(Id id) const { return values_[id].pairs; }

  // The items of a list, tuple, dict, set or call, in order. A value may contain itself.
  class Items {
   public:
    class Iterator {
     public:
      Iterator(const Pickle& pickle, std::uint32_t cell) : pickle_(&pickle), cell_(cell) {}
      Id operator*() const { return pickle_->cells_[cell_].value; }
      Iterator& operator++() {
        cell_ = pickle_->cells_[cell_].next;
        return *this;
      }
      bool operator==(const Iterator& other) const { return cell_ == other.cell_; }

     private:
      const Pickle* pickle_;
      std::uint32_t cell_;
    };
    Items(const Pickle& pickle, std::uint32_t first) : pickle_(pickle), first_(first) {}
    Iterator begin() const { return {pickle_, first_}; }
    Iterator end() const { return {pickle_, kNoValue}; }

   private:
    const Pickle& pickle_;
    std::uint32_t first_;
  };
  Items items(Id id) const;
  std::size_t count(Id id) const;  // walks over them
  Id item(Id id, std::size_t index) const;  // walks to it; kNoValue where there is none

 private:
  friend class PickleReader;

  // The fields by kind: number a, b (low and high half); text a (place), b (length); name a, b and c, d (two texts);
  // items a (first cell), b (last); call c, d, e as above.
  struct Value {
    Kind kind = Kind::kNone;
    bool pairs = false;
    std::uint32_t a = kNoValue, b = kNoValue, c = kNoValue, d = kNoValue, e = kNoValue;
  };
  struct Cell {
    std::uint32_t value, next;
  };
  std::string_view slice(std::uint32_t begin, std::uint32_t length) const;

  core::Buffer bytes_;
  Pool<Value> values_;
  Pool<Cell> cells_;
  Id root_ = kNoValue;
};

struct PickleLimits {
  std::size_t bytes = 16'000'000;
  std::size_t values = std::size_t(1) << 20;
  std::size_t cells = std::size_t(1) << 22;  // items of all lists, tuples, dicts and sets
};

// Reads pickles of protocol 2 to 5. Refuses, naming the file: a name that `allowed` does not know, what calls anything
// but a name, operations that only older protocols have, what is damaged, and more than the limits.
core::Result<Pickle> readPickle(core::Buffer bytes, std::string_view file_name,
                                bool (*allowed)(std::string_view module, std::string_view name),
                                const PickleLimits& limits = {});

}  // namespace attn::io
