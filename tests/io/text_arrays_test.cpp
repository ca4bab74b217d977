// Arrays out of tables and prints: what people save and paste, and what cannot be read.
#include "io/text_arrays.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "core/buffer.h"
#include "core/number.h"
#include "core/rng.h"
#include "support/found_arrays.h"

namespace {

using namespace attn;
using test::has;
using test::notesOf;
using test::numbersOf;
using test::sentence;
using test::shapesOf;
using Numbers = std::vector<double>;
using Texts = std::vector<std::string>;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

core::Result<io::ArrayFile> readIt(std::string_view text, std::string_view name = "w.csv",
                                   const io::ArrayLimits& limits = {}) {
  return test::readWith(io::readTextArrays, text, name, limits);
}

io::ArrayFile fileOf(std::string_view text, std::string_view name = "w.csv") {
  auto file = readIt(text, name);
  CHECK_MESSAGE(file.ok(), sentence(file));
  if (!file) return {};
  CHECK(file.value().format == "text");
  return file.take();
}

std::vector<std::uint64_t> shapeOf(const io::ArrayFile& file) {
  return file.arrays.empty() ? std::vector<std::uint64_t>{} : file.arrays[0].shape;
}

std::string shapesIn(std::string_view text, std::string_view name = "w.csv") {
  const auto file = readIt(text, name);
  return file ? shapesOf(file.value()) : file.error().message;
}

std::string refusalOf(std::string_view text, std::string_view name = "w.csv") { return sentence(readIt(text, name)); }

}  // namespace

TEST_CASE("tables and prints of one matrix are read as that matrix") {
  for (const char* text : {
           "1,0\n0.25,-0.75\n",
           "1, 0\r\n0.25, -0.75",
           "1,0,\n0.25,-0.75,\n",
           "1\t0\n0.25\t−0.75\n",
           "1;0\n0.25;-0.75",
           "1;0\n0,25;-0,75",
           "1\t0\n0,25\t-0,75",
           "1 0\n0,25 -0,75",
           "  1.     0.  \n  0.25  -0.75\n",
           "\"1\",\"0\"\n\"0.25\",\"-0.75\"",
           "1;\"0\"\n\"0,25\";\"-0,75\"",
           "| 1 | 0 |\n|---|---|\n| 0.25 | -0.75 |",
           "1 | 0\n1/4 | -3/4",
           "# weights\n1 0\n0.25 -0.75",
           "\n\n1,0\n0.25,-0.75\n\n\n",
           "1,0\n\n0.25,-0.75\n",
           "1,0\r0.25,-0.75\r",
           "[[1, 0], [0.25, -0.75]]",
           "[[ 1.    0.  ]\n [ 0.25 -0.75]]",
           "array([[ 1.  ,  0.  ],\n       [ 0.25, -0.75]])",
           "tensor([[ 1.0000,  0.0000],\n        [ 0.2500, -0.7500]], dtype=torch.float64)",
           "tensor([[1., 0.], [.25, -.75]], device='cuda:0', grad_fn=<SoftmaxBackward0>)",
           "weights = np.array([[1, 0], [2.5e-1, -7.5E-01]], dtype=np.float32)",
           "((1, 0), (0.25, -0.75))",
           "[(1, 0), (0.25, -0.75)]",
           "{'weights': array([[1, 0], [0.25, -0.75]])}",
           "<tf.Tensor: shape=(2, 2), dtype=float32, numpy=\narray([[1., 0.], [0.25, -0.75]], dtype=float32)>",
           "[[np.float64(1.0), np.float64(0.0)], [np.float64(0.25), np.float64(-0.75)]]",
           "[[tensor(1.), tensor(0.)], [tensor(.25), tensor(-.75)]]",
       }) {
    CAPTURE(text);
    CHECK(shapesIn(text) == "w:2×2");
    CHECK(numbersOf(fileOf(text), "w") == Numbers{1, 0, 0.25, -0.75});
  }
}

TEST_CASE("the array is called after the file, or pasted") {
  CHECK(shapesIn("1,2", "runs/layer 3.head.csv") == "layer 3.head:1×2");
  CHECK(shapesIn("1,2", "C:\\runs\\w.tsv") == "w:1×2");
  CHECK(shapesIn("1 2", "") == "pasted:1×2");
  CHECK(shapesIn("[1 2]", "") == "pasted:2");
  CHECK(shapesIn("a,b\n1,2", "columns.csv") == "array:1×2 columns:2");
}

TEST_CASE("names in the first line and in the first column become texts of their own") {
  const struct {
    const char* text;
    const char* shapes;
    Texts columns, rows;
  } kCases[] = {
      {"the,cat\n1,0\n0.5,0.5", "w:2×2 columns:2", {"the", "cat"}, {}},
      {",the,cat\nthe,1,0\ncat,0.5,0.5", "w:2×2 columns:2 rows:2", {"the", "cat"}, {"the", "cat"}},
      {"token,the,cat\nthe,1,0\ncat,0.5,0.5", "w:2×2 columns:2 rows:2", {"the", "cat"}, {"the", "cat"}},
      {"the,cat\nthe,1,0\ncat,0.5,0.5", "w:2×2 columns:2 rows:2", {"the", "cat"}, {"the", "cat"}},
      {"the,1,0\ncat,0.5,0.5", "w:2×2 rows:2", {}, {"the", "cat"}},
      {",0,1\n0,1,0\n1,0.5,0.5", "w:2×2 columns:2 rows:2", {"0", "1"}, {"0", "1"}},
      {"2019 the\n1 0", "w:1×2 columns:2", {"2019", "the"}, {}},
      {"the,1,0\n2019,0.5,0.5", "w:2×2 rows:2", {}, {"the", "2019"}},
      {"weight\n0.5\n0.25", "w:2×1 columns:1", {"weight"}, {}},
      {"the;cat;\n1,5;0;\n0,5;0,5;", "w:2×2 columns:2", {"the", "cat"}, {}},
      {"| | a | b |\n|---|---|---|\n| c | 1 | 0 |\n| d | 0.5 | 0.5 |", "w:2×2 columns:2 rows:2", {"a", "b"}, {"c", "d"}},
      {"\"a\",\"b\"\n\"1\",1,2\n\"2\",3,4", "w:2×2 columns:2 rows:2", {"a", "b"}, {"1", "2"}},
      {"a,b\n1,2", "w:1×2 columns:2", {"a", "b"}, {}},
      {";,1,0\n\",\",0.5,0.5", "w:2×2 rows:2", {}, {";", ","}},
  };
  for (const auto& one : kCases) {
    CAPTURE(std::string(one.text));
    CHECK(shapesIn(one.text) == one.shapes);
    const io::ArrayFile file = fileOf(one.text);
    if (!one.columns.empty()) CHECK(test::textsOf(file, "columns") == one.columns);
    if (!one.rows.empty()) CHECK(test::textsOf(file, "rows") == one.rows);
  }
}

TEST_CASE("odd tokens come back as they are") {
  const Texts tokens = {"<b>",  "</script>", "a<b<c", "&lt;", "%s%n", "##id", "x###y", " the", "the",  "\n",
                        "\t",   "",          " ",     "Ġthe", "▁the", "👨‍👩‍👧",    "مرحبا", "注意", "\"",   ",",
                        ";",    "\"\"",      "a\"b",  "...",  "#",    "[CLS]", "[",     "(",    "'"};
  std::string header = "token", body;
  for (const std::string& token : tokens) {
    std::string quoted = "\"";
    for (const char c : token) quoted += c == '"' ? "\"\"" : std::string(1, c);
    quoted += '"';
    header += "," + quoted;
    body += quoted;
    for (std::size_t i = 0; i < tokens.size(); ++i) body += ",0.5";
    body += "\r\n";
  }
  const io::ArrayFile file = fileOf(header + "\r\n" + body);
  CHECK(test::textsOf(file, "columns") == tokens);
  CHECK(test::textsOf(file, "rows") == tokens);
  CHECK(shapeOf(file) == std::vector<std::uint64_t>{tokens.size(), tokens.size()});
  // As pandas writes them, with quotes only where they must be.
  const io::ArrayFile plain = fileOf(",[CLS], the,##id,[SEP]\n[CLS],1,2,3,4\n the,1,2,3,4\n##id,1,2,3,4\n[SEP],1,2,3,4\n");
  CHECK(test::textsOf(plain, "rows") == Texts{"[CLS]", " the", "##id", "[SEP]"});
  CHECK(test::textsOf(plain, "columns") == Texts{"[CLS]", " the", "##id", "[SEP]"});
  CHECK(shapesIn("[CLS] [SEP]\n1 0\n0 1", "w.txt") == "w:2×2 columns:2");
  CHECK(test::textsOf(fileOf("['1', 'a', '2.5', \"'\"]"), "w") == Texts{"1", "a", "2.5", "'"});
  CHECK(test::textsOf(fileOf("['the', \"don't\", 'a\\nb', '\\\\', '[', '']"), "w") ==
        Texts{"the", "don't", "a\nb", "\\", "[", ""});
}

TEST_CASE("blank lines and brackets give more axes") {
  const struct {
    const char* text;
    const char* shape;
  } kCases[] = {
      {"1 2\n3 4\n\n5 6\n7 8\n", "w:2×2×2"},
      {"1 2\n3 4\n\n5 6\n7 8\n\n9 1\n2 3", "w:3×2×2"},
      {"1 2\n3 4\n\n5 6\n7 8\n\n\n1 2\n3 4\n\n5 6\n7 8\n", "w:2×2×2×2"},
      {"1 2\n3 4\n\n5 6\n7 8\n\n\n\n1 2\n3 4\n\n5 6\n7 8\n", "w:2×2×2×2"},
      {"# Array shape: (2, 2, 2)\n1 2\n3 4\n# New slice\n\n5 6\n7 8\n", "w:2×2×2"},
      {"a,b\n\n1,2\n3,4\n\n5,6\n7,8", "w:2×2×2 columns:2"},
      {"x,1,2\ny,3,4\n\nz,5,6\nx,7,8", "w:2×2×2 rows:4"},
      {"1\n\n2\n\n3", "w:3×1"},
      {"1 2\n\n3 4\n\n\n5 6\n\n7 8", "w:2×2×2"},
      {"[[[1. 2.]\n  [3. 4.]]\n\n [[5. 6.]\n  [7. 8.]]]", "w:2×2×2"},
      {"tensor([[[[1., 2.],\n          [3., 4.]],\n\n         [[5., 6.],\n          [7., 8.]]]])", "w:1×2×2×2"},
      {"(tensor([[1., 2.], [3., 4.]]), tensor([[5., 6.], [7., 8.]]))", "w:2×2×2"},
      {"[tensor([[1., 2.], [3., 4.]]), tensor([[5., 6.]])]", "0:2×2 1:1×2"},
      {"tensor([1., 2.])\ntensor([[3.]])", "w.0:2 w.1:1×1"},
      {"[1. 2. 3.\n 4. 5.]", "w:5"},
      {"[]", "w:0"},
      {"tensor([], size=(0, 3))", "w:0"},
      {"()", "w:0"},
      {"[[ True False]\n [False  True]]", "w:2×2"},
      {"['a', 'b']", "w:2"},
  };
  for (const auto& one : kCases) {
    CAPTURE(std::string(one.text));
    CHECK(shapesIn(one.text) == one.shape);
  }
  CHECK(numbersOf(fileOf("1 2\n3 4\n\n5 6\n7 8\n"), "w") == Numbers{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(numbersOf(fileOf("[[ True False]\n [False  True]]"), "w") == Numbers{1, 0, 0, 1});
  CHECK(has(notesOf(fileOf("# a\n1 2\n# b\n3 4")), "begin with #: 2 lines"));
}

TEST_CASE("nan, infinite numbers and empty cells are numbers") {
  const Numbers numbers = numbersOf(fileOf("nan,inf,-inf\nNaN,Infinity,−∞\n1,,2"), "w");
  CHECK(std::isnan(numbers[0]));
  CHECK(numbers[1] == kInfinity);
  CHECK(numbers[2] == -kInfinity);
  CHECK(std::isnan(numbers[3]));
  CHECK(numbers[5] == -kInfinity);
  CHECK(std::isnan(numbers[7]));
  CHECK(has(notesOf(fileOf("1,,2\n3,,\n")), "3 empty cells are read as NaN"));
  CHECK(has(notesOf(fileOf("a,b\n1,\n0.5,0.5\n")), "1 empty cell is read as NaN"));
}

TEST_CASE("what cannot be read is refused with its line and what to do") {
  const struct {
    const char* text;
    const char* part;
  } kCases[] = {
      {"", "There is no number in `w.csv`"},
      {"  \n \n", "There is no number"},
      {"the cat sat", "There is no number"},
      {"the\ncat\nsat", "There is no number"},
      {"a,b\n", "There is no number"},
      {"Hello, world.\nThis is text.", "There is no number"},
      {"1,2,3\n4,5,6\n7,8", "Line 3 of `w.csv` has 2 numbers, line 1 has 3; make all lines equally long."},
      {"a,b\n\n1,2\n\n3", "Line 5 of `w.csv` has 1 number, line 3 has 2"},
      {"x,1,2\ny,3", "Line 2 of `w.csv` has 1 number, line 1 has 2"},
      {"1 2\n3 4\n\n5 6", "up to line 4 of `w.csv` has 1 line, the first has 2"},
      {"1 2\n3 4\n\n5 6\n7 8\n\n\n1 2\n3 4", "has 1 block, the first has 2"},
      {"1,2\n3,x", "The value 2 in line 2 of `w.csv`, `x`, is no number"},
      {"a,b,c\n1,2", "has 3 names, line 2 has 2 cells"},
      {"0,5;0.5\n1;2", "has a decimal comma, one in line 1 a point"},
      {"1.000,5;2\n1;2", "is no number"},
      {"1 2 ... 3\n4 5 ... 6", "“...” stands for numbers that are left out in line 1"},
      {"1 2\n...\n3 4", "set_printoptions(threshold=sys.maxsize)"},
      {"1,2\n...,...\n3,4", "left out in line 2"},
      {"[[1 2 ... 3]\n [4 5 ... 6]]", "at line 1, column 7 of `w.csv`"},
      {"[[1, 2],\n ...,\n [3, 4]]", "torch.set_printoptions(profile=\"full\")"},
      {"[[1, 2], [3]]", "row 2 has 1 number, row 1 has 2 at line 1, column 10"},
      {"[[1, 2], [3, 4]", "The bracket at line 1, column 1 of `w.csv` is not closed"},
      {"[[1, 2]]]", "closes that none has opened at line 1, column 9"},
      {"[1, 2)", "“)” closes what “[” has opened at line 1, column 6"},
      {"[1, x]", "`x` stands among the numbers at line 1, column 5"},
      {"[1, 'x']", "both numbers and texts"},
      {"[None, None]", "holds only null"},
      {"tensor(0.5)", "holds no list"},
      {"\xFF\xD8 1,2", "is not UTF-8"},
  };
  for (const auto& one : kCases) {
    CAPTURE(std::string(one.text));
    const std::string refusal = refusalOf(one.text);
    CHECK_MESSAGE(has(refusal, one.part), refusal);
    CHECK(has(refusal, "`w.csv`"));
    CHECK(refusal.back() == '.');
  }
  CHECK(has(refusalOf(std::string(100, '[')), "More than 64 brackets"));
  CHECK(has(refusalOf(std::string_view("1,2\n3,\0", 7)), "zero byte at line 2, column 3"));
}

TEST_CASE("unclosed and stray quotes are plain characters") {
  CHECK(shapesIn("don't,\"open\n1,2\n3,4") == "w:2×2 columns:2");
  CHECK(shapesIn("a\"b\",c\n1,2") == "w:1×2 columns:2");
  CHECK(test::textsOf(fileOf("a\"b\",c\n1,2"), "columns") == Texts{"a\"b\"", "c"});
  CHECK(test::textsOf(fileOf("\"a\"b,c\n1,2"), "columns") == Texts{"\"a\"b", "c"});
}

TEST_CASE("a mark and UTF-16 are understood") {
  std::string wide = "\xFF\xFE";
  for (const char c : std::string("1,2\r\n3,4\r\n")) wide += c, wide += '\0';
  CHECK(numbersOf(fileOf(wide), "w") == Numbers{1, 2, 3, 4});
  CHECK(numbersOf(fileOf("\xEF\xBB\xBF" "1,2\n3,4"), "w") == Numbers{1, 2, 3, 4});
}

TEST_CASE("limits hold before memory is taken") {
  io::ArrayLimits limits;
  limits.held = 40;
  CHECK(readIt("1,2,3,4,5", "w.csv", limits).ok());
  CHECK(has(sentence(readIt("1,2,3,4,5,6", "w.csv", limits)), "6 numbers"));
  CHECK(has(sentence(readIt("[1,2,3,4,5,6]", "w.csv", limits)), "6 numbers"));
  CHECK(has(sentence(readIt(std::string(41, ' '), "w.csv", limits)), "41 bytes of text"));
  CHECK(has(refusalOf(std::string(1100000, 'x') + ",b\n1,2"), "A name in line 1"));
}

TEST_CASE("where there is no memory, that is an outcome") {
  for (const char* text : {"a,b\nx,1,2\ny,3,4", "[[1, 2], [3, 4]]", "['a', 'b']"}) {
    CAPTURE(text);
    int n = 0;
    for (bool refused = true; refused;) {
      core::failAllocation(++n);
      const auto file = readIt(text);
      refused = !file.ok();
      if (refused) CHECK(has(sentence(file), "no memory"));
      REQUIRE(n < 50);
    }
    core::failAllocation(0);
    CHECK(n >= 4);
  }
}

TEST_CASE("random arrays come back bit for bit from tables and prints, in every shape") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    CAPTURE(seed);
    core::Rng rng(seed);
    std::vector<std::uint64_t> shape;
    for (core::Index axes = 1 + rng.below(4); axes > 0; --axes) {
      shape.push_back(static_cast<std::uint64_t>(1 + rng.below(4)));
    }
    const std::uint64_t count = io::countOf(shape).value();
    Numbers wanted;
    std::string print;
    for (std::uint64_t i = 0; i < count; ++i) {
      wanted.push_back(rng.normalMatrix(1, 1)(0, 0) * std::pow(10.0, static_cast<double>(rng.below(20)) - 10));
      std::uint64_t inside = 1;
      std::string open, close;
      for (std::size_t axis = shape.size(); axis-- > 0;) {
        inside *= shape[axis];
        open += i % inside == 0 ? "[" : "";
        close += (i + 1) % inside == 0 ? "]" : "";
      }
      print += (i > 0 ? ", " : "") + open + core::machineText(wanted.back()) + close;
    }
    const io::ArrayFile printed = fileOf("tensor(" + print + ")");
    CHECK(shapeOf(printed) == shape);
    CHECK(numbersOf(printed, "w") == wanted);
    if (shape.size() != 2) continue;
    for (const char* between : {",", ";", "\t", " ", ", "}) {
      CAPTURE(between);
      std::string table;
      for (std::uint64_t i = 0; i < count; ++i) {
        table += core::machineText(wanted[i]) + ((i + 1) % shape[1] == 0 ? "\n" : between);
      }
      const io::ArrayFile file = fileOf(table);
      CHECK(shapeOf(file) == shape);
      CHECK(numbersOf(file, "w") == wanted);
    }
  }
}
