// A language for as long as a test speaks it.
#pragma once
#include <string>

#include "core/language.h"

namespace attn::test {

// "en", or one with a table in src/language. English again at the end.
class Language {
 public:
  explicit Language(const std::string& code);
  explicit Language(core::Translations translations);
  ~Language();
  Language(const Language&) = delete;
  Language& operator=(const Language&) = delete;
};

}  // namespace attn::test
