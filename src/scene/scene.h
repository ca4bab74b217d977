// What a scene is: a text file that says its words, controls and order, and one function that computes. Adding one is
// these two files, a line of registry.cpp and one of the catalogue. Knows no screen.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "lesson/page.h"

namespace attn::scene {

using core::Index;
using core::Matrix;
using lesson::Page;
using lesson::Settings;

// What a person has set, checked: within ranges, of the kind that the text file declares. Asking for a key that it does
// not declare, or as another kind, is a programmer's mistake.
class Inputs {
 public:
  explicit Inputs(const std::vector<lesson::Param>& params) : params_(params) {}

  Index integer(std::string_view key) const;
  double number(std::string_view key) const;
  bool on(std::string_view key) const;
  const std::string& text(std::string_view key) const;  // kText, kData, or the id of a kChoice
  std::uint64_t seed(std::string_view key) const;
  std::vector<Index> order(std::string_view key) const;
  std::vector<double> numbers(std::string_view key) const;

 private:
  const lesson::Param& find(std::string_view key) const;
  const std::vector<lesson::Param>& params_;
};

// What came out, by name. Results are printed on the terminal and stand in words as {name}; figures are placed by name.
// One name may be both: matrix() gives a result and leaves the figure to grid().
class Outputs {
 public:
  void number(std::string name, double value);
  void flag(std::string name, bool value);
  void text(std::string name, std::string value);
  void numbers(std::string name, std::vector<double> values);
  void texts(std::string name, std::vector<std::string> values);
  void matrix(std::string name, const Matrix<double>& value);

  // Any figure of a page: Grid, Table, Plot, Plane, Strip, Flow.
  template <class Figure>
  void figure(std::string name, Figure figure) { figures.push_back({std::move(name), {std::move(figure)}}); }
  // A figure from a matrix, which is also a result of that name.
  void grid(std::string name, const Matrix<double>& value, lesson::Grid look);
  // Changes of what the controls show, decided by the other controls: "not now", or another maximum.
  void hide(std::string key);
  void limit(std::string key, double maximum);
  // The options of a choice that the text file gives none: the first one where nothing is set, or none of them.
  void options(std::string key, std::vector<lesson::ParamOption> list);
  // Another hint of a control, a sentence about what its value means now.
  void hint(std::string key, std::string text);
  // Which of these options stands where nothing is set, when it is not the first one.
  void standard(std::string key, std::string id);
  // Blocks made in code where the text file has {"blocks": "name"}: drills, lists of questions.
  void blocks(std::string name, std::vector<lesson::Block> list);

  // The page is to give way to this example document, at this moment of it.
  void document(std::string json, std::string at = "") { opens = std::move(json), moment = std::move(at); }

  // What the numbers come from beside the controls; see lesson::Page.
  void madeWith(std::string what) { made_with = std::move(what); }

  struct Named {
    std::string name;
    lesson::Block block;
  };
  std::string opens, moment, made_with;
  std::vector<lesson::Outcome> results;
  std::vector<Named> figures;
  std::vector<std::pair<std::string, std::vector<lesson::Block>>> lists;
  std::vector<std::string> hidden;
  std::vector<std::pair<std::string, double>> limits;
  std::vector<std::pair<std::string, std::vector<lesson::ParamOption>>> choices;
  std::vector<std::pair<std::string, std::string>> standards, hints;
};

// Told the part done, 0 … 1; false asks to stop. Called at least ten times a second by whatever takes long.
using Progress = std::function<bool(double done)>;

// A sentence when what was set cannot be computed; "stopped" is one of them when Progress said so. The same inputs give
// the same outputs, bit for bit. Only a scene that measures time may not, and only while its toggle `measure` is on.
using Compute = std::function<core::Check(const Inputs&, Outputs&, const Progress&)>;

struct Scene {
  std::string_view id;
  std::string_view text;  // the text file: JSON, described in text_file.h
  Compute compute;
};

// In any order: the teaching order is the catalogue's.
const std::vector<Scene>& scenes();
const Scene* find(std::string_view id);

// Refuses an unknown scene, an unknown key and a value out of range, naming what is allowed.
core::Result<Page> run(std::string_view id, const Settings& settings, const Progress& progress = {});
core::Result<Page> run(const Scene& scene, const Settings& settings, const Progress& progress = {});

// The controls of a scene with their presets, without computing.
core::Result<std::vector<lesson::Param>> paramsOf(std::string_view id);

}  // namespace attn::scene
