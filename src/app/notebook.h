// What a person has predicted, what came out, and what they noted: one entry for each task, in the order in which they
// were revealed. Knows no screen; nothing of it is in links or in the history.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "lesson/page.h"

namespace attn::app {

struct NotebookEntry {
  lesson::Verdict first;  // the first one that was revealed counts; its note is the latest one
  int later = 0;          // how many other predictions came after it,
  std::string last;       // the last of them,
  bool last_right = false;  // and whether it was right
  bool operator==(const NotebookEntry&) const = default;
};

class Notebook {
 public:
  const std::vector<NotebookEntry>& entries() const { return entries_; }
  // False when there is nothing new in it.
  bool keep(const lesson::Verdict& verdict);
  void clear() { entries_.clear(); }

  // For whoever keeps it between visits. Restoring something that is no notebook changes nothing.
  std::string json() const;
  bool restore(std::string_view json);
  // For people: texts are escaped, so that they stand in it as they were written.
  std::string markdown() const;

  // "wrong", "right", "no prediction"
  static std::string judgementText(lesson::Verdict::Judgement judgement);
  // "2 later predictions; the last, 1/3, was right": "" when there is none.
  static std::string laterText(const NotebookEntry& entry);

 private:
  std::vector<NotebookEntry> entries_;
};

}  // namespace attn::app
