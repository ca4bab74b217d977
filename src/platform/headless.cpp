// One picture of the screen, drawn without a display: an EGL context without a surface, a framebuffer of our own, a PNG.
#define GL_GLEXT_PROTOTYPES
#include "platform/headless.h"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "core/language.h"
#include "disk/file.h"
#include "disk/png.h"
#include "disk/shipped.h"
#include "platform/application.h"
#include "platform/opening.h"
#include "platform/scenes.h"
#include "platform/text_engine.h"

namespace attn::platform {
namespace {

using core::Error;

// An OpenGL 3.3 core context that is current and shows nothing.
class OffscreenContext {
 public:
  ~OffscreenContext() {
    if (display_ == EGL_NO_DISPLAY) return;
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglTerminate(display_);
  }

  bool start() {
    const auto get_display =
        reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
    display_ = get_display ? get_display(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, nullptr)
                           : eglGetDisplay(EGL_DEFAULT_DISPLAY);
    if (!eglInitialize(display_, nullptr, nullptr)) return display_ = EGL_NO_DISPLAY, false;
    eglBindAPI(EGL_OPENGL_API);
    const EGLint wanted[] = {EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE, EGL_OPENGL_BIT, EGL_NONE};
    EGLConfig config = nullptr;
    EGLint count = 0;
    if (!eglChooseConfig(display_, wanted, &config, 1, &count) || count == 0) return false;
    const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                              EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT, EGL_NONE};
    const EGLContext context = eglCreateContext(display_, config, EGL_NO_CONTEXT, version);
    return context != EGL_NO_CONTEXT && eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context);
  }

 private:
  EGLDisplay display_ = EGL_NO_DISPLAY;
};

// The context must be current; it takes the objects with it.
bool bindFramebuffer(int width, int height) {
  GLuint framebuffer = 0, color = 0;
  glGenFramebuffers(1, &framebuffer);
  glGenRenderbuffers(1, &color);
  glBindRenderbuffer(GL_RENDERBUFFER, color);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, color);
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

// The framebuffer as a PNG; empty when there is no memory for it.
std::vector<unsigned char> encodePng(int width, int height) {
  const std::size_t line = static_cast<std::size_t>(width) * 3;
  std::vector<unsigned char> pixels(line * height);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGB, GL_UNSIGNED_BYTE, pixels.data());
  for (auto above = pixels.begin(), below = pixels.end() - line; above < below; above += line, below -= line) {
    std::swap_ranges(above, above + line, below);  // OpenGL counts rows from below
  }
  return disk::pngOf(width, height, pixels);
}

// Until nothing moves any more; animations are off, so a few frames are enough.
void drawUntilStill(Application& application, const Options& options) {
  const FrameInfo info{static_cast<float>(options.width), static_cast<float>(options.height),
                       static_cast<int>(std::lround(options.width * options.scale)),
                       static_cast<int>(std::lround(options.height * options.scale)), 1.0 / 60};
  for (int frame = 0; frame < 30; ++frame) {
    if (application.frame(info).kind != Wake::kNow) break;
  }
  application.paint(info);
}

}  // namespace

core::Check renderPicture(const Options& options) {
  OffscreenContext context;
  const int width = static_cast<int>(std::lround(options.width * options.scale));
  const int height = static_cast<int>(std::lround(options.height * options.scale));
  if (!context.start()) {
    return Error{tr("No OpenGL 3.3 without a display is available here; install Mesa's EGL drivers (Debian: libegl-mesa0).")};
  }
  if (!bindFramebuffer(width, height)) {
    return Error{tr("This OpenGL cannot draw a picture of {0}×{1} pixels; choose a smaller --size or --scale.", {width, height})};
  }
  ui::setTextEngine(drawWithTextEngine);
  Application application;
  application.view.theme = options.dark ? ui::Theme::kDark : ui::Theme::kLight;
  application.view.text_scale = static_cast<float>(options.text_scale);
  application.view.environment.reduced_motion = true;
  desk::Desk desk(disk::shippedFile);
  const auto open = [&](Opening opening) -> core::Check {
    const auto opened = openArrays(desk.files, std::move(opening));
    application.session.dispatch(opened);
    return opened.label.empty() ? core::Check(Error{opened.refused}) : std::nullopt;
  };
  if (auto failed = showMoment(application, options, open)) return failed;
  computeScenes(application.session, desk);
  if (!application.startGraphics()) return Error{tr("The shaders do not compile on this OpenGL; update its driver.")};
  drawUntilStill(application, options);
  const auto png = encodePng(width, height);
  if (png.empty()) return Error{tr("There is not enough memory for the picture; choose a smaller --size or --scale.")};
  if (const std::string& note = application.session.notice(); !note.empty()) {
    std::fprintf(stderr, "attnscope: %s\n", note.c_str());
  }
  return disk::writeFile(options.out, png);
}

}  // namespace attn::platform
