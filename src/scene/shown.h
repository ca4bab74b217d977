// What the part of a page puts together in code, block by block. Knows no scene.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "lesson/page.h"

namespace attn::scene {

struct Shown {
  std::vector<lesson::Block> blocks;
  std::string says;  // what came out, in a sentence or two

  void heading(std::string text) { blocks.push_back({lesson::Words{lesson::Words::Style::kHeading, std::move(text)}}); }
  void text(std::string text) { blocks.push_back({lesson::Words{lesson::Words::Style::kText, std::move(text)}}); }
  void note(std::string text) { blocks.push_back({lesson::Words{lesson::Words::Style::kNote, std::move(text)}}); }
  void code(std::string text) { blocks.push_back({lesson::Words{lesson::Words::Style::kCode, std::move(text)}}); }
  // What there is to say in the place of everything else.
  void tell(std::string sentence) {
    says = std::move(sentence);
    text(says);
  }
  template <class Content>
  void add(Content content, bool beside = false) { blocks.push_back({std::move(content), beside}); }
};

}  // namespace attn::scene
