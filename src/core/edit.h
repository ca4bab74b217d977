// One edit as people write it: "v[1]=0,0", "h1.scores[2][0]=ln(2)", "forbid=2,*". Reads and prints the grammar; what an
// edit does to an example is edited.h's concern.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/stage.h"
#include "core/tensor.h"

namespace attn::core {

enum class EditKind : std::uint8_t {
  kSet,         // NAME[i]=a,b,…   NAME[i][j]=a   with h1. before it for one head
  kForbid,      // forbid=i,j      * for all
  kAllow,       // allow=i,j       * for all
  kZeroWeight,  // zero-weight=i,j   no renormalising; * for all
  kUniform,     // uniform=h1,i
  kPermute,     // permute=h1,i,seed
  kAblate,      // ablate=h1
  kMeanAblate,  // mean-ablate=h1
  kScale,       // scale=a
  kTemperature, // temperature=a
  kSoftcap,     // softcap=a
  kSink,        // sink=a
  kAlibi,       // alibi=h0:s,h1:s
  kMask,        // mask=none|causal
  kToken,       // token[i]=text
  kInsert,      // insert=i,text    before position i
  kDelete,      // delete=i
  kMove,        // move=i,j         to where j is
  kAddHead,     // add-head=h1      a copy of that head becomes the last one
  kRemoveHead,  // remove-head=h1
  kKeyWidth,    // d_k=n
  kValueWidth,  // d_v=n
};

struct Edit {
  EditKind kind = EditKind::kSet;
  Array array = Array::kX;    // kSet
  std::optional<Index> head;  // nothing: all, or not per head
  std::optional<Index> row;   // nothing: *
  std::optional<Index> col;   // nothing: * or a whole row
  Index count = 0;            // where to move; the width
  std::vector<double> values;        // kSet, and the rules that are a number
  std::vector<std::pair<Index, double>> slopes;  // kAlibi: per head
  std::uint64_t seed = 0;
  std::string text;           // of a token
  bool causal = false;        // kMask
  bool operator==(const Edit&) const = default;
};

// The most edits that a list may have.
inline constexpr std::size_t kMaxEdits = 1000;

// Refuses an empty text, an unknown name, a missing or superfluous part, and what is not a finite number, in one sentence
// that quotes the edit. Whether rows, heads and counts fit is said when it is carried out.
Result<Edit> parseEdit(std::string_view text);

// The edit in its shortest form; parseEdit reads it back as the same Edit.
std::string editText(const Edit& edit);

// The text, cut where it is long: what a sentence quotes stays short.
std::string shortened(std::string_view text);

// "NAME[i]=a,b and NAME[i][j]=a with NAME one of …; forbid=i,j; …": the forms, for those who got one wrong.
std::string editForms();

}  // namespace attn::core
