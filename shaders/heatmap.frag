uniform highp sampler2D u_values;
uniform highp usampler2D u_marks;
uniform highp sampler2D u_palette;  // 256×1
uniform vec2 u_range;               // low, high
uniform vec2 u_step;                // cells per framebuffer pixel
uniform vec4 u_ground;
uniform vec4 u_hatch;
uniform float u_spacing;            // of the hatch, in framebuffer pixels
uniform float u_dim;
in vec2 v_place;
layout(location = 0) out vec4 o_color;

const uint kBlocked = 1u;
const uint kUnknown = 2u;
const int kMostSamples = 6;

vec4 valueColor(float value) {
  float t = clamp((value - u_range.x) / (u_range.y - u_range.x), 0.0, 1.0);
  return texelFetch(u_palette, ivec2(int(t * 255.0 + 0.5), 0), 0);
}

vec4 markColor(uint mark) {
  if (mark == kBlocked) {
    float line = fract((gl_FragCoord.x - gl_FragCoord.y) / u_spacing);
    return mix(u_ground, u_hatch, line < 0.22 ? 1.0 : 0.12);
  }
  if (mark == kUnknown) {
    return u_ground;
  }
  // Not a number and the infinities: a check of two strong colours that no scale contains.
  float check = mod(floor(gl_FragCoord.x / 3.0) + floor(gl_FragCoord.y / 3.0), 2.0);
  vec4 strong = mark == 3u ? vec4(0.85, 0.1, 0.55, 1.0) : mark == 4u ? vec4(1.0, 0.75, 0.2, 1.0) : vec4(0.2, 0.45, 1.0, 1.0);
  return mix(strong, u_ground, check * 0.6);
}

void main() {
  ivec2 size = textureSize(u_values, 0);
  ivec2 last = size - 1;
  vec2 place = v_place * vec2(size);
  // Several cells under one pixel are averaged, so that thin lines neither flicker nor vanish.
  ivec2 count = clamp(ivec2(ceil(u_step - 0.01)), ivec2(1), ivec2(kMostSamples));
  vec2 stride = u_step / vec2(count);
  vec4 sum = vec4(0.0);
  for (int row = 0; row < kMostSamples; ++row) {
    if (row >= count.y) break;
    for (int column = 0; column < kMostSamples; ++column) {
      if (column >= count.x) break;
      vec2 offset = (vec2(float(column), float(row)) + 0.5) * stride - 0.5 * u_step;
      ivec2 cell = clamp(ivec2(floor(place + (count == ivec2(1) ? vec2(0.0) : offset))), ivec2(0), last);
      uint mark = texelFetch(u_marks, cell, 0).r;
      sum += mark == 0u ? valueColor(texelFetch(u_values, cell, 0).r) : markColor(mark);
    }
  }
  vec4 color = sum / float(count.x * count.y);
  o_color = vec4(mix(color.rgb, u_ground.rgb, u_dim), 1.0);
}
