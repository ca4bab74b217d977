// JSON text, piece by piece, minified. Commas are the writer's business, the order of calls is the caller's.
#pragma once
#include <string>
#include <string_view>

namespace attn::io {

class JsonWriter {
 public:
  JsonWriter& beginObject() { return begin('{'); }
  JsonWriter& endObject() { return end('}'); }
  JsonWriter& beginList() { return begin('['); }
  JsonWriter& endList() { return end(']'); }
  JsonWriter& name(std::string_view name);
  // Bytes that are not UTF-8 are escaped as io::parseJson reads them back.
  JsonWriter& text(std::string_view value);
  // %.17g; a number that is not finite is the text "-inf", "inf" or "nan".
  JsonWriter& number(double value);
  JsonWriter& flag(bool value);

  const std::string& str() const& { return out_; }
  std::string take() { return std::move(out_); }

 private:
  JsonWriter& begin(char bracket);
  JsonWriter& end(char bracket);
  void separate();

  std::string out_;
  bool first_ = true;  // nothing stands before the next value on its level
};

}  // namespace attn::io
