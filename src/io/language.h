// The table of a language, src/language/CODE.json. Knows no language.
#pragma once
#include <string_view>

#include "core/language.h"
#include "core/result.h"

namespace attn::io {

// {"English text": "the same in another language", …}. An error when it is anything else.
core::Result<core::Translations> readTranslations(std::string_view json);

}  // namespace attn::io
