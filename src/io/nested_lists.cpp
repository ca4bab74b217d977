// What is told while reading: lists open and close, and join the list around them. See nested_lists.h.
#include "io/nested_lists.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

#include "core/language.h"
#include "io/label.h"
#include "io/text.h"

namespace attn::io {
namespace {

constexpr std::size_t kMostListNotes = 20;
constexpr std::size_t kGrowth = 8192;

}  // namespace

NestedLists::NestedLists(std::string_view text, std::string_view file_name, const ArrayLimits& limits)
    : text_(text), file_(ticked(file_name)), limits_(limits) {}

core::Check NestedLists::reserve(std::uint64_t numbers) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::size_t>::max() / sizeof(double);
  if (numbers > limits_.held / sizeof(double) || numbers > kMost) {
    return core::Error{tr("The {0} {0|number|numbers} of {1} need more memory than the limit of {2}; save them as .npy, "
                          "which is read in parts.", {numbers, file_, core::bytesText(limits_.held)})};
  }
  return numbers_.resize(static_cast<std::size_t>(numbers * sizeof(double)));
}

bool NestedLists::openList(std::size_t at) {
  if (!rejected() && inList()) {
    if (top().content == Content::kNumbers || top().content == Content::kTexts) {
      reject(tr("a list holds both lists and single values"), tr("give lists of one kind"), at);
    } else {
      top().content = Content::kLists;
    }
  }
  return push(true, at);
}

bool NestedLists::openObject(std::size_t at) {
  if (!rejected() && inList()) {
    if (top().content == Content::kNumbers || top().content == Content::kTexts) {
      reject(tr("a list holds both objects and single values"), tr("give lists of one kind"), at);
    } else {
      top().content = Content::kLists;
      if (!split(used_)) return false;
    }
  }
  return push(false, at);
}

bool NestedLists::push(bool list, std::size_t at) {
  if (used_ == kMostDepth) {
    return fail(tr("More than {0} lists stand inside each other in {1} at {2}; a matrix is a list of lists of numbers.",
                   {kMostDepth, file_, place(at)}));
  }
  if (frames_.size() == used_) frames_.emplace_back();
  Frame& frame = frames_[used_++];
  frame.list = list, frame.split = false;
  frame.content = Content::kNothing;
  frame.count = 0, frame.nulls = 0;
  frame.child.axes = 0, frame.child.text = false;
  frame.at = at;
  frame.numbers = number_count_, frame.texts = text_bytes_;
  frame.first_array = out_.arrays.size(), frame.first_held = out_.held.size();
  frame.nulls_before = nulls_, frame.flags_before = flags_;
  frame.key.clear(), frame.label.clear();
  return true;
}

bool NestedLists::closeList() {
  assert(inList());
  Frame& list = top();
  if (!rejected() && !join(list)) return false;
  --used_;
  if (rejected_ == used_) return drop(list);
  if (used_ > 0 && inList()) ++top().count;
  else text_bytes_ = list.texts;
  return true;
}

bool NestedLists::closeObject() {
  assert(used_ > 0 && !top().list);
  if (!rejected()) relabel(top());
  --used_;
  if (inList()) ++top().count;
  return true;
}

bool NestedLists::key(std::string_view name, std::size_t) {
  if (!rejected()) top().key = name;
  return true;
}

bool NestedLists::number(double value, std::size_t at) {
  if (rejected()) return true;
  if (!inList()) return passOver(trLater("a number"));
  return scalar(Content::kNumbers, at) && (rejected() || store(value));
}

bool NestedLists::flag(bool value, std::size_t at) {
  if (rejected()) return true;
  if (!inList()) return passOver(trLater("true or false"));
  ++flags_;
  return number(value ? 1 : 0, at);
}

bool NestedLists::nothing(std::size_t at) {
  if (rejected()) return true;
  if (!inList()) {
    attention_missing_ = attention_missing_ || (used_ > 0 && top().key.find("attention") != std::string::npos);
    return passOver("null");
  }
  ++top().nulls, ++nulls_;
  return number(std::numeric_limits<double>::quiet_NaN(), at);
}

bool NestedLists::text(std::string_view text, std::size_t at) {
  if (rejected()) return true;
  if (!inList()) {
    if (used_ > 0 && top().key == "name" && !text.empty() && text.size() <= 100) top().label = text;
    return passOver(trLater("a text"));
  }
  if (!scalar(Content::kTexts, at)) return false;
  if (rejected()) return true;
  const auto length = static_cast<std::uint32_t>(text.size());
  if (text_bytes_ + sizeof length + text.size() > texts_.size()) {
    const std::size_t size = texts_.size() + std::max(texts_.size() / 4 + kGrowth, sizeof length + text.size());
    if (core::Check none = texts_.resize(size)) return fail(none->message);
  }
  std::byte* to = texts_.bytes().data() + text_bytes_;
  std::memcpy(to, &length, sizeof length);
  if (length > 0) std::memcpy(to + sizeof length, text.data(), length);
  text_bytes_ += sizeof length + text.size();
  return true;
}

bool NestedLists::scalar(Content content, std::size_t at) {
  Frame& list = top();
  if (list.content == Content::kNothing) {
    list.content = content;
    list.child.text = content == Content::kTexts;
  } else if (list.content != content) {
    return reject(list.content == Content::kLists ? tr("a list holds both lists and single values")
                                                  : tr("a list holds both numbers and texts"),
                  tr("give lists of one kind"), at);
  }
  ++list.count;
  return true;
}

bool NestedLists::store(double value) {
  const std::uint64_t capacity = numbers_.size() / sizeof(double);
  if (number_count_ == capacity) {
    if (core::Check none = reserve(capacity + capacity / 4 + kGrowth)) return fail(none->message);
  }
  numbers_.as<double>()[static_cast<std::size_t>(number_count_++)] = value;
  return true;
}

// The list that closes is complete: it becomes one more child of the list around it, or an array.
bool NestedLists::join(Frame& list) {
  if (list.nulls > 0 && list.nulls == list.count) {
    return reject(tr("a list holds only null"),
                  tr("give numbers; where attention was not computed, load the model with "
                     "attn_implementation=\"eager\" and save it again"), list.at);
  }
  Frame* around = used_ > 1 && frames_[used_ - 2].list ? &frames_[used_ - 2] : nullptr;
  if (list.split) return true;
  Shape shape = list.child;
  if (shape.axes == kMostAxes) {
    const std::string what = tr("more than {0} lists stand inside each other", {kMostAxes});
    return reject(what, tr("give fewer axes"), list.at);
  }
  shape.lengths[shape.axes++] = list.count;
  std::size_t texts = list.texts;
  if (!around) return emit(shape, list.numbers, texts, nameOf(used_ - 1));
  if (around->count == 0 && !around->split) {
    around->child = shape;
    return true;
  }
  if (!around->split && around->child.same(shape)) return true;
  const bool rows = shape.axes == 1 && !shape.text && around->child.axes == 1 && !around->child.text;
  if (rows && !around->split) {
    return reject(tr("row {0} has {1} {1|number|numbers}, row 1 has {2}",
                     {around->count + 1, list.count, around->child.lengths[0]}),
                  tr("make all rows equally long"), list.at);
  }
  return split(used_ - 1) && emit(shape, list.numbers, texts, nameOf(used_ - 1));
}

// From here on the outermost `frames` hold no single array: their children so far become arrays, the outer ones first.
bool NestedLists::split(std::size_t frames) {
  for (std::size_t i = 0; i < frames; ++i) {
    Frame& list = frames_[i];
    if (!list.list || list.split) continue;
    list.split = true;
    std::size_t texts = list.texts;
    for (std::uint64_t child = 0; child < list.count; ++child) {
      if (!emitChild(list, i, child, texts)) return false;
    }
  }
  return true;
}

bool NestedLists::emitChild(const Frame& list, std::size_t frame, std::uint64_t child, std::size_t& texts) {
  const std::string outer = nameOf(frame);
  return emit(list.child, list.numbers + child * list.child.count(), texts,
              outer + (outer.empty() ? "" : ".") + std::to_string(child));
}

bool NestedLists::reject(const std::string& what, const std::string& todo, std::size_t at) {
  rejected_ = used_ - 1;
  while (rejected_ > 0 && frames_[rejected_ - 1].list) --rejected_;
  // To count lines takes time, so it is done only for what will be read.
  reason_ = out_.notes.size() < kMostListNotes ? tr("{0} at {1}; {2}", {what, place(at), todo}) : what;
  return true;
}

// The list is no array, nor is anything in it.
bool NestedLists::drop(const Frame& list) {
  rejected_ = kNone;
  out_.arrays.resize(list.first_array);
  out_.held.resize(list.first_held);
  number_count_ = list.numbers, text_bytes_ = list.texts;
  nulls_ = list.nulls_before, flags_ = list.flags_before;
  const std::string name = nameOf(used_);
  note(name.empty() ? tr("In {0} {1}.", {file_, reason_}) : tr("{0} is passed over: {1}.", {ticked(name), reason_}));
  return true;
}

bool NestedLists::passOver(std::string_view what) {
  ++passed_count_;
  if (passed_.size() < 8) {
    const std::string name = nameOf(used_);
    passed_.push_back(name.empty() ? tr(what) : ticked(name) + " (" + tr(what) + ")");
  }
  return true;
}

// The arrays of an object in a list are called after its member `name`, where that is the only one of that name.
void NestedLists::relabel(const Frame& object) {
  if (object.label.empty() || used_ < 2 || !frames_[used_ - 2].list || out_.arrays.size() == object.first_array) return;
  const std::string before = nameOf(used_ - 1), outer = nameOf(used_ - 2);
  const std::string after = outer + (outer.empty() ? "" : ".") + object.label;
  if (!labelled_.insert(after).second) return;
  for (std::size_t i = object.first_array; i < out_.arrays.size(); ++i) {
    std::string& name = out_.arrays[i].name;
    assert(name.compare(0, before.size(), before) == 0);
    name = after + name.substr(before.size());
  }
}

// The frame's own name: the members and places that lead to it.
std::string NestedLists::nameOf(std::size_t frame) const {
  std::string name;
  for (std::size_t i = 0; i < frame; ++i) {
    if (i > 0) name += '.';
    name += frames_[i].list ? std::to_string(frames_[i].count) : frames_[i].key;
  }
  return name;
}

std::string NestedLists::place(std::size_t at) const {
  while (at < text_.size() && std::string_view(" \t\r\n,:").find(text_[at]) != std::string_view::npos) ++at;
  return placeText(placeOf(text_, at));
}

bool NestedLists::fail(std::string sentence) {
  failure_ = core::Error{std::move(sentence)};
  return false;
}

void NestedLists::note(std::string text) {
  if (out_.notes.size() < kMostListNotes) out_.notes.push_back(std::move(text));
  else ++notes_left_out_;
}

bool NestedLists::Shape::same(const Shape& other) const {
  return axes == other.axes && text == other.text &&
         std::equal(lengths.begin(), lengths.begin() + static_cast<std::ptrdiff_t>(axes), other.lengths.begin());
}

std::uint64_t NestedLists::Shape::count() const {
  std::uint64_t product = 1;  // every element has been told, or one of the lengths is 0
  for (std::size_t i = 0; i < axes; ++i) product *= lengths[i];
  return product;
}

}  // namespace attn::io
