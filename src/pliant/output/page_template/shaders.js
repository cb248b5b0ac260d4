// Light in the page follows the still pictures: a warm key lamp with a shadow, a fill lamp, and the sky.
const LIGHT = `
uniform highp sampler2DShadow shadow_map;
uniform mat4 lamp;
uniform vec3 sun, eye, right_of, up_of, ahead;
float lit(vec3 place, vec3 normal, float stand_off) {
  vec4 at = lamp * vec4(place + normal * stand_off, 1.0);
  vec3 p = at.xyz * 0.5 + 0.5;
  if (any(lessThan(p, vec3(0.0))) || any(greaterThan(p, vec3(1.0)))) return 1.0;
  float total = 0.0, texel = 2.4 / float(textureSize(shadow_map, 0).x);
  for (int i = -2; i <= 2; i++)
    for (int j = -2; j <= 2; j++)
      total += texture(shadow_map, vec3(p.xy + vec2(i, j) * texel, p.z - 0.0005));
  return total / 25.0;
}
vec3 encoded(vec3 light) {
  light = clamp(light, 0.0, 1.0);
  return mix(light * 12.92, 1.055 * pow(light, vec3(1.0 / 2.4)) - 0.055, step(0.0031308, light));
}
vec3 decoded(vec3 colour) { return mix(colour / 12.92, pow((colour + 0.055) / 1.055, vec3(2.4)), step(0.04045, colour)); }
`;
const SHADE = `
uniform vec3 hue;
uniform bool by_value;
uniform sampler2D scale;
uniform float reach, dim;
in vec3 place, normal;
in float value;
out vec4 colour;
void main() {
  vec3 ray = normalize(place - eye), n = normalize(normal);
  vec3 flat_n = normalize(cross(dFdx(place), dFdy(place)));
  if (dot(flat_n, ray) > 0.0) flat_n = -flat_n;
  if (dot(n, ray) > 0.0) n = -n;
  vec3 albedo = by_value ? decoded(texture(scale, vec2((clamp(value, 0.0, 1.0) * 255.0 + 0.5) / 256.0, 0.5)).rgb) : decoded(hue);
  vec3 fill = normalize(right_of * 0.75 + up_of * 0.25 - ahead * 0.6);
  float shadow = dot(n, sun) > 0.0 ? lit(place, flat_n, reach * 0.004) : 0.0;
  float up = 0.5 + 0.5 * n.z, soft = 0.5 + 0.5 * dot(n, fill);
  vec3 ambient = mix(vec3(0.30, 0.285, 0.27), vec3(0.47, 0.50, 0.54), up) * 0.9;
  vec3 light = vec3(0.66, 0.645, 0.615) * max(dot(n, sun), 0.0) * shadow + ambient + vec3(0.19, 0.195, 0.205) * soft * soft;
  float shine = pow(max(dot(n, normalize(sun - ray)), 0.0), 38.0) * 0.16 * shadow;
  float edge = pow(1.0 - max(-dot(n, ray), 0.0), 4.0) * 0.10;
  colour = vec4(encoded(albedo * light * dim + shine + edge * dim), 1.0);
}`;
const SHADERS = {
  surface: [`#version 300 es
layout(location=0) in vec3 a_place; layout(location=1) in vec3 a_normal; layout(location=2) in float a_value;
uniform mat4 view, pose;
out vec3 place, normal; out float value;
void main() {
  place = (pose * vec4(a_place, 1.0)).xyz; normal = mat3(pose) * a_normal; value = a_value;
  gl_Position = view * vec4(place, 1.0);
}`, `#version 300 es
precision highp float;` + LIGHT + SHADE],
  rod: [`#version 300 es
layout(location=0) in vec3 a_ring; layout(location=1) in vec3 a_from; layout(location=2) in vec3 a_to;
layout(location=3) in float a_v0; layout(location=4) in float a_v1;
uniform mat4 view; uniform float radius;
out vec3 place, normal; out float value;
void main() {
  vec3 along = a_to - a_from; float size = length(along); along = size > 0.0 ? along / size : vec3(0.0, 0.0, 1.0);
  vec3 u = normalize(cross(along, abs(along.z) < 0.9 ? vec3(0.0, 0.0, 1.0) : vec3(1.0, 0.0, 0.0)));
  normal = u * a_ring.x + cross(along, u) * a_ring.y; value = mix(a_v0, a_v1, a_ring.z);
  place = mix(a_from - along * radius * 0.4, a_to + along * radius * 0.4, a_ring.z) + normal * radius;
  gl_Position = view * vec4(place, 1.0);
}`, `#version 300 es
precision highp float;` + LIGHT + SHADE],
  wire: [`#version 300 es
layout(location=0) in vec3 a_place; uniform mat4 view;
void main() { gl_Position = view * vec4(a_place, 1.0); }`, `#version 300 es
precision highp float; out vec4 colour; uniform vec4 ink;
void main() { colour = vec4(ink.rgb * ink.a, ink.a); }`],
  ground: [`#version 300 es
layout(location=0) in vec2 a_corner; uniform mat4 view; uniform float floor_z, wide; uniform vec2 middle; out vec3 place;
void main() { place = vec3(middle + a_corner * wide, floor_z); gl_Position = view * vec4(place, 1.0); }`, `#version 300 es
precision highp float;` + LIGHT + `
uniform float wide, spacing, reach; uniform vec2 middle; uniform bool grid; uniform vec3 ink; uniform float strength;
in vec3 place; out vec4 colour;
float lines(vec2 p, float step_size) {
  vec2 size = fwidth(p), off = abs(p - step_size * floor(p / step_size + 0.5));
  vec2 line = clamp(0.85 - off / max(size, vec2(1e-9)), 0.0, 1.0) * clamp(step_size / size / 6.0, 0.0, 1.0);
  return max(line.x, line.y);
}
void main() {
  float away = length(place.xy - middle) / wide, stay = 1.0 - smoothstep(0.25, 1.0, away);
  float dark = 0.30 * strength * (1.0 - lit(place, vec3(0.0, 0.0, 1.0), reach * 0.002));
  float mark = grid ? max(lines(place.xy, spacing) * 0.13, lines(place.xy, spacing * 5.0) * 0.22) : 0.0;
  mark *= stay; dark *= stay;
  colour = vec4(ink * mark * (1.0 - dark), 1.0 - (1.0 - mark) * (1.0 - dark));
}`],
};
// The lamp sees the same shapes and keeps only their depth.
for (const name of ["surface", "rod"]) SHADERS[name + "_depth"] = [SHADERS[name][0], `#version 300 es
precision highp float; void main() {}`];
