// The code for frameworks, and that what the PyTorch ones write (tests/data/make_torch_files.py runs them) is understood.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "support/array_files.h"
#include "support/opened_pages.h"

namespace {

using namespace attn;
using survey::Slot;

std::string codeOf(const lesson::Page& page) {
  for (const lesson::Block& block : page.blocks) {
    const auto* words = std::get_if<lesson::Words>(&block.content);
    if (words && words->style == lesson::Words::Style::kCode) return words->text;
  }
  return "";
}

lesson::Page headOf(const std::string& file, const lesson::Settings& settings) {
  test::OpenPages open;
  open.open(Slot::kMain, file, test::arrayFile(file));
  lesson::Settings all = {{"part", "head"}};
  all.insert(all.end(), settings.begin(), settings.end());
  return open.page(all);
}

}  // namespace

TEST_CASE("each framework has its code, without any file being open") {
  test::OpenPages nothing;
  const auto code = [&](const std::string& framework) {
    return codeOf(nothing.page({{"part", "code"}, {"framework", framework}}));
  };
  const auto has = [](const std::string& text, const std::vector<std::string>& words) {
    return std::all_of(words.begin(), words.end(), [&](const auto& word) { return text.find(word) != std::string::npos; });
  };
  CHECK(has(code("huggingface"), {"attn_implementation=\"eager\"", "output_attentions=True", "model.eval()", "no_grad", "float32", "np.savez"}));
  CHECK(has(code("transformerlens"), {"hook_rot_q", "hook_q", "hook_attn_scores", "hook_pattern", "hook_z", "remove_batch_dim=True"}));
  CHECK(has(code("multihead"), {"need_weights=True", "average_attn_weights=False", "eval()"}));
  CHECK(has(code("sdpa"), {"F.scaled_dot_product_attention", "np.savez"}));
}

TEST_CASE("what the code for MultiheadAttention exports is understood, and computed again within float32") {
  const lesson::Page page = headOf("multihead.npz", {{"head", "1"}, {"rule", "none"}});
  CHECK(test::numberOf(page, "difference") < 1e-6);
  CHECK(test::falseClaims(page).empty());
  CHECK_FALSE(headOf("multihead.npz", {{"rule", "none"}, {"walk", "1"}}).document.empty());
}

TEST_CASE("what the code for scaled_dot_product_attention exports gives the recorded output again") {
  for (const char* layer : {"0", "1"}) {
    const lesson::Page page = headOf("sdpa.npz", {{"layer", layer}, {"head", "1"}, {"row", "3"}});
    CHECK(test::says(page, "There are no weights: these are softmax(q·k/√d_k)"));
    CHECK(test::numberOf(page, "z_difference") < 1e-6);
  }
}
