// The border inside the page's program: what is fetched later is entered only by functions marked with ATTN_GATE. Knows
// none of them; scripts/split.mjs reads the marks.
#pragma once

// Before a declaration or definition with external linkage, in a file that src/platform/program.cmake counts among the
// rest. Never drawn into its callers, which must know that the rest is there: a page of a scene exists, or
// Environment::rest_loaded says so.
#define ATTN_GATE [[gnu::noinline]]
