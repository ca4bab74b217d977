// The examples that come with the program: documents like any other, embedded by the build.
#include <array>

#include "core/language.h"
#include "lesson/example.h"
#include "lesson/examples.h"

namespace attn::lesson {

std::span<const BuiltIn> builtIns() {
  static constexpr std::array<BuiltIn, 2> kBuiltIns = {{
      {"three-positions", examples::three_positions_json,
       trLater("Every number comes out as a plain fraction: watch position 3 weigh three sources by 1/4, 1/4 and 1/2.")},
      {"cat-sat-down", examples::cat_sat_down_json,
       trLater("Queries, keys and values are given: watch \"sat\" take most of what it reads from \"cat\".")},
  }};
  return kBuiltIns;
}

core::Result<Example> builtInExample(std::string_view id) {
  std::string known;
  for (const BuiltIn& built_in : builtIns()) {
    if (built_in.id != id) {
      known += (known.empty() ? "" : ", ") + std::string(built_in.id);
      continue;
    }
    core::Result<Example> example = parseExample(built_in.json, std::string(id));
    if (!example) return example;
    example.value().title = trText(example.value().title);
    example.value().about = tr(built_in.about);
    return example;
  }
  return core::Error{tr("There is no built-in example `{0}`; the examples are {1}.", {id, known})};
}

}  // namespace attn::lesson
