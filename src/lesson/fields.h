// The fields of one JSON object as typed values. The first thing that is wrong is kept as a sentence, and everything
// after it is passed over, so that a reader of documents is a plain list of fields. Knows no field by name.
#pragma once
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tensor.h"
#include "io/json.h"

namespace attn::lesson {

class Fields {
 public:
  using Matrix = core::Matrix<double>;
  using Vector = core::RowVector<double>;

  // `path` is "" for a document, "mask" for its field of that name. `failure` is shared along a document.
  Fields(const io::Json& object, std::string path, core::Check& failure)
      : object_(object), path_(std::move(path)), failure_(failure) {}

  // Refuses every name that is not in the list.
  void onlyKnown(std::initializer_list<std::string_view> names);

  // The value of the field, null when it is absent or something has already failed.
  const io::Json* find(std::string_view name) const { return failure_ ? nullptr : object_.find(name); }

  // Each leaves `out` alone when the field is absent.
  void text(std::string_view name, std::string& out);
  void texts(std::string_view name, std::vector<std::string>& out);
  void flag(std::string_view name, bool& out);
  void flags(std::string_view name, std::vector<bool>& out);
  void flagRows(std::string_view name, std::vector<std::vector<bool>>& out);
  void integer(std::string_view name, core::Index& out);
  void number(std::string_view name, std::optional<double>& out);   // finite
  void numberOrList(std::string_view name, std::vector<double>& out);
  void vector(std::string_view name, std::optional<Vector>& out);
  void vectorOrList(std::string_view name, std::vector<Vector>& out);
  void matrix(std::string_view name, std::optional<Matrix>& out);
  void matrixOrList(std::string_view name, std::vector<Matrix>& out);

  // "`mask.window`, at line 3, column 7, …": refuses with what was found, where, and what to do.
  void refuse(std::string_view name, const io::Json& value, const std::string& sentence);
  std::string fullName(std::string_view name) const;

 private:
  void expected(std::string_view name, const io::Json& value, const std::string& what);
  bool readMatrix(std::string_view name, const io::Json& value, Matrix& out);
  bool readVector(std::string_view name, const io::Json& value, Vector& out);

  const io::Json& object_;
  std::string path_;
  core::Check& failure_;
};

}  // namespace attn::lesson
