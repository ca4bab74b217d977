#!/usr/bin/env python3
"""Writes src/model/unicode_table.h: where letters, numbers and white space begin and end, for src/model/unicode_class.cpp.
Letters are the general categories L*, numbers N*, both of the Unicode version of the Python that runs this; white space is
Unicode's White_Space, which has not changed since version 6.3. Usage: unicode.py, from any folder."""
import pathlib
import sys
import unicodedata

OTHER, LETTER, NUMBER, SPACE = range(4)
WHITE = {*range(0x9, 0xE), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000}


def class_of(code):
    if code in WHITE:
        return SPACE
    return {"L": LETTER, "N": NUMBER}.get(unicodedata.category(chr(code))[0], OTHER)


def main():
    entries, before = [], OTHER
    for code in range(sys.maxunicode + 1):
        now = class_of(code)
        if now != before:
            entries.append(f"0x{code << 2 | now:X},")
            before = now
    lines, line = [], " "
    for entry in entries:
        if len(line) + 1 + len(entry) > 120:
            lines.append(line)
            line = " "
        line += " " + entry
    text = f"""// Where the classes of characters begin, by Unicode {unicodedata.unidata_version}. Written by scripts/model/unicode.py; knows nothing else.
#pragma once
#include <cstdint>

namespace attn::model {{

// Ascending: the first character of a run << 2 | its class; what stands before the first is kOther.
inline constexpr std::uint32_t kClassRuns[] = {{
{chr(10).join(lines + [line])}
}};

}}  // namespace attn::model
"""
    (pathlib.Path(__file__).resolve().parents[2] / "src/model/unicode_table.h").write_text(text)


main()
