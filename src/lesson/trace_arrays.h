// A Trace as arrays with names: what can be taken away into files. The names are those of the Trace format.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/trace.h"
#include "io/named_array.h"
#include "lesson/example.h"

namespace attn::lesson {

// Every array of the Trace: T×D, or heads×T×D where it has several heads; wk, wv, bk, bv, k and v have those of keys and
// values. "tokens" and "sources" are texts, "allowed" is true and false. "softcap", which the format has not, is the rule's
// number, so that the arrays are the whole example.
std::vector<io::NamedArray> traceArrays(const Example& example, const core::Trace<double>& trace);

// Their names alone.
std::vector<std::string> traceArrayNames(const Example& example, const core::Trace<double>& trace);

// One of them, of one head where `head` is given. Refuses a name that this Trace has not, listing those that it has, and a
// head beyond the last.
core::Result<io::NamedArray> traceArray(const Example& example, const core::Trace<double>& trace, std::string_view name,
                                        std::optional<core::Index> head);

// Whether each head has an array of this name; those of keys and values are among them.
bool isPerHead(std::string_view name);

// What the rows and columns of the array of this name are.
enum class AxisKind : std::uint8_t { kFeatures, kDestinations, kSources };
struct AxisKinds {
  AxisKind rows = AxisKind::kFeatures, columns = AxisKind::kFeatures;
};
AxisKinds axesOf(std::string_view name);

// What the rows and columns of that array are called: "0 the"; empty where they are features.
struct Labels {
  std::vector<std::string> rows, columns;
};
Labels labelsOf(const Example& example, const io::NamedArray& array);

}  // namespace attn::lesson
