// What a command line asks to see, brought about. Reads files; knows no window.
#pragma once
#include "core/result.h"
#include "platform/application.h"
#include "platform/options.h"

namespace attn::platform {

// Opens the file and goes to the moment that the options name.
core::Check showMoment(Application& application, const Options& options);

}  // namespace attn::platform
