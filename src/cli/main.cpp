// The shell around the commands: help, version, errors and exit status. Knows no command by name.
#include <cstdio>
#include <iterator>

#include "cli/command.h"

namespace attn::cli {
namespace {

constexpr Command kCommands[] = {
    {"list", "list", "the built-in examples, one `id<TAB>title` a line", "Takes nothing after it.", runList},
    {"trace", "trace ID|FILE [--mask none|causal] [--edit E]…", "everything that is computed for an example, as JSON",
     "ID is a built-in example, FILE an example document.\n"
     "--mask none|causal  replaces the mask of the document.\n"
     "--edit E            changes the example, after the document's own edits and in the order given: v[1]=0,0 or\n"
     "                    h0.scores[2][1]=ln(2) or forbid=2,1; the README lists all forms.",
     runTrace},
    {"scenes", "scenes", "the scenes, one `id<TAB>title` a line", "Takes nothing after it.", runScenes},
    {"scene", "scene ID [--set key=value]… [--file F]… [--other F]… [--keys | --page]", "the results of a scene, as JSON",
     "ID is one that attnscope-cli scenes lists, arrays: the pages about files of arrays, or model: those about a trained model.\n"
     "--file F         of the scenes arrays and model: a file that it is about; give it once for each.\n"
     "--other F        of the scene arrays: what its part compare compares that with.\n"
     "--page           the page itself as JSON, its words and figures, in the place of the results.\n"
     "--set key=value  changes one of its controls; give it once for each.\n"
     "--keys           lists them instead, one `key<TAB>type<TAB>range<TAB>default` a line.",
     runScene},
    {"inspect", "inspect FILE [--json]", "the arrays of a file: name, type, shape, range, NaN and infinite numbers",
     "FILE is .npy, .npz, .safetensors, .pt, .json, .csv, .tsv or a print as text.\n"
     "--json  {\"file\", \"arrays\": [{\"name\", \"dtype\", \"shape\", \"min\", \"max\", \"nan\", \"inf\"}]}; min and max are of finite\n"
     "        numbers; an array that cannot be read has \"error\".",
     runInspect},
    {"audit", "audit FILE [--q NAME --k NAME --v NAME --out NAME --weights NAME --mask M] [--json]",
     "whether exported attention can be what it is taken for",
     "Weights alone are checked for sums, NaN, a look into the future and a wrong axis; where queries and keys are there\n"
     "too, they are recomputed under the textbook rule and departures from it.\n"
     "--q NAME …  says which array of the file is which; otherwise names and shapes decide.\n"
     "--mask M    none or causal: what the mask is taken for.\n"
     "--json      {\"verdict\", \"findings\": [{\"code\", \"sentence\", …}], \"fits\": [{\"hypothesis\", \"max_abs_diff\"}]}\n"
     "Exit status: 0 nothing found, 1 findings, 2 the file cannot be read.",
     runAudit},
    {"compare", "compare A B [--map name=name]… [--json]", "how the arrays of two files differ",
     "Arrays of the same name are compared.\n"
     "--map name=name  compares an array of A with another one of B; give it once for each.\n"
     "--json           the same as JSON.",
     runCompare},
    {"export", "export ID|FILE [--what NAME] [--head H] [--edit E]… --format F [--theme T] --out FILE",
     "a computation, or one array of it, to a file; nothing on the screen",
     "--what NAME  a field of what trace prints: weights, z, tokens …; without it npz, safetensors and json hold everything.\n"
     "--head H     of an array that each head has: this one alone, from 0.\n"
     "--edit E     as for trace.\n"
     "--format F   csv, tsv, md, tex (tables, of one array), json, npy, npz, safetensors; py, numpy, torch: a Python program\n"
     "             that gives the same numbers; svg: a picture of one array.\n"
     "--theme T    of a picture: light or dark; light without it.",
     runExport},
    {"model", "model [FILE] --text T [--ablate l1.h3]… [--top N] [--json]", "what a trained model makes of a text",
     "Without FILE the model that is built in: characters of English, up to 64. FILE is a GPT-2 checkpoint (.safetensors, .pt)\n"
     "with vocab.json, merges.txt and, where its heads are not 64 wide, config.json beside it.\n"
     "--text T        the text. Printed: a line for each head with its scores, then the likeliest tokens after the text\n"
     "                with logit and probability.\n"
     "--ablate l1.h3  what head 3 of layer 1 writes becomes 0; give it once for each.\n"
     "--top N         how many of the likeliest tokens; 10 without it.\n"
     "--json          {\"model\", \"tokens\", \"ids\", \"layers\": [{\"heads\": [{\"weights\", \"scores\"}]}], \"logits\", \"next\", \"loss\"}.",
     runModel},
    {"attend", "attend FILE|--random T,d,seed [--q NAME --k NAME --v NAME] [--mask none|causal] [--window W] --out F.npz",
     "attention over sequences of any length, to a file; nothing on the screen",
     "Reads q, k and v of shape (T, d) or (heads, T, d) and writes o = softmax(q·kᵀ ÷ √d)·v, the shape of q but for its last\n"
     "axis, and of each row row_max, its largest score, and row_sum = Σ e^(score − row_max): the weight of a score is\n"
     "e^(score − row_max) ÷ row_sum. Single precision, all processors; memory grows with T, not with its square.\n"
     "--random T,d,seed  normal numbers in the place of a file; q, k and v are written too.\n"
     "--q NAME …         says which array of the file is which; otherwise names and shapes decide.\n"
     "--mask causal      row i reads sources up to i; none without it.\n"
     "--window W         only sources less than W away.",
     runAttend},
    {"map", "map FILE|--random T,d,seed [--rect r0,c0,r1,c1] [--size WIDTHxHEIGHT] [--reduce max|mean] [--what weight|score] --out F",
     "any part of a map of attention at any zoom, as a picture or as numbers",
     "Computes every pair of the rectangle exactly; for weights also the rest of its rows, which softmax needs.\n"
     "--rect r0,c0,r1,c1   rows r0 up to before r1, columns alike; everything without it.\n"
     "--size WIDTHxHEIGHT  of the picture, at most the pairs of the rectangle; up to 1024x1024 without it.\n"
     "--reduce max|mean    what a pixel shows of its pairs; the largest without it.\n"
     "--what weight|score  scores have their scale and no mask; weights without it, 0 where the mask blocks.\n"
     "--out F              .png: a picture, and what its colours mean on standard output; .npy: float32, HEIGHT×WIDTH.\n"
     "--color log          of weights in a picture: a logarithmic scale.\n"
     "--head H             of a file with several: from 0, which is also the preset.\n"
     "--random, --q NAME, --k NAME, --mask and --window are those of attend.",
     runMap},
};

const Command* findCommand(std::string_view name) {
  for (const Command& command : kCommands) {
    if (command.name == name) return &command;
  }
  return nullptr;
}

// "list, trace, … and export"
std::string commandList() {
  std::string list;
  for (const Command& command : kCommands) {
    list += (list.empty() ? "" : &command == std::end(kCommands) - 1 ? " and " : ", ") + std::string(command.name);
  }
  return list;
}

std::string programHelp() {
  std::string help = "Attention, computed step by step, on a terminal.\n\nUsage: attnscope-cli COMMAND …\n\n";
  for (const Command& command : kCommands) {
    help += "  " + std::string(command.usage) + "\n      " + std::string(command.summary) + "\n";
  }
  return help + "\n  COMMAND --help, --help, --version\n\n"
                "Exit status: 0, or 2 with one line on standard error; audit also has 1, for findings.\n";
}

std::string commandHelp(const Command& command) {
  return "Usage: attnscope-cli " + std::string(command.usage) + "\n\nWrites " + std::string(command.summary) + ".\n\n" +
         std::string(command.details) + "\n";
}

bool asksForHelp(const Arguments& arguments) {
  for (const std::string& argument : arguments) {
    if (argument == "--") return false;
    if (argument == "--help" || argument == "-h") return true;
  }
  return false;
}

core::Result<Output> run(const Arguments& all) {
  if (all.empty()) return core::Error{"No command was given; write one of " + commandList() + ", or --help."};
  if (all[0] == "--help" || all[0] == "-h" || all[0] == "help") return Output{programHelp()};
  if (all[0] == "--version") return Output{"attnscope-cli " ATTN_VERSION "\n"};
  const Command* command = findCommand(all[0]);
  if (!command) {
    return core::Error{"There is no command " + all[0] + "; write one of " + commandList() + ", or --help."};
  }
  const Arguments arguments(all.begin() + 1, all.end());
  if (asksForHelp(arguments)) return Output{commandHelp(*command)};
  return command->run(arguments);
}

// A path or a token may hold line ends; an error is one line.
std::string oneLine(std::string text) {
  for (char& c : text) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
  }
  return text;
}

int fail(const std::string& message) {
  std::fprintf(stderr, "attnscope-cli: %s\n", oneLine(message).c_str());
  return 2;
}

}  // namespace

int main(const Arguments& arguments) {
  const core::Result<Output> output = run(arguments);
  if (!output) return fail(output.error().message);
  const std::string& text = output.value().text;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  return written ? output.value().status : fail("The result cannot be written to standard output; check the disk or the pipe.");
}

}  // namespace attn::cli

int main(int count, char** values) { return attn::cli::main({values + (count > 0), values + count}); }
