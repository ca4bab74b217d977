// Numbers as people read them. Knows no locale: the decimal sign is always a full stop.
#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace attn::core {

// Fixed decimals (0–17), minus as "−"; a non-zero value that would read as zero is written as "3e-9" instead;
// exact zero is "0"; "∞", "−∞", "NaN". Trailing zeros are kept: "2.8280". From 1e9 on: "1.2346e300", "1e12".
std::string fixedText(double value, int decimals);

// True when fixedText(value, decimals) is the value itself, not a rounding.
bool fixedIsExact(double value, int decimals);

// ±p/q·{1, √2, ln 2, √2·ln 2} with q ≤ 64 within 1e-13 relative, in lowest terms with the factor last: "3/2", "√2",
// "−1/2·√2", "2·ln 2", "3/4·√2·ln 2", "0". Nothing for every other number, nor where p would be above 4096
// (whole numbers: 1,000,000), since a chance hit would no longer be rare.
std::optional<std::string> exactText(double value);

// What a person writes for a number: decimals, p/q, sqrt(n) or √n, ln(n), signs, products and quotients of these:
// "-2*sqrt(2)/3", "1/2·√2", "1e-9". Nothing for other texts and for what is not finite.
std::optional<double> parseNumber(std::string_view text);

// The shortest decimal that reads back as the same double: "0.1", "-2.8284271247461903", "1.5e-7"; "-inf", "inf", "nan".
std::string fullText(double value);

// %.17g for machines; non-finite numbers are "-inf", "inf", "nan" without quotes.
std::string machineText(double value);

}  // namespace attn::core
