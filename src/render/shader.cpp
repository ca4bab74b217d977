// Compiling and linking. Knows no drawing.
#include "render/shader.h"

#include <array>
#include <string>
#include <utility>

namespace attn::render {
namespace {

core::Result<GLuint> compile(GLenum kind, std::string_view body) {
  const GLuint shader = glCreateShader(kind);
  const std::array<const GLchar*, 2> parts = {kGlslPreamble, body.data()};
  const std::array<GLint, 2> lengths = {-1, static_cast<GLint>(body.size())};
  glShaderSource(shader, 2, parts.data(), lengths.data());
  glCompileShader(shader);
  GLint fine = 0;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &fine);
  if (fine) {
    return shader;
  }
  std::array<GLchar, 512> log = {};
  glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()) - 1, nullptr, log.data());
  glDeleteShader(shader);
  return core::Error{std::string(kind == GL_VERTEX_SHADER ? "vertex" : "fragment") + " shader: " + log.data()};
}

}  // namespace

Program::~Program() {
  if (name_ != 0) {
    glDeleteProgram(name_);
  }
}

Program& Program::operator=(Program&& other) noexcept {
  std::swap(name_, other.name_);
  return *this;
}

core::Result<Program> compileProgram(std::string_view vertex, std::string_view fragment) {
  const core::Result<GLuint> first = compile(GL_VERTEX_SHADER, vertex);
  if (!first) {
    return first.error();
  }
  const core::Result<GLuint> second = compile(GL_FRAGMENT_SHADER, fragment);
  if (!second) {
    glDeleteShader(first.value());
    return second.error();
  }
  Program program;
  program.name_ = glCreateProgram();
  glAttachShader(program.name_, first.value());
  glAttachShader(program.name_, second.value());
  glLinkProgram(program.name_);
  glDeleteShader(first.value());
  glDeleteShader(second.value());
  GLint fine = 0;
  glGetProgramiv(program.name_, GL_LINK_STATUS, &fine);
  if (fine) {
    return program;
  }
  std::array<GLchar, 512> log = {};
  glGetProgramInfoLog(program.name_, static_cast<GLsizei>(log.size()) - 1, nullptr, log.data());
  return core::Error{std::string("shader program: ") + log.data()};
}

}  // namespace attn::render
