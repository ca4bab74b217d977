// Rows of texts as CSV (RFC 4180). Knows no numbers and no files.
#pragma once
#include <string>
#include <vector>

namespace attn::io {

// Cells with commas, quotes, line ends or blanks at their ends are quoted; every row ends with CR LF.
std::string csvText(const std::vector<std::vector<std::string>>& rows);

}  // namespace attn::io
