// A page written as JSON. Knows how values are written, not which fields there are.
#include "lesson/page_json.h"

#include "core/number.h"
#include "io/json_writer.h"
#include "lesson/page_fields.h"

namespace attn::lesson {
namespace {

using io::JsonWriter;

class Writer {
 public:
  static constexpr bool kWrites = true;
  explicit Writer(JsonWriter& out) : out_(out) {}

  template <class T>
  void operator()(std::string_view name, const T& value) {
    out_.name(name);
    write(value);
  }

 private:
  void write(const std::string& text) { out_.text(text); }
  void write(bool value) { out_.flag(value); }
  void write(double value) { out_.number(value); }
  void write(int value) { out_.number(value); }
  void write(Index value) { out_.number(static_cast<double>(value)); }
  void write(const std::pair<Index, Index>& cell) {
    out_.beginList();
    write(cell.first), write(cell.second);
    out_.endList();
  }
  template <class T>
  void write(const std::vector<T>& list) {
    out_.beginList();
    for (const T& each : list) write(each);
    out_.endList();
  }
  void write(const Block& block) {
    out_.beginObject();
    (*this)("type", std::string(kBlockNames[block.content.index()]));
    (*this)("beside", block.beside);
    std::visit([&](const auto& content) { describe(*this, content); }, block.content);
    out_.endObject();
  }
  template <class T>
  void write(const T& part) {
    if constexpr (std::is_enum_v<T>) {
      out_.text(namesOf(part)[static_cast<std::size_t>(part)]);
    } else {
      out_.beginObject();
      describe(*this, part);
      out_.endObject();
    }
  }

  JsonWriter& out_;
};

void writeParam(JsonWriter& out, const Param& param) {
  const bool numeric =
      param.kind == ParamKind::kInteger || param.kind == ParamKind::kNumber || param.kind == ParamKind::kSeed;
  const std::optional<double> number = numeric ? core::parseNumber(param.value) : std::nullopt;
  out.name(param.key);
  if (number) out.number(*number);
  else if (param.kind == ParamKind::kToggle) out.flag(param.value == "1");
  else out.text(param.value);
}

void writeValue(JsonWriter& out, double value) { out.number(value); }
void writeValue(JsonWriter& out, bool value) { out.flag(value); }
void writeValue(JsonWriter& out, const std::string& value) { out.text(value); }
template <class T>
void writeValue(JsonWriter& out, const std::vector<T>& list) {
  out.beginList();
  for (const T& each : list) writeValue(out, each);
  out.endList();
}
void writeValue(JsonWriter& out, const core::Matrix<double>& matrix) {
  out.beginList();
  for (Index i = 0; i < matrix.rows(); ++i) writeValue(out, std::vector<double>(matrix.row(i).begin(), matrix.row(i).end()));
  out.endList();
}

}  // namespace

std::string pageJson(const Page& page) {
  JsonWriter out;
  Writer writer(out);
  out.beginObject();
  describe(writer, page);
  out.endObject();
  return out.take();
}

std::string sceneJson(const Page& page) {
  JsonWriter out;
  out.beginObject();
  out.name("scene").text(page.id);
  out.name("params").beginObject();
  for (const Param& param : page.params) writeParam(out, param);
  out.endObject();
  out.name("results").beginObject();
  for (const Outcome& outcome : page.results) {
    out.name(outcome.name);
    std::visit([&](const auto& value) { writeValue(out, value); }, outcome.value);
  }
  out.endObject();
  out.name("says").text(page.says);
  out.endObject();
  return out.take();
}

}  // namespace attn::lesson
