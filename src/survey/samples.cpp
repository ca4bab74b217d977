// Made by scripts/model/samples.py. See samples.h.
#include "survey/samples.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "core/language.h"
#include "io/base64.h"
#include "io/label.h"

namespace attn::survey {
namespace {

struct Sample {
  std::string_view name, words;
};

constexpr std::string_view kDocument = "document.json";

constexpr Sample kSamples[] = {
    {"attention.npz", trLater("NumPy: queries, keys, values and weights of all heads, with the tokens")},
    {"weights.npy", trLater("NumPy, one array: the weights of all heads")},
    {"cache.safetensors", trLater("with the names of TransformerLens: queries, keys, values and weights")},
    {"outputs.pt", trLater("PyTorch, with the names of Hugging Face: the weights of all heads, with the tokens")},
    {"weights.json", trLater("JSON: the weights of two heads as lists, with the tokens")},
    {"weights.csv", trLater("a table: the weights of one head, with the tokens at its edges")},
    {kDocument, trLater("a document of attnscope: one head to walk through, with its tokens and its mask")},
};

// To the sample itself; a document goes to the stage at once.
void addOpening(const Sample& sample, std::string label, Shown& shown) {
  lesson::Jump jump{std::move(label), "", {"sample"}, {std::string(sample.name)}};
  if (sample.name == kDocument) jump.keys.push_back("walk"), jump.values.push_back("1");
  shown.add(std::move(jump));
}

void offerToKeep(const std::string& name, const std::string& bytes, Shown& shown) {
  shown.add(lesson::Jump{tr("Save {0}", {io::ticked(name)}), "", {}, {}, name, io::toBase64Url(bytes)});
  shown.add(lesson::Jump{tr("All samples"), "", {"sample"}, {""}});
}

// In the place of the whole page.
bool tellOnly(std::string sentence, Shown& shown) {
  shown.tell(std::move(sentence));
  shown.add(lesson::Jump{tr("All samples"), "", {"sample"}, {""}});
  return false;
}

}  // namespace

void offerSamples(Shown& shown) {
  shown.heading(tr("A sample of each format"));
  shown.text(tr("What the model that comes with attnscope does as it reads “Mr. Darcy, Mr. Darcy”, character by character. Open "
                "one to look around; its page saves it, so that you see how such a file is made."));
  for (const Sample& sample : kSamples) addOpening(sample, io::ticked(sample.name) + " – " + tr(sample.words), shown);
}

bool openSample(const std::string& name, const Bring& bring, Files& files, const Inputs& in, Outputs& out, Shown& shown) {
  const auto* sample = std::find_if(std::begin(kSamples), std::end(kSamples), [&](const Sample& each) { return each.name == name; });
  if (sample == std::end(kSamples)) return tellOnly(tr("There is no sample {0}; choose another one.", {io::ticked(name)}), shown);
  const core::Result<const std::string*> bytes = bring("samples/" + name);
  if (!bytes) return tellOnly(bytes.error().message, shown);
  if (!bytes.value()) return tellOnly(tr("The sample is being fetched."), shown);
  const bool is_document = name == kDocument;
  if (is_document) {
    shown.tell(tr("{0}: {1}. It opens on the stage.", {io::ticked(name), tr(sample->words)}));
    addOpening(*sample, tr("Open as an example"), shown);
    if (in.on("walk")) out.document(*bytes.value());
  } else if (core::Check refused = files.showSample(name, *bytes.value())) {
    return tellOnly(refused->message, shown);
  }
  if (is_document || in.text("part") == "file") offerToKeep(name, *bytes.value(), shown);
  return !is_document;
}

}  // namespace attn::survey
