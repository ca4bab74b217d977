// The tokens of a print, told to NestedLists. See print_arrays.h.
#include "io/print_arrays.h"

#include <algorithm>
#include <array>
#include <string>

#include "core/language.h"
#include "io/label.h"
#include "io/nested_lists.h"
#include "io/print_tokens.h"
#include "io/source_text.h"
#include "io/text.h"

namespace attn::io {
namespace {

using PrintKind = PrintTokens::Kind;

bool inName(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

// 't', 'f' or 'n' for what Python calls True, False and None; otherwise 0.
char constantOf(std::string_view word) {
  if (word == "True" || word == "true") return 't';
  if (word == "False" || word == "false") return 'f';
  return word == "None" || word == "null" ? 'n' : '\0';
}

char closing(char open) { return open == '[' ? ']' : open == '(' ? ')' : '}'; }

// What a text in quotes says, as Python's repr writes it.
std::string unescaped(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = text[i] == '\\' && i + 1 < text.size() ? text[i + 1] : '\0';
    const std::size_t known = next == '\0' ? std::string_view::npos : std::string_view("ntr\\'\"").find(next);
    if (known == std::string_view::npos) {
      out += text[i];
    } else {
      out += "\n\t\r\\'\""[known];
      ++i;
    }
  }
  return out;
}

// At least as many as there are numbers, or a little less where signs divide them.
std::uint64_t countNumbers(std::string_view text) {
  std::uint64_t count = 0;
  bool before = false;
  for (const char c : text) {
    const bool number = (c >= '0' && c <= '9') || c == '.' || c == 'e' || c == '+' || c == '-' || c == '/';
    count += number && !before;
    before = number;
  }
  return count;
}

class PrintReader {
 public:
  PrintReader(std::string_view text, std::string_view file_name, const ArrayLimits& limits)
      : text_(text), file_(ticked(file_name)), lists_(text, file_name, limits) {}

  core::Result<ArrayFile> read(const std::string& root_name) {
    if (core::Check none = lists_.reserve(countNumbers(text_))) return *none;
    PrintTokens tokens(text_);
    for (PrintTokens::Token token = tokens.next(); token.kind != PrintKind::kEnd; token = tokens.next()) {
      if (!take(token)) return lists_.failure() ? *lists_.failure() : refusal_;
      last_ = token;
    }
    if (depth_ > 0) {
      return core::Error{tr("The bracket at {0} of {1} is not closed; give the whole print.",
                            {placeText(placeOf(text_, open_[depth_ - 1].at)), file_})};
    }
    return lists_.finish(tr("text"), root_name);
  }

 private:
  struct Open {
    char bracket = '[';
    bool list = true;  // or what a name calls, or a dictionary
    std::size_t at = 0;
  };

  bool refuse(std::size_t at, const std::string& what, const std::string& todo) {
    refusal_ = core::Error{tr("{0} at {1} of {2}; {3}.", {what, placeText(placeOf(text_, at)), file_, todo})};
    return false;
  }

  bool take(const PrintTokens::Token& token) {
    switch (token.kind) {
      case PrintKind::kLeftOut:
        return refuse(token.at, tr("“...” stands for numbers that are left out"),
                      tr("print all of them, with numpy.set_printoptions(threshold=sys.maxsize) or "
                         "torch.set_printoptions(profile=\"full\")"));
      case PrintKind::kOpen: return open(token.at);
      case PrintKind::kClose: return close(token.at);
      case PrintKind::kNumber:
        if (!token.text.empty()) return !inList() || lists_.text(token.text, token.at);
        return !counts() || lists_.number(token.number.value, token.at);
      case PrintKind::kQuoted: return !inList() || lists_.text(unescaped(token.text), token.at);
      case PrintKind::kWord: return word(token);
      default: return true;
    }
  }

  bool open(std::size_t at) {
    if (depth_ == open_.size()) {
      return refuse(at, tr("More than {0} brackets stand inside each other", {open_.size()}),
                    tr("give a matrix as a list of lists"));
    }
    const char bracket = text_[at];
    const bool called = bracket == '(' && at > 0 && inName(text_[at - 1]);
    open_[depth_++] = {bracket, bracket == '[' || (bracket == '(' && !called), at};
    return !open_[depth_ - 1].list || lists_.openList(at);
  }

  bool close(std::size_t at) {
    if (depth_ == 0) return refuse(at, tr("A bracket closes that none has opened"), tr("give the whole print"));
    const Open& last = open_[depth_ - 1];
    if (text_[at] != closing(last.bracket)) {
      const std::string closed(1, text_[at]), opened(1, last.bracket);
      return refuse(at, tr("“{0}” closes what “{1}” has opened", {closed, opened}), tr("mend the brackets"));
    }
    --depth_;
    return !last.list || lists_.closeList();
  }

  bool inList() const { return depth_ > 0 && open_[depth_ - 1].list; }

  // A number in a list, or the only one in a call in a list: np.float64(0.5), tensor(0.5).
  bool counts() const {
    if (inList()) return true;
    return depth_ > 1 && open_[depth_ - 1].bracket == '(' && open_[depth_ - 2].list && last_.kind == PrintKind::kOpen;
  }

  bool word(const PrintTokens::Token& token) {
    if (!inList()) return true;
    if (const char constant = constantOf(token.text)) {
      return constant == 'n' ? lists_.nothing(token.at) : lists_.flag(constant == 't', token.at);
    }
    const std::size_t end = token.at + token.text.size();
    if (end < text_.size() && (text_[end] == '(' || text_[end] == '=')) return true;
    return refuse(token.at, tr("{0} stands among the numbers", {ticked(token.text)}),
                  tr("take it away, or put texts in quotes"));
  }

  std::string_view text_;
  std::string file_;
  NestedLists lists_;
  std::array<Open, NestedLists::kMostDepth> open_;
  std::size_t depth_ = 0;
  PrintTokens::Token last_;
  core::Error refusal_;
};

}  // namespace

bool looksPrinted(std::string_view text) {
  const std::size_t bracket = std::min(text.find_first_of("[("), text.size());
  if (text.substr(0, bracket).find_first_of(",;|\t") != std::string_view::npos) return false;
  char open = '\0';
  PrintTokens tokens(text);
  for (PrintTokens::Token token = tokens.next(); token.kind != PrintKind::kEnd; token = tokens.next()) {
    if (token.kind == PrintKind::kOpen) open = text[token.at];
    if (token.kind == PrintKind::kClose || token.kind == PrintKind::kNumber || token.kind == PrintKind::kLeftOut) break;
    if (token.kind == PrintKind::kQuoted && (open == '[' || open == '\0')) break;
    if (token.kind == PrintKind::kWord) {
      if (open == '[' && constantOf(token.text)) return true;
      const std::size_t next = text.find_first_not_of(' ', token.at + token.text.size());
      const bool leads = next != std::string_view::npos && (text[next] == '(' || text[next] == '=' || text[next] == ':');
      if (!leads) return false;
    }
  }
  return open != '\0';
}

core::Result<ArrayFile> readPrint(std::string_view text, std::string_view file_name, const ArrayLimits& limits) {
  return PrintReader(text, file_name, limits).read(stemOf(file_name, "pasted"));
}

}  // namespace attn::io
