// A picture to draw into, at the pixels of which a test can look. Needs a current OpenGL context.
#pragma once
#include <algorithm>
#include <vector>

#include "figure/color.h"
#include "render/gl.h"

namespace attn::test {

constexpr int kSide = 64;

// Square, `side` pixels wide, blue at first; what is drawn goes into the one that was made or bound last.
class Canvas {
 public:
  explicit Canvas(int side = kSide) : side_(side) {
    glGenFramebuffers(1, &frame_);
    glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, side, side, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    bind();
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture_, 0);
    glDisable(GL_SCISSOR_TEST);
    glClearColor(0, 0, 1, 1);
    glClear(GL_COLOR_BUFFER_BIT);
  }
  ~Canvas() {
    glDeleteFramebuffers(1, &frame_);
    glDeleteTextures(1, &texture_);
  }
  Canvas(const Canvas&) = delete;

  void bind() { glBindFramebuffer(GL_FRAMEBUFFER, frame_); }
  void read() {
    pixels_.resize(static_cast<std::size_t>(side_ * side_));
    glReadPixels(0, 0, side_, side_, GL_RGBA, GL_UNSIGNED_BYTE, pixels_.data());
  }
  // As read last; row 0 is the top.
  figure::Color at(int x, int y) const { return pixels_[static_cast<std::size_t>((side_ - 1 - y) * side_ + x)]; }
  const std::vector<figure::Color>& pixels() const { return pixels_; }

 private:
  int side_;
  GLuint frame_ = 0, texture_ = 0;
  std::vector<figure::Color> pixels_;
};

}  // namespace attn::test
