// Which language the desktop program speaks. Knows no text.
#pragma once
#include <string>
#include <string_view>

#include "core/result.h"

namespace attn::platform {

// "en", or a code for which there is a table in src/language/. To be called before anything is said; an error, and English
// stays, when there is no such table.
core::Check setLanguage(std::string_view code);

// As the environment says it: the first of LC_ALL, LC_MESSAGES and LANG that is not empty. English where there is no table.
std::string languageOfSystem();

}  // namespace attn::platform
