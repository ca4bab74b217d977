// A page in words and tables for assistive technology: everything that its figures show.
#pragma once
#include <set>
#include <string>

#include "app/presentation.h"
#include "core/gate.h"
#include "lesson/page.h"

namespace attn::ui {

// [{"kind": "heading"|"text"|"note"|"code"|"claim"|"question"|"answer"|"source", "text": …}, {"kind": "table",
// "caption", "columns": […], "rows": [{"head", "cells": […]}]}]. `answers`: the questions whose answer is shown. What
// `shown` hides is not told.
// Tables have at most 64 rows and columns; the caption says what is left out.
ATTN_GATE std::string pageMirror(const lesson::Page& page, const std::set<std::size_t>& answers,
                                 const app::Presentation& shown);

}  // namespace attn::ui
