// Pickles as values: every operation that is read, and that nothing else is and nothing is run.
#include "io/pickle.h"

#include <doctest/doctest.h>

#include <cstring>
#include <string>

#include "support/pickles.h"

namespace {

using namespace attn;
using namespace attn::test;
using namespace std::string_literals;
using Kind = io::Pickle::Kind;

bool everyName(std::string_view, std::string_view) { return true; }
bool harmlessName(std::string_view module, std::string_view) { return module == "torch"; }

core::Result<io::Pickle> read(std::string_view bytes, const io::PickleLimits& limits = {},
                              bool (*allowed)(std::string_view, std::string_view) = everyName) {
  core::Buffer buffer = core::Buffer::allocate(bytes.size()).take();
  if (!bytes.empty()) std::memcpy(buffer.bytes().data(), bytes.data(), bytes.size());
  return io::readPickle(std::move(buffer), "x.pt", allowed, limits);
}

std::string refusalOf(std::string_view bytes, const io::PickleLimits& limits = {}) {
  const auto pickle = read(bytes, limits, harmlessName);
  return pickle ? "read" : pickle.error().message;
}

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// The value as Python would print it; of names and calls something alike.
std::string printed(const io::Pickle& pickle, io::Pickle::Id id) {
  const auto joined = [&](io::Pickle::Id of, const char* open, const char* close) {
    std::string text;
    std::size_t index = 0;
    for (const io::Pickle::Id item : pickle.items(of)) {
      if (index > 0) text += pickle.pairs(of) && index % 2 == 1 ? ": " : ", ";
      text += printed(pickle, item);
      ++index;
    }
    return open + text + close;
  };
  switch (pickle.kind(id)) {
    case Kind::kNone: return "None";
    case Kind::kBool: return pickle.integer(id) == 1 ? "True" : "False";
    case Kind::kInteger: return std::to_string(pickle.integer(id));
    case Kind::kLarge: return "large";
    case Kind::kFloat: return std::to_string(pickle.number(id));
    case Kind::kText: return "'" + std::string(pickle.text(id)) + "'";
    case Kind::kBytes: return "b'" + std::string(pickle.text(id)) + "'";
    case Kind::kList: return joined(id, "[", "]");
    case Kind::kTuple: return joined(id, "(", ")");
    case Kind::kDict: return joined(id, "{", "}");
    case Kind::kSet: return joined(id, "set(", ")");
    case Kind::kName: return std::string(pickle.moduleName(id)) + "." + std::string(pickle.name(id));
    case Kind::kStored: return "stored " + printed(pickle, pickle.key(id));
    case Kind::kCall: break;
  }
  std::string text = printed(pickle, pickle.function(id)) + printed(pickle, pickle.arguments(id));
  if (pickle.item(id, 0) != io::Pickle::kNoValue) text += joined(id, "[", "]");
  if (pickle.state(id) != io::Pickle::kNoValue) text += "+" + printed(pickle, pickle.state(id));
  return text;
}

std::string valueOf(std::string_view bytes) {
  const auto pickle = read(bytes);
  return pickle ? printed(pickle.value(), pickle.value().root()) : pickle.error().message;
}

}  // namespace

TEST_CASE("every operation that Python writes from protocol 2 on gives its value") {
  const std::pair<std::string, std::string> cases[] = {
      {"N", "None"},
      {"\x88", "True"},
      {"\x89", "False"},
      {"K\xff", "255"},
      {"M\x01\x80", "32769"},
      {"J\xff\xff\xff\xff", "-1"},
      {"J\x00\x00\x00\x80"s, "-2147483648"},
      {"\x8a\x00"s, "0"},
      {"\x8a\x01\xff", "-1"},
      {"\x8a\x02\xff\x00"s, "255"},
      {"\x8a\x08\x00\x00\x00\x00\x00\x00\x00\x80"s, "-9223372036854775808"},
      {"\x8a\x09\x00\x00\x00\x00\x00\x00\x00\x00\x01"s, "large"},
      {"\x8b\x01\x00\x00\x00\x07"s, "7"},
      {"G\x3f\xe0\x00\x00\x00\x00\x00\x00"s, "0.500000"},
      {"G\xc0\x00\x00\x00\x00\x00\x00\x00"s, "-2.000000"},
      {"X\x03\x00\x00\x00" "a\nb"s, "'a\nb'"},
      {"\x8c\x02xy", "'xy'"},
      {"\x8d\x01\x00\x00\x00\x00\x00\x00\x00z"s, "'z'"},
      {"T\x02\x00\x00\x00py"s, "'py'"},
      {"U\x01p", "'p'"},
      {"C\x01p", "b'p'"},
      {"B\x01\x00\x00\x00q"s, "b'q'"},
      {"\x8e\x01\x00\x00\x00\x00\x00\x00\x00r"s, "b'r'"},
      {"\x96\x01\x00\x00\x00\x00\x00\x00\x00s"s, "b's'"},
      {"]", "[]"},
      {")", "()"},
      {"}", "{}"},
      {"\x8f", "set()"},
      {"(K\1K\2l", "[1, 2]"},
      {"(K\1K\2K\3K\4t", "(1, 2, 3, 4)"},
      {"(K\1K\2d", "{1: 2}"},
      {"(K\1\x91", "set(1)"},
      {"K\1\x85", "(1)"},
      {"K\1K\2\x86", "(1, 2)"},
      {"K\1K\2K\3\x87", "(1, 2, 3)"},
      {"]K\1a", "[1]"},
      {"](K\1K\2eK\3a", "[1, 2, 3]"},
      {"}K\1K\2s", "{1: 2}"},
      {"}(K\1K\2K\3K\4u", "{1: 2, 3: 4}"},
      {"\x8f(K\1K\2\x90", "set(1, 2)"},
      {"K\1K\0020", "1"},
      {"K\1(K\2K\3" "1", "1"},
      {"K\7q\5h\5\x86", "(7, 7)"},
      {"K\7r\5\0\0\0j\5\0\0\0\x86"s, "(7, 7)"},
      {"K\7\x94h\0\x86"s, "(7, 7)"},
      {"ctorch\nSize\n", "torch.Size"},
      {"\x8c\5torch\x8c\4Size\x93", "torch.Size"},
      {"ctorch\nSize\n(K\1tR", "torch.Size(1)"},
      {"ctorch\nSize\n)\x81", "torch.Size()"},
      {"ctorch\nSize\n)}\x92", "torch.Size()"},
      {"ccollections\nOrderedDict\n)RK\1K\2s", "collections.OrderedDict()[1: 2]"},
      {"ccollections\ndeque\n)RK\1a", "collections.deque()[1]"},
      {"ca\nb\n)R}K\1K\2sb", "a.b()+{1: 2}"},
      {"K\5Q", "stored 5"},
      {"\x95\x02\x00\x00\x00\x00\x00\x00\x00K\1"s, "1"},
  };
  for (const auto& one : cases) {
    CAPTURE(one.second);
    CHECK(valueOf(pickled(one.first)) == one.second);
  }
  for (int protocol = 2; protocol <= 5; ++protocol) CHECK(valueOf(pickled("N", protocol)) == "None");
}

TEST_CASE("a name that is not allowed is refused before anything else, wherever it stands") {
  const std::string attacks[] = {
      pickledName("os", "system") + pickledText("rm -rf /") + "\x85R",
      "\x8c\2os\x8c\6system\x93" + pickledText("true") + "\x85R",
      "](" + pickledName("os", "system") + "e",
      pickledName("posix", "system"),
      pickledName("builtins", "eval") + pickledText("1") + "\x85R",
      pickledName("builtins", "getattr"),
      pickledName("torch.jit", "_pickle"),
      pickledName("", ""),
      pickledName("torch ", "Size"),
  };
  for (const std::string& attack : attacks) {
    CAPTURE(attack);
    const std::string sentence = refusalOf(pickled(attack));
    CHECK_MESSAGE(has(sentence, "`x.pt` asks for"), sentence);
    CHECK(has(sentence, "nothing of it was opened"));
  }
  CHECK(has(refusalOf(pickled(attacks[0])), "`os.system`"));
  CHECK(has(refusalOf(pickled(attacks[1])), "`os.system`"));
}

TEST_CASE("what is damaged is refused with its place") {
  struct Case {
    std::string operations, sentence;
  };
  const Case cases[] = {
      {"", "ends with 0 values"},
      {"NN", "ends with 2 values"},
      {"(N", "ends with 1 values"},
      {"N.N", "goes on after its end"},
      {"0", "takes more than it has put down"},
      {"a", "takes more"},
      {"Na", "takes more"},
      {"NNa", "adds to what is no list"},
      {"}K\1a", "adds to what is no list"},
      {"](a", "takes more"},
      {"(]K\1s", "takes more"},
      {"]K\1K\2s", "sets items of what is no dictionary"},
      {"}(K\1u", "a key without a value"},
      {"(K\1d", "a key without a value"},
      {"(e", "takes more"},
      {"t", "ends a list that has not begun"},
      {"1", "ends a list that has not begun"},
      {"N(\x85", "takes more"},
      {"N\x87", "takes more"},
      {"](K\1\x90", "adds to what is no set"},
      {"h\5", "recalls a value that it has not put down"},
      {"Nq\5h\4", "recalls a value"},
      {"q\1", "takes more"},
      {"Nr\xff\xff\xff\xff", "remembers too many values"},
      {"NNR", "calls what is no name"},
      {"ctorch\nSize\nNR", "calls what is no name"},
      {"ctorch\nSize\n)R)R", "calls what is no name"},
      {"NNb", "fills in what is no object"},
      {"NN\x93", "a name that is no text"},
      {"Q", "takes more"},
      {"ctorch\nSize", "ends too early"},
      {"X\xff\xff\xff\xff", "ends too early"},
      {"\x8d\xff\xff\xff\xff\xff\xff\xff\xff", "ends too early"},
      {"\x8b\xff\xff\xff\xff", "ends too early"},
      {"\x8a\xff", "ends too early"},
      {"\x95\xff\0\0\0\0\0\0\0N"s, "a frame that is longer"},
      {"I01\n", "operation 0x49"},
      {"i", "operation 0x69"},
      {"o", "operation 0x6F"},
      {"P1\n", "operation 0x50"},
      {"\x82\1", "operation 0x82"},
      {"\x97", "operation 0x97"},
      {"\xff", "operation 0xFF"},
      {"\x80\2N", "operation 0x80"},
      {std::string(10001, '(') + "N", "too many lists inside each other"},
  };
  for (const Case& one : cases) {
    CAPTURE(one.operations.substr(0, 40));
    const std::string sentence = refusalOf(pickled(one.operations));
    CHECK_MESSAGE(has(sentence, one.sentence), sentence);
    CHECK(has(sentence, "`x.pt`"));
    CHECK(has(sentence, "at byte "));
  }
  for (const char* cut : {"\x80\2N", "\x80\2K", "\x80\2"}) CHECK(has(refusalOf(cut), "ends too early"));
  for (const char* other : {"", "\x80", "N.", "\x80\1N.", "\x80\6N.", "(dp0\n."}) {
    CHECK(has(refusalOf(other), "no pickle of protocol 2 to 5"));
  }
}

TEST_CASE("a pickle may take no more than its limits") {
  io::PickleLimits limits;
  limits.values = 3;
  limits.cells = 4;
  limits.bytes = 40;
  CHECK(refusalOf(pickled("NNN00"), limits) == "read");
  CHECK(has(refusalOf(pickled("NNNN"), limits), "more than 3 values"));
  CHECK(refusalOf(pickled("N\x94" "0]h\0ah\0ah\0ah\0a"s), limits) == "read");
  CHECK(has(refusalOf(pickled("N\x94" "0]h\0ah\0ah\0ah\0ah\0a"s), limits), "more than 4 items"));
  CHECK(has(refusalOf(pickled("N\x94h\0h\0h\0h\0"s), limits), "puts down too many values"));
  CHECK(has(refusalOf(pickled(std::string(40, 'N')), limits), "more than 40 bytes"));
}

TEST_CASE("a list that contains itself is read and has an end") {
  const auto pickle = read(pickled("]q\0h\0a"s));
  REQUIRE(pickle.ok());
  const io::Pickle::Id root = pickle.value().root();
  CHECK(pickle.value().count(root) == 1);
  CHECK(pickle.value().item(root, 0) == root);
  CHECK(pickle.value().item(root, 1) == io::Pickle::kNoValue);
}

TEST_CASE("without memory a pickle is refused, and read when there is some") {
  const std::string bytes = pickled("](K\1q\1K\2e");
  bool ok = false;
  int n = 1;
  for (; n < 100 && !ok; ++n) {
    core::Buffer buffer = core::Buffer::allocate(bytes.size()).take();
    std::memcpy(buffer.bytes().data(), bytes.data(), bytes.size());
    core::failAllocation(n);
    const auto pickle = io::readPickle(std::move(buffer), "x.pt", everyName);
    core::failAllocation(0);
    ok = pickle.ok();
    if (!ok) CHECK(has(pickle.error().message, "no memory"));
  }
  CHECK(ok);
  CHECK(n > 5);
}
