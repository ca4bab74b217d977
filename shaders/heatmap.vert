layout(location = 0) in vec2 a_corner;  // 0–1, from the top left
uniform vec4 u_rect;                    // x, y, width, height in clip space
out vec2 v_place;

void main() {
  v_place = a_corner;
  gl_Position = vec4(u_rect.xy + a_corner * u_rect.zw, 0.0, 1.0);
}
