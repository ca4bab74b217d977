// A Trace as JSON, to the letter of the Trace format: what `attnscope-cli trace` prints and the page's API returns.
#pragma once
#include <string>

#include "core/trace.h"
#include "lesson/example.h"

namespace attn::lesson {

std::string traceJson(const Example& example, const core::Trace<double>& trace);

}  // namespace attn::lesson
