// A linked program from GLSL without its #version line.
#pragma once
#include <string_view>

#include "core/result.h"
#include "render/gl.h"

namespace attn::render {

class Program {
 public:
  Program() = default;
  ~Program();
  Program(const Program&) = delete;
  Program(Program&& other) noexcept : name_(other.name_) { other.name_ = 0; }
  Program& operator=(Program&& other) noexcept;

  GLuint name() const { return name_; }
  GLint uniform(const char* uniform_name) const { return glGetUniformLocation(name_, uniform_name); }

 private:
  friend core::Result<Program> compileProgram(std::string_view vertex, std::string_view fragment);
  GLuint name_ = 0;
};

// The driver's first complaint on failure. Needs a current context.
core::Result<Program> compileProgram(std::string_view vertex, std::string_view fragment);

}  // namespace attn::render
