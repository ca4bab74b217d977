// The words of a text file made whole: {name} filled in, "when" decided. Knows no blocks.
#pragma once
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/result.h"
#include "lesson/page.h"

namespace attn::scene {

// A whole number below 10^15 as people read it: "16,640", as the language parts thousands.
std::string grouped(double whole);

class Filler {
 public:
  // All are kept by reference; `failure` takes the first thing that is wrong.
  Filler(const std::vector<lesson::Param>& params, const std::vector<lesson::Outcome>& results, core::Check& failure)
      : params_(params), results_(results), failure_(failure) {}

  std::string fill(std::string_view text) const;
  bool holds(std::string_view condition) const;  // "NAME=VALUE", "NAME!=VALUE"
  bool flag(std::string_view name) const;        // a result that is true or false

 private:
  using Value = decltype(lesson::Outcome::value);

  std::string placeholder(std::string_view inside) const;
  std::string paramText(const lesson::Param& param, std::string_view format) const;
  std::string valueText(const Value& value, std::string_view indices, std::string_view format) const;
  std::string numberText(double value, std::string_view format) const;
  const lesson::Param* param(std::string_view name) const;
  const Value* result(std::string_view name) const;
  void refuse(std::string_view what, const std::string& sentence) const;

  const std::vector<lesson::Param>& params_;
  const std::vector<lesson::Outcome>& results_;
  core::Check& failure_;
};

}  // namespace attn::scene
