// One scene as it is shown: words, claims, figures and controls in their order, all of it plain data. Whoever computes a
// scene makes one; whoever shows it needs nothing else.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/tensor.h"

namespace attn::lesson {

using core::Index;

// What a person may vary. Values travel as texts: in links, on the terminal, between the page and its computing part.
enum class ParamKind : std::uint8_t {
  kInteger,  // minimum … maximum
  kNumber,   // minimum … maximum; any form of core numbers: 0.5, 1/3
  kChoice,   // the id of one of `options`
  kToggle,   // "1" or "0"
  kSeed,     // an integer; its control says "New random numbers"
  kOrder,    // a permutation of the options' indices: "2,0,1"
  kNumbers,  // numbers separated by commas, as many as the preset has, each minimum … maximum
  kText,     // anything, at most 400 characters
  kData,     // anything of several lines, at most 1 MiB: a document, pasted numbers
};

struct ParamOption {
  std::string id, label;
  bool operator==(const ParamOption&) const = default;
};

struct Param {
  std::string key;    // "d_k": as in links and --set
  std::string label;  // "Query width d_k"
  std::string hint;   // "" or one sentence
  ParamKind kind = ParamKind::kInteger;
  double minimum = 0, maximum = 1, step = 1;
  bool logarithmic = false;  // its slider is
  std::vector<ParamOption> options;
  std::string preset, value;
  bool main = false;   // ← and → change it; one per scene at most
  bool plays = false;  // it is main, and can step on by itself
  bool shown = true;   // false: only a figure changes it, or it does not apply now
  bool clears = false;  // another value of it sets all others back to their presets
  bool turns = false;   // another value of it is another page, seen from its top
  bool live = false;    // kText: every key counts, not only the text when it is left
  bool context = false;  // told by whoever asks, about the open example: not part of the page
  bool operator==(const Param&) const = default;
};

// What the colours of a grid mean.
enum class GridScale : std::uint8_t {
  kWeights,   // 0 … 1, sequential
  kPositive,  // 0 … limit, sequential
  kSigned,    // −limit … limit, diverging around 0
  kPlain,     // no colour
};

struct Grid {
  std::string title, note;
  Index rows = 0, columns = 0;
  std::vector<double> values;  // row-major
  GridScale scale = GridScale::kSigned;
  double limit = 0;            // 0: the largest magnitude of the values
  bool map = false;            // rows are destinations, columns sources: "reads ↓", "is read →"
  std::vector<std::string> row_labels, column_labels;  // none, or one per row, per column
  int decimals = 3;
  std::vector<std::string> blocked;  // none, or one reason per cell, "" where it may be read
  std::vector<std::pair<Index, Index>> marked;  // cells that the words speak of
  bool operator==(const Grid&) const = default;
};

struct Table {
  std::string title, note;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;  // the first cell of each is its name
  std::vector<Index> marked;                   // rows that the words speak of
  bool operator==(const Table&) const = default;
};

struct Plot {
  enum class Kind : std::uint8_t { kLine, kPoints, kBars };
  struct Series {
    std::string label;
    Kind kind = Kind::kLine;
    std::vector<double> x, y;  // of one length
    bool operator==(const Series&) const = default;
  };
  struct Mark {  // a line across the plot with its words
    std::string label;
    double at = 0;
    bool vertical = true;
    bool operator==(const Mark&) const = default;
  };
  std::string title, note, x_label, y_label;
  bool log_x = false, log_y = false;
  std::vector<std::string> names;  // of the bars, when x counts 0, 1, 2, …
  std::vector<Series> series;
  std::vector<Mark> marks;
  bool operator==(const Plot&) const = default;
};

// A plane with equal axes. What has keys can be dragged: its coordinates are the values of those params.
struct Plane {
  enum class Role : std::uint8_t { kQuery, kKey, kValue, kResult, kPlain };
  struct Arrow {
    std::string label;
    double x = 0, y = 0;  // from the origin
    Role role = Role::kPlain;
    std::string x_key, y_key;
    bool operator==(const Arrow&) const = default;
  };
  struct Point {
    std::string label;
    double x = 0, y = 0;
    Role role = Role::kPlain;
    std::string x_key, y_key;
    bool operator==(const Point&) const = default;
  };
  struct Line {  // also the sides of a hull
    std::string label;
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    bool dashed = false;
    bool operator==(const Line&) const = default;
  };
  std::string title, note;
  double reach = 1;  // shown: −reach … reach each way
  std::vector<Arrow> arrows;
  std::vector<Point> points;
  std::vector<Line> lines;
  bool operator==(const Plane&) const = default;
};

// A sequence of tokens in a row; with a key, dragging (or a button) moves them and sets that kOrder param.
struct Strip {
  struct Item {
    std::string text, note;  // the note stands below: a weight, a shape, a target
    double weight = -1;      // 0 … 1 fills its ground; −1 leaves it plain
    bool marked = false;
    bool operator==(const Item&) const = default;
  };
  std::string title, note;
  std::vector<Item> items;
  std::string order_key;
  bool operator==(const Strip&) const = default;
};

// Positions of a stack of layers and what reads what: row 0 is the input, at the bottom.
struct Flow {
  struct Edge {
    Index layer = 0, from = 0, to = 0;  // from position `from` of row `layer` to position `to` of the row above
    double strength = 1;                // 0 … 1
    bool marked = false;
    bool operator==(const Edge&) const = default;
  };
  struct Node {
    Index layer = 0, position = 0;
    std::string note;
    bool marked = false;
    bool operator==(const Node&) const = default;
  };
  std::string title, note;
  std::vector<std::string> layers;     // names of the rows, from the bottom
  std::vector<std::string> positions;  // names of the columns
  std::vector<Edge> edges;
  std::vector<Node> nodes;  // only those that are special
  bool operator==(const Flow&) const = default;
};

struct Words {
  enum class Style : std::uint8_t { kText, kHeading, kNote, kCode };
  Style style = Style::kText;
  std::string text;
  bool operator==(const Words&) const = default;
};

// Something computed to be so or not. `mistake` marks what is shown wrong on purpose.
struct Claim {
  std::string text;
  bool holds = true;
  bool mistake = false;
  bool operator==(const Claim&) const = default;
};

// The answer is hidden until asked for.
struct Question {
  std::string text, answer;
  bool operator==(const Question&) const = default;
};

// What a prediction was worth, once the answer is shown. Whoever keeps a notebook keeps these.
struct Verdict {
  enum class Judgement : std::uint8_t { kNone, kWrong, kRight };  // kNone: nothing was predicted
  std::string task;   // the same task has the same name in every page
  std::string title, question, prediction, answer;
  std::string words;  // the judgement in one sentence
  Judgement judgement = Judgement::kNone;
  std::string note;   // the person's own
  bool operator==(const Verdict&) const = default;
};

// Small maps beside one another, each of which leads on: pressing one sets the params `keys` to its values.
struct Maps {
  struct Item {
    std::string label, mark, note;  // "layer 3, head 5"; "3.5", which stands below it; what is known of it
    std::string shades;  // rows·columns of kShades from the first row on; "" while its numbers are not known
    std::vector<std::string> values;  // one for each key
    bool operator==(const Item&) const = default;
  };
  static constexpr std::string_view kShades = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";  // from 0 to 1
  static constexpr char kNoNumber = '.';  // NaN among the shades
  std::string title, note;
  Index rows = 0, columns = 0;  // of every map
  Index line = 0;  // so many from the first on belong on one line, if there is room; 0: as many as there is room for
  std::vector<std::string> keys;
  std::vector<Item> items;
  bool operator==(const Maps&) const = default;
};

// A link to another moment or scene; or, where there are keys, a button that sets these params of the page; or, where a file
// is named, one that gives it to be kept.
struct Jump {
  std::string label, link;
  std::vector<std::string> keys, values;
  std::string file = {}, content = {};  // its bytes as base64url
  bool operator==(const Jump&) const = default;
};

// "Read further".
struct Source {
  std::string authors, year, title, section, measured;
  bool operator==(const Source&) const = default;
};

struct Block {
  std::variant<Words, Claim, Grid, Table, Plot, Plane, Strip, Flow, Question, Jump, Source, Verdict, Maps> content;
  bool beside = false;  // stands beside the figure before it where there is room
  bool operator==(const Block&) const = default;
};

// A number, a truth, a text, or numbers of some shape: what the terminal prints and tests compare.
struct Outcome {
  std::string name;
  std::variant<double, bool, std::string, std::vector<double>, core::Matrix<double>, std::vector<std::string>> value;
};

struct Page {
  std::string id, title;
  std::string look;  // one line: what to look for
  std::string says;  // what came out, in one or two sentences
  std::vector<Param> params;
  std::vector<Block> blocks;
  std::vector<Outcome> results;
  std::string document;  // "", or an example document to be opened in the page's place
  std::string made_with; // "", or what the numbers come from beside the controls, such as the hash of a model: stands in
                         // links and in the names of files
  std::string moment;    // of that document, as links name it: "row=2"; "" where it begins
};

// The param of links in which `made_with` stands. A page that is made with something has a hidden param of that key, in which
// it finds what a link was made with.
inline constexpr std::string_view kMadeWith = "made_with";

// "model-5540a78d-": names of files begin so.
inline std::string fileStem(const Page& page) {
  return page.id + (page.made_with.empty() ? "" : "-" + page.made_with) + "-";
}

// What a person has set: key → value as text. Keys that are not set have their presets.
using Settings = std::vector<std::pair<std::string, std::string>>;

}  // namespace attn::lesson
