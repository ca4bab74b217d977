// Arrays out of lists inside each other, as JSON and prints have them: the shape is what the lists have in common. Knows
// no syntax. Lists of different shapes side by side become arrays of their own, with names such as "3.0".
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/buffer.h"
#include "core/result.h"
#include "io/array_file.h"

namespace attn::io {

// Told what a text has, from its beginning to its end. `at` is where that begins, or a separator before it. What is told
// returns false when reading cannot go on; `failure` says why. What is no array (a list of numbers and texts, rows that
// are not equally long) is passed over, up to the outermost list around it, and the file's notes say so.
class NestedLists {
 public:
  static constexpr std::size_t kMostDepth = 64;
  static constexpr std::size_t kLongestName = 1000;

  // `text` is what the places are counted in. Both must live longer.
  NestedLists(std::string_view text, std::string_view file_name, const ArrayLimits& limits);

  // Takes memory for so many numbers; refuses what is beyond the limits. More can be told, and grow it.
  core::Check reserve(std::uint64_t numbers);

  bool openList(std::size_t at);
  bool closeList();
  bool openObject(std::size_t at);
  bool key(std::string_view name, std::size_t at);
  bool closeObject();
  bool number(double value, std::size_t at);
  bool text(std::string_view text, std::size_t at);
  bool flag(bool value, std::size_t at);  // is the number 1 or 0 in a list
  bool nothing(std::size_t at);           // is NaN in a list of numbers

  std::size_t depth() const { return used_; }
  std::string place(std::size_t at) const;  // "line 3, column 7", behind separators
  bool fail(std::string sentence);
  const core::Check& failure() const { return failure_; }

  // The arrays: numbers in one Buffer, texts in one for each array. A list that stood outside of everything is called
  // `root_name`, and where there are several, `root_name`.0 and so on. Refuses when there is none, and two of one name.
  // All that was opened is closed.
  core::Result<ArrayFile> finish(std::string_view format, const std::string& root_name);

 private:
  enum class Content { kNothing, kNumbers, kTexts, kLists };

  struct Shape {
    std::array<std::uint64_t, kMostAxes> lengths;  // innermost first; as many as axes are set
    std::size_t axes = 0;
    bool text = false;
    bool same(const Shape& other) const;
    std::uint64_t count() const;
  };

  // A list or an object that is open. While a list is not split, all its children have the shape `child`, and stand one
  // after the other in the numbers from `numbers` on, or in the texts from `texts` on.
  struct Frame {
    bool list = true, split = false;
    Content content = Content::kNothing;
    std::uint64_t count = 0, nulls = 0;  // children that are complete; of numbers, those that are null
    Shape child;
    std::size_t at = 0;
    std::uint64_t numbers = 0;
    std::size_t texts = 0, first_array = 0, first_held = 0, nulls_before = 0, flags_before = 0;
    std::string key, label;  // of an object: the member that is read; its member `name`
  };

  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  Frame& top() { return frames_[used_ - 1]; }
  bool inList() const { return used_ > 0 && frames_[used_ - 1].list; }
  bool rejected() const { return rejected_ != kNone; }
  bool push(bool list, std::size_t at);
  bool scalar(Content content, std::size_t at);
  bool store(double value);
  bool join(Frame& list);
  bool split(std::size_t frames);
  bool emitChild(const Frame& list, std::size_t frame, std::uint64_t child, std::size_t& texts);
  bool emit(const Shape& shape, std::uint64_t numbers, std::size_t& texts, std::string name);
  core::Check hold(ArrayInfo& info, std::uint64_t count, std::size_t& texts);
  bool reject(const std::string& what, const std::string& todo, std::size_t at);
  bool drop(const Frame& list);
  bool passOver(std::string_view what);
  void relabel(const Frame& object);
  std::string nameOf(std::size_t frame) const;
  std::string nothingFound() const;
  void nameRoots(const std::string& root_name);
  core::Check uniqueNames() const;
  void note(std::string text);

  std::string_view text_;
  std::string file_;
  ArrayLimits limits_;
  std::vector<Frame> frames_;
  std::size_t used_ = 0, rejected_ = kNone;  // the frame of the outermost list that is no array
  std::string reason_;
  core::Buffer numbers_, texts_;  // texts: four bytes for the length, then the text
  std::uint64_t number_count_ = 0, held_bytes_ = 0;
  std::size_t text_bytes_ = 0;
  ArrayFile out_;
  std::set<std::string> labelled_;
  std::vector<std::string> passed_;
  std::size_t passed_count_ = 0, notes_left_out_ = 0, nulls_ = 0, flags_ = 0;
  bool attention_missing_ = false;
  core::Check failure_;
};

}  // namespace attn::io
