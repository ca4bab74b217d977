// Files of torch.save: what PyTorch itself wrote bit for bit, and what would lead out of the file.
#include "io/torch_file.h"

#include <doctest/doctest.h>

#include <cstdio>
#include <string>

#include "io/json.h"
#include "io/safetensors.h"
#include "support/pickles.h"
#include "support/sanitized.h"

namespace {

using namespace attn;
using namespace attn::test;
using namespace std::string_literals;

core::Result<io::ArrayFile> readByEnding(const io::ByteSource& source, std::string_view name) {
  return name.ends_with(".pt") ? io::readTorchFile(source, name) : io::readSafetensors(source, name);
}

core::Result<io::ArrayFile> opened(const std::string& bytes, const io::ArrayLimits& limits = {}) {
  const io::MemorySource source(bytesOf(bytes));
  return io::readTorchFile(source, "dir/att.pt", limits);
}

std::string refusalOf(const std::string& bytes, const io::ArrayLimits& limits = {}) {
  const auto file = opened(bytes, limits);
  return file ? "opened" : file.error().message;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

std::string hexOf(std::string_view bytes) {
  std::string text;
  for (const char c : bytes) {
    char pair[3];
    std::snprintf(pair, sizeof pair, "%02x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    text += pair;
  }
  return text;
}

// Texts as torch_expected.json has them, with the zeros that fill each.
std::string filled(const io::Json& texts, std::size_t bytes) {
  std::string all;
  for (const io::Json& text : *texts.as<io::Json::Items>()) {
    std::string one = *text.as<std::string>();
    one.resize(bytes, '\0');
    all += one;
  }
  return all;
}

void compare(const io::Json& wanted, const io::ByteSource& source, const io::ArrayFile& file, std::size_t index) {
  const io::ArrayInfo& array = file.arrays[index];
  CHECK(array.name == *wanted.find("name")->as<std::string>());
  if (const io::Json* word = wanted.find("unreadable")) {
    CHECK_MESSAGE(has(array.unreadable, *word->as<std::string>()), array.unreadable);
    return;
  }
  CHECK(io::typeName(array.type) == *wanted.find("dtype")->as<std::string>());
  std::vector<std::uint64_t> shape;
  if (const auto* lengths = wanted.find("shape")->as<io::Json::Numbers>()) {
    for (const double length : *lengths) shape.push_back(static_cast<std::uint64_t>(length));
  }
  CHECK(array.shape == shape);
  const std::string bits = bitsOf(source, file, index);
  if (const io::Json* texts = wanted.find("texts")) {
    CHECK(bits == filled(*texts, array.element_bytes));
  } else {
    CHECK(hexOf(bits) == *wanted.find("bits")->as<std::string>());
  }
}

// Reads every array that can be read; the elements lie within the data or the test fails.
void readAll(const io::ByteSource& source, const io::ArrayFile& file) {
  for (std::size_t i = 0; i < file.arrays.size(); ++i) {
    if (!file.arrays[i].unreadable.empty() || *io::countOf(file.arrays[i].shape) > 10000) continue;
    if (io::dataOf(source, file, i, 1 << 20).ok()) CHECK(bitsOf(source, file, i).size() <= 1 << 20);
  }
}

std::string fileOf(const PickledTensor& tensor, const std::string& data = std::string(16, 'x')) {
  return torchFile(pickled(pickledTensor(tensor)), {data});
}

const std::string kZeros(16, '\0');

}  // namespace

TEST_CASE("every file that PyTorch wrote has the tensors that it was given, bit for bit") {
  const io::Json expected = io::parseJson(arrayFile("torch_expected.json")).take();
  int files = 0;
  for (const io::JsonMember& file : *expected.as<io::Json::Members>()) {
    if (file.value.size() == 0) continue;
    CAPTURE(file.name);
    ++files;
    const std::string bytes = arrayFile(file.name);
    const io::MemorySource source(bytesOf(bytes));
    const auto found = readByEnding(source, file.name);
    REQUIRE_MESSAGE(found.ok(), (found ? "" : found.error().message));
    const auto& wanted = *file.value.as<io::Json::Items>();
    REQUIRE(found.value().arrays.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      CAPTURE(i);
      compare(wanted[i], source, found.value(), i);
    }
  }
  CHECK(files >= 14);
}

TEST_CASE("what is no tensor in a file is passed over with a note that says where and what") {
  const auto file = opened(arrayFile("dictionary.pt"));
  REQUIRE(file.ok());
  std::string notes;
  for (const std::string& note : file.value().notes) notes += note + "\n";
  CAPTURE(notes);
  for (const char* note : {"`loss`: a number.", "`step`: a number.", "`none`: None.", "`shape`: a value of Size.",
                           "`dtype`: float16.", "`text`: a text.", "`list`: a list of 3 values that are no tensors."}) {
    CHECK_MESSAGE(has(notes, note), note);
  }
}

TEST_CASE("attentions that a model has not given are told apart from others that are missing") {
  const auto file = opened(torchFile(pickled("}(" + pickledText("attentions") + "N" + pickledText("x") + "Nu"), {}));
  REQUIRE(file.ok());
  CHECK(file.value().arrays.empty());
  CHECK(has(file.value().notes[0], "attn_implementation=\"eager\""));
  CHECK_FALSE(has(file.value().notes[1], "eager"));
}

TEST_CASE("a whole model and an old file are refused with what to do") {
  const std::string model = refusalOf(arrayFile("whole_model.pt"));
  CHECK(has(model, "asks for `torch.nn.modules.linear.Linear`"));
  CHECK(has(model, "model.state_dict()"));
  CHECK(has(refusalOf(arrayFile("old.pt")), "torch.save(torch.load("));
  CHECK(has(refusalOf("no file of ours"), "is no PyTorch file"));
  CHECK(has(refusalOf(""), "is no PyTorch file"));
  CHECK(has(refusalOf(std::string(257, 'a') + "ustar"), "before 1.6"));
}

TEST_CASE("a pickle that asks for anything to run is refused by name") {
  const std::pair<const char*, const char*> names[] = {
      {"os", "system"},          {"posix", "system"},       {"builtins", "eval"},      {"builtins", "getattr"},
      {"__builtin__", "exec"},   {"subprocess", "Popen"},   {"torch", "load"},         {"torch.hub", "load"},
      {"numpy", "load"},         {"torch._utils", "os"},    {"__main__", "Net"},       {"__torch__", "Net"},
      {"torch.storage", "_load_from_bytes"},                {"transformers.modeling_outputs", "x.os.system"},
      {"transformers.utils.hub", "cached_file"},            {"collections", "namedtuple"},
  };
  for (const auto& name : names) {
    CAPTURE(name.second);
    const std::string sentence = refusalOf(torchFile(pickled(pickledName(name.first, name.second) + ")R"), {}));
    CHECK(has(sentence, "asks for `" + std::string(name.first) + "." + name.second + "`"));
  }
}

TEST_CASE("a tensor whose place, shape or strides lead out of its data is refused") {
  struct Case {
    std::string what;
    PickledTensor tensor;
    std::string sentence;
  };
  const std::int64_t huge = INT64_MAX, half = std::int64_t(1) << 32;
  std::vector<Case> cases(16);
  const auto set = [&cases](std::size_t i, std::string what, std::string sentence) -> PickledTensor& {
    cases[i].what = std::move(what), cases[i].sentence = std::move(sentence);
    return cases[i].tensor;
  };
  set(0, "a first element outside", "leads out of its data `data/0`, which has 4 elements").first = 1;
  set(1, "a first element far outside", "leads out").first = huge;
  set(2, "a first element before", "begins at no place").first = -1;
  set(3, "a stride outside", "leads out").strides = pickledTuple({3, 1});
  set(4, "a negative stride", "no whole number from 0 on").strides = pickledTuple({-2, 1});
  set(5, "a negative length", "no whole number from 0 on").shape = pickledTuple({-2, 2});
  set(6, "a stride that wraps", "leads out").strides = pickledTuple({huge, huge});
  PickledTensor& wraps = set(7, "a product that wraps", "more elements than can be counted");
  wraps.shape = pickledTuple({half, half}), wraps.strides = pickledTuple({0, 0});
  set(8, "fewer strides", "has 1 strides").strides = pickledTuple({1});
  set(9, "more elements than bytes", "has 16 bytes, too few for 5 elements of float32").elements = 5;
  set(10, "elements that wrap", "too few").elements = huge;
  set(11, "negative elements", "does not say where").elements = -1;
  set(12, "missing data", "`data/7` of a tensor is missing").key = "7";
  set(13, "data outside the folder", "is missing").key = "../../../etc/passwd";
  set(14, "a type that is none", "does not say where").type = "Tensor";
  set(15, "a shape that is a text", "is no list of numbers").shape = pickledText("22");
  for (const Case& one : cases) {
    CAPTURE(one.what);
    const std::string sentence = refusalOf(fileOf(one.tensor));
    CHECK_MESSAGE(has(sentence, one.sentence), sentence);
    CHECK(has(sentence, "`dir/att.pt`"));
  }
  PickledTensor axes;
  axes.shape = axes.strides = "(";
  for (int i = 0; i < 33; ++i) axes.shape += "K\1", axes.strides += "K\1";
  axes.shape += "t", axes.strides += "t";
  CHECK(has(refusalOf(fileOf(axes)), "more than 32 axes"));
  CHECK(refusalOf(fileOf({})) == "opened");
}

TEST_CASE("a view at the very end of its data is read, and one whose strides are 0") {
  PickledTensor end;
  end.first = 3, end.shape = pickledTuple({1, 1}), end.strides = pickledTuple({99, 99});
  CHECK(refusalOf(fileOf(end)) == "opened");
  PickledTensor spread;
  spread.first = 3, spread.shape = pickledTuple({1000, 1000, 1000}), spread.strides = pickledTuple({0, 0, 0});
  CHECK(refusalOf(fileOf(spread)) == "opened");
  PickledTensor none;
  none.elements = 0, none.first = INT64_MAX, none.shape = pickledTuple({0, 3});
  CHECK(refusalOf(fileOf(none, "")) == "opened");
  PickledTensor scalar;
  scalar.shape = scalar.strides = ")";
  CHECK(refusalOf(fileOf(scalar)) == "opened");
  CHECK(has(refusalOf(fileOf(scalar, "")), "too few"));
}

TEST_CASE("what makes no tensor of its arguments is refused, and never looked into") {
  const std::string rebuild = pickledName("torch._utils", "_rebuild_tensor_v2");
  const std::string parameter = pickledName("torch._utils", "_rebuild_parameter");
  const std::string odd[] = {
      rebuild + ")R", rebuild + "(NK\0))tR"s, rebuild + "(K\1K\0))tR"s, parameter + ")R", parameter + "(K\1tR",
      parameter + "(" + pickledName("torch", "Size") + ")RtR",
      pickledName("torch._tensor", "_rebuild_from_type_v2") + "(NNNtR",
      pickledName("torch._tensor", "_rebuild_from_type_v2") + "(" + pickledName("torch", "Size") + "N)tR",
      rebuild + "(" + pickledText("storage") + "QK\0))tR"s,
  };
  for (const std::string& one : odd) CHECK(has(refusalOf(torchFile(pickled(one), {})), "the file is damaged"));
  std::string wrapped = pickledTensor({});
  for (int i = 0; i < 3; ++i) wrapped = parameter + "(" + wrapped + "\x89NtR";
  CHECK(refusalOf(torchFile(pickled(wrapped), {kZeros})) == "opened");
  // A parameter of itself: the call is its own first argument.
  CHECK(has(refusalOf(torchFile(pickled(parameter + "]q\0h\0a\x85R"s), {})), "damaged"));
}

TEST_CASE("tensors of newer PyTorch are read: version 3, untyped storages, an order of bytes") {
  PickledTensor tensor;
  tensor.type = "UntypedStorage", tensor.module = "torch.storage", tensor.elements = 8;
  const std::string v3 = pickledName("torch._utils", "_rebuild_tensor_v3") + "(" + pickledStorage(tensor) + "K\0"s +
                         pickledTuple({2, 2}) + pickledTuple({1, 2}) + "\x89N" + pickledName("torch", "uint16") + "NtR";
  const std::string data = "\x01\x02\x03\x04\x05\x06\x07\x08";
  for (const bool big : {false, true}) {
    const std::string bytes =
        torchFile(pickled(v3), {data}, {{"model/byteorder", big ? "big" : "little"},
                                        {"model/version", "3\n"},
                                        {"model/.data/serialization_id", "1"}});
    const io::MemorySource source(bytesOf(bytes));
    const auto file = io::readTorchFile(source, "n.pt");
    REQUIRE_MESSAGE(file.ok(), (file ? "" : file.error().message));
    CHECK(file.value().arrays[0].type == io::ElementType::kU16);
    CHECK(file.value().arrays[0].name == "n");
    CHECK(hexOf(bitsOf(source, file.value(), 0)) == (big ? "0201060504030807" : "0102050603040708"));
  }
  CHECK(has(refusalOf(torchFile(pickled(v3), {data}, {{"model/byteorder", "middle"}})), "neither little nor big"));
  tensor.type = "Float8_e4m3fnStorage", tensor.module = "torch";
  CHECK(has(refusalOf(fileOf(tensor)), "asks for `torch.Float8_e4m3fnStorage`"));
}

TEST_CASE("a tensor whose numbers stand with the other sign is not read as if they were its own") {
  const auto file = [](const std::string& properties) {
    const std::string tensor = pickledName("torch._utils", "_rebuild_tensor_v2") + "(" + pickledStorage({}) + "K\0"s +
                               pickledTuple({4}) + pickledTuple({1}) + "\x89N" + properties + "tR";
    return opened(torchFile(pickled(tensor), {kZeros})).take();
  };
  CHECK(has(file("}" + pickledText("neg") + "\x88s").arrays[0].unreadable, "sign is turned"));
  CHECK(file("}").arrays[0].unreadable == "");
  CHECK(file("N").arrays[0].unreadable == "");
}

TEST_CASE("tensors of a graphics card and of classes of their own are tensors") {
  PickledTensor cuda;
  cuda.place = "cuda:0", cuda.module = "torch.cuda";
  CHECK(refusalOf(fileOf(cuda)) == "opened");
  const std::string typed = pickledName("torch._tensor", "_rebuild_from_type_v2") + "(" +
                            pickledName("torch._utils", "_rebuild_tensor_v2") + pickledName("torch", "Tensor") + "(" +
                            pickledStorage({}) + "K\0"s + pickledTuple({4}) + pickledTuple({1}) + "\x89Nt}tR";
  const auto file = opened(torchFile(pickled(typed), {kZeros}));
  REQUIRE_MESSAGE(file.ok(), (file ? "" : file.error().message));
  CHECK(file.value().arrays[0].shape == std::vector<std::uint64_t>{4});
}

TEST_CASE("an archive with anything twice or missing is refused") {
  const std::string pickle = pickled(pickledTensor({}));
  CHECK(has(refusalOf(zip({{"model/data/0", kZeros}})), "without data.pkl"));
  CHECK(has(refusalOf(zip({{"data.pkl", pickle}})), "without data.pkl"));
  CHECK(has(refusalOf(zip({{"a/data.pkl", pickle}, {"b/data.pkl", pickle}})), "several data.pkl"));
  CHECK(has(refusalOf(torchFile(pickle, {kZeros}, {{"model/data/0", kZeros}})), "`model/data/0` twice"));
  CHECK(has(refusalOf(zip({{"model/data.pkl", pickle}, {"model/data.pkl", pickle}})), "twice"));
  CHECK(has(refusalOf(zip({{"model/data.pkl", pickle}, {"other/data/0", kZeros}})), "is missing"));
}

TEST_CASE("lists inside each other, without end or many times over, are refused in good time") {
  CHECK(has(refusalOf(torchFile(pickled("]q\0h\0a"s), {})), "contains itself"));
  CHECK(has(refusalOf(torchFile(pickled("}q\0K\1h\0s"s), {})), "contains itself"));
  const std::string deep = std::string(100, ']') + std::string(99, 'a');
  CHECK(has(refusalOf(torchFile(pickled(deep), {})), "more than 64 values inside"));
  // Forty lists, each of which holds the one before twice: 2⁴⁰ values one by one.
  std::string doubled = "]" + pickledTensor({}) + "a";
  for (char i = 1; i <= 40; ++i) doubled += "q"s + i + "0]h" + i + "ah" + i + "a";
  io::ArrayLimits limits;
  limits.arrays = 100;
  CHECK(has(refusalOf(torchFile(pickled(doubled), {kZeros}), limits), "more than 100 arrays"));
  std::string empty = "]Na";
  for (char i = 1; i <= 40; ++i) empty += "q"s + i + "0]h" + i + "ah" + i + "a";
  CHECK(has(refusalOf(torchFile(pickled(empty), {})), "values one by one"));
  // A long list many times over.
  const std::string numbers = "](" + std::string(100000, 'N') + "e";
  const std::string often = numbers + "q\1" + "0](" + [] {
    std::string all;
    for (int i = 0; i < 100; ++i) all += "h\1";
    return all;
  }() + "e";
  CHECK(has(refusalOf(torchFile(pickled(often), {})), "values one by one"));
}

TEST_CASE("texts take no more memory than they may, and all of it is filled") {
  const std::string texts = "](" + pickledText("a") + pickledText(std::string(1000, 'b')) + pickledText("") + "e";
  io::ArrayLimits limits;
  limits.held = 3000;
  const auto file = opened(torchFile(pickled(texts), {}), limits);
  REQUIRE(file.ok());
  CHECK(file.value().arrays[0].name == "att");
  CHECK(file.value().arrays[0].element_bytes == 1000);
  CHECK(file.value().held[0].size() == 3000);
  limits.held = 2999;
  const auto less = opened(torchFile(pickled(texts), {}), limits);
  REQUIRE(less.ok());
  CHECK(less.value().arrays.empty());
  CHECK(has(less.value().notes[0], "more memory than there is"));
}

TEST_CASE("names are cut where they are long, and show no control characters") {
  const std::string key = pickledText("a\n\x01" + std::string(5000, 'k'));
  std::string nested = pickledTensor({});
  for (int i = 0; i < 10; ++i) nested = "}" + key + nested + "s";
  const auto file = opened(torchFile(pickled(nested), {kZeros}));
  REQUIRE(file.ok());
  CHECK(file.value().arrays.empty());
  CHECK(has(file.value().notes[0], "a name of more than 1000 bytes"));
  const auto once = opened(torchFile(pickled("}" + key + pickledTensor({}) + "s"), {kZeros}));
  REQUIRE(once.ok());
  CHECK(once.value().arrays[0].name.size() < 300);
  for (const char c : once.value().arrays[0].name) CHECK(static_cast<unsigned char>(c) >= 0x20);
}

TEST_CASE("a file that PyTorch wrote is refused wherever it is cut off, and one wrong bit leads nowhere") {
  for (const char* name : {"views.pt", "repacked.pt", "model_output.pt", "mixed.safetensors"}) {
    CAPTURE(name);
    const std::string bytes = arrayFile(name);
    int read = 0;
    for (std::size_t length = 0; length < bytes.size(); length += test::kSanitized ? 5 : 1) {
      const std::string cut(bytes, 0, length);
      read += readByEnding(io::MemorySource(bytesOf(cut)), name).ok();
    }
    CHECK(read == 0);
    int refused = 0;
    for (std::size_t bit = 0; bit < 8 * bytes.size(); bit += test::kSanitized ? 15 : 3) {
      std::string wrong = bytes;
      wrong[bit / 8] = static_cast<char>(wrong[bit / 8] ^ 1 << bit % 8);
      const io::MemorySource source(bytesOf(wrong));
      const auto file = readByEnding(source, name);
      refused += !file;
      if (file) readAll(source, file.value());
    }
    CHECK(refused > 0);
  }
}

TEST_CASE("where memory ends, a PyTorch file is refused and takes nothing with it") {
  for (const char* name : {"dictionary.pt", "repacked.pt"}) {
    CAPTURE(name);
    const std::string bytes = arrayFile(name);
    const io::MemorySource source(bytesOf(bytes));
    int failures = 0;
    for (bool done = false; !done; failures += !done) {
      REQUIRE(failures < 200);
      core::failAllocation(failures + 1);
      const auto file = io::readTorchFile(source, name);
      core::failAllocation(0);
      done = file.ok();
      if (!done) CHECK(has(file.error().message, "no memory left"));
    }
    CHECK(failures > 3);
  }
}
