// The words for people in their language. English stands in the code, and is what a table of another language is asked
// with. Knows no language but English, and no files.
#pragma once
#include <array>
#include <concepts>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace attn::core {

// English text → the same in another language.
using Translations = std::map<std::string, std::string, std::less<>>;

// Process-wide, since sentences arise in every layer: set at the start, before anything is said, and left so. Empty: English.
void setTranslations(Translations translations);

// What stands in the place of a {0}: a text, which must outlive it, or a whole number. Not made where it is used, and
// with nothing to be let go of: there are hundreds of calls.
class Filling {
 public:
  Filling(const std::string& text);
  Filling(std::string_view text);
  Filling(const char* text);
  template <std::signed_integral Whole>
  Filling(Whole number) : Filling(Digits{static_cast<long long>(number)}) {}
  template <std::unsigned_integral Whole>
  Filling(Whole number) : Filling(Count{static_cast<unsigned long long>(number)}) {}
  std::string_view text() const { return text_.data() ? text_ : std::string_view(digits_.data()); }

 private:
  struct Digits {
    long long number;
  };
  struct Count {
    unsigned long long number;
  };
  Filling(Digits whole);
  Filling(Count whole);

  std::string_view text_;
  std::array<char, 21> digits_;  // of a number; then there is no text
};

// The text in the language that is set, with {0}, {1}, … filled in; English where the table has none. The first form of
// {0|layer|layers} is for the number 1, the second for every other. "{{" is a brace. `english` is a literal: the table is
// made from those that the code holds; for these a pointer is the shorter call.
std::string tr(std::string_view english, std::initializer_list<Filling> fillings = {});
std::string tr(const char* english);
std::string tr(const char* english, std::initializer_list<Filling> fillings);

// Marks a literal that some tr() is given later: of constants, which are made before a language is set.
constexpr std::string_view trLater(std::string_view english) { return english; }

// A text from our own JSON files, with its braces as they are.
std::string trText(std::string_view english);

}  // namespace attn::core

namespace attn {
using core::tr;
using core::trLater;
using core::trText;
}  // namespace attn
