// The files that were opened last, kept between visits: one path a line, newest first. Opens none of them.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace attn::disk {

inline constexpr std::size_t kMostRecent = 8;

// $XDG_STATE_HOME/attnscope/recent, or below ~/.local/state; "" where neither is known.
std::string recentFile();

// The absolute paths among the lines, each once, as many as are kept. Whatever else stands there is left out.
std::vector<std::string> recentIn(std::string_view text);

// Nothing where the file is missing, is no plain file, or cannot be read.
std::vector<std::string> readRecent(const std::string& file);

// `paths` before those of the file. Gives the list that is kept now; where it cannot be written, that is not told.
std::vector<std::string> addRecent(const std::string& file, const std::vector<std::string>& paths);

std::vector<std::string> dropRecent(const std::string& file, const std::string& path);

}  // namespace attn::disk
