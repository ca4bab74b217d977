// Looking a text up and filling it in. See language.h.
#include "core/language.h"

#include <cassert>
#include <cstdio>

namespace attn::core {
namespace {

Translations& translations() {
  static Translations kSet;
  return kSet;
}

std::string_view translated(std::string_view english) {
  const auto found = translations().find(english);
  return found == translations().end() ? english : std::string_view(found->second);
}

// inside: "0", or "0|layer|layers".
std::string_view filled(std::string_view inside, std::initializer_list<Filling> fillings) {
  const std::size_t at = inside.empty() ? fillings.size() : static_cast<std::size_t>(inside[0] - '0');
  assert(at < fillings.size());
  if (at >= fillings.size()) return {};
  const std::string_view text = (fillings.begin() + at)->text();
  if (inside.size() < 2) return text;
  const std::string_view forms = inside.substr(2);
  const std::size_t bar = forms.find('|');
  assert(inside[1] == '|' && bar != std::string_view::npos);
  return text == "1" ? forms.substr(0, bar) : forms.substr(bar + 1);
}

}  // namespace

Filling::Filling(const std::string& text) : text_(text) {}
Filling::Filling(std::string_view text) : text_(text.data() ? text : std::string_view("")) {}
Filling::Filling(const char* text) : text_(text) {}
Filling::Filling(Digits whole) { std::snprintf(digits_.data(), digits_.size(), "%lld", whole.number); }
Filling::Filling(Count whole) { std::snprintf(digits_.data(), digits_.size(), "%llu", whole.number); }

[[gnu::noinline]] std::string tr(const char* english) { return tr(std::string_view(english)); }
[[gnu::noinline]] std::string tr(const char* english, std::initializer_list<Filling> fillings) {
  return tr(std::string_view(english), fillings);
}

void setTranslations(Translations of_language) { translations() = std::move(of_language); }

std::string trText(std::string_view english) { return std::string(translated(english)); }

std::string tr(std::string_view english, std::initializer_list<Filling> fillings) {
  std::string_view rest = translated(english);
  std::string text;
  for (std::size_t open = rest.find('{'); open != std::string_view::npos; open = rest.find('{')) {
    text += rest.substr(0, open);
    rest.remove_prefix(open + 1);
    const bool brace = rest.substr(0, 1) == "{";
    const std::size_t close = brace ? 0 : rest.find('}');
    if (close == std::string_view::npos) break;  // no literal of ours, and no entry of a table, which a test reads
    text += brace ? std::string_view("{") : filled(rest.substr(0, close), fillings);
    rest.remove_prefix(close + 1);
  }
  return text += rest;
}

}  // namespace attn::core
