// Files of other formats that people may try to open, told by how they begin. Reads none of them.
#pragma once
#include <string>
#include <string_view>

namespace attn::io {

// "a ZIP archive (as .npz and .pt are)", "a NumPy array (.npy)", …; "" for what may be JSON.
std::string foreignFormat(std::string_view bytes);

}  // namespace attn::io
