// The part "code", how to export from a framework, and what is said while nothing is open. Knows no file.
#include <algorithm>
#include <iterator>

#include "core/language.h"
#include "survey/code.h"
#include "survey/parts.h"
#include "survey/samples.h"

namespace attn::survey {
namespace {

struct Framework {
  std::string_view id, name, words, code, after;
};

constexpr Framework kFrameworks[] = {
    {"huggingface", "Hugging Face transformers",
     trLater("Only the implementation called \"eager\" gives its weights: with another one `attentions` is None, or the "
             "model falls back. Evaluation mode switches dropout off, and float32 keeps rows that sum to 1."),
     code::huggingface_py,
     trLater("In `generate` ask for output_attentions=True and return_dict_in_generate=True, and save its `attentions` "
             "with torch.save: the steps are put together here.")},
    {"transformerlens", "TransformerLens",
     trLater("The cache names every array: hook_q and hook_k are queries and keys before the rotary step, hook_rot_q "
             "and hook_rot_k after it; scores are hook_attn_scores, weights hook_pattern, mixed values hook_z. "
             "remove_batch_dim leaves the batch of one sequence out."),
     code::transformerlens_py,
     trLater("Weights follow from the turned queries and keys; with those before the rotary step the audit says that "
             "they were turned after.")},
    {"multihead", "PyTorch MultiheadAttention",
     trLater("Without average_attn_weights=False the weights are the mean of the heads. The queries, keys and values "
             "are those that the module computes within: heads one after another in the last axis."),
     code::multihead_py, trLater("Call it as export(module, x, \"attn.npz\"), where x holds one sequence.")},
    {"sdpa", "PyTorch scaled_dot_product_attention",
     trLater("This function gives no weights, so its inputs and its output are recorded: the weights are computed here, "
             "and the output shows whether they are right. It takes the function's place while the block runs; a model "
             "that imported the function by its name before is not heard."),
     code::sdpa_py,
     trLater("Calls are numbered as layers; its output is z, before W_O. A mask that is handed over is not recorded.")},
};

}  // namespace

void showCode(const Inputs& in, Shown& shown) {
  const std::string& chosen = in.text("framework");
  const auto found = std::find_if(std::begin(kFrameworks), std::end(kFrameworks), [&](const Framework& each) { return each.id == chosen; });
  const Framework& framework = found == std::end(kFrameworks) ? kFrameworks[0] : *found;
  shown.says = tr("How to export from {0}.", {framework.name});
  shown.heading(std::string(framework.name));
  shown.text(tr(framework.words));
  shown.code(std::string(framework.code));
  shown.text(tr(framework.after));
  shown.note(tr("Then open attn.npz here: choose it, or drop it on this page. It stays on your machine."));
}

void showEmpty(Shown& shown) {
  shown.tell(tr("Nothing is open yet: choose files, drop them here, or paste numbers."));
  shown.text(tr("What can be opened: .npy and .npz of NumPy, .safetensors, .pt and .pth of PyTorch (the pickle in them "
                "is read as data and never run), .json, .csv and .tsv, and prints of arrays as text. Several files may "
                "be opened together, one with the queries and one with the keys."));
  shown.text(tr("What is shown of them: weights of every head, each head large, what its queries, keys and values make "
                "of them, and whether the numbers can be what they are taken for. Names and shapes say what an array "
                "is; you can say it otherwise."));
  shown.text(tr("Nothing leaves your machine: there is no server that it could go to."));
  shown.add(lesson::Jump{tr("How to export from a framework"), "", {"part"}, {"code"}});
  offerSamples(shown);
}

}  // namespace attn::survey
