// The run as WebGL2 buffers, and how one moment of it is drawn.
function normalised(v) { const s = Math.hypot(...v) || 1; return v.map((x) => x / s); }
function crossed(a, b) { return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]; }
function dotted(a, b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
function multiplied(a, b) {
  const out = new Float32Array(16);
  for (let c = 0; c < 4; c++) for (let r = 0; r < 4; r++) {
    let sum = 0;
    for (let k = 0; k < 4; k++) sum += a[k * 4 + r] * b[c * 4 + k];
    out[c * 4 + r] = sum;
  }
  return out;
}
function looking(eye, right, up, ahead) {
  return new Float32Array([
    right[0], up[0], -ahead[0], 0, right[1], up[1], -ahead[1], 0, right[2], up[2], -ahead[2], 0,
    -dotted(right, eye), -dotted(up, eye), dotted(ahead, eye), 1,
  ]);
}

class Scene {
  constructor(canvas, run) {
    const gl = canvas.getContext("webgl2", { antialias: true, alpha: true, premultipliedAlpha: true });
    if (!gl) throw new Error("This browser has no WebGL2, which the page needs to draw.");
    this.canvas = canvas; this.gl = gl; this.run = run;
    this.programs = {};
    for (const name in SHADERS) this.programs[name] = this.program(...SHADERS[name]);
    this.bodies = run.bodies.map((body) => (body.rod ? this.rod(body) : this.surface(body)));
    this.props = run.props.filter((p) => !p.ground).map((prop) => this.rigid(prop));
    this.corners = this.array([[0, 2, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1])]]);
    this.scale = this.texture(run.scale);
    this.shadow();
    gl.enable(gl.DEPTH_TEST);
  }

  program(vertex, fragment) {
    const gl = this.gl, program = gl.createProgram();
    for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, text);
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(program, shader);
    }
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    const places = {}, count = gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS);
    for (let i = 0; i < count; i++) { const info = gl.getActiveUniform(program, i); places[info.name] = [gl.getUniformLocation(program, info.name), info.type]; }
    return { program, places };
  }

  use(name, values) {
    const gl = this.gl, { program, places } = this.programs[name];
    gl.useProgram(program);
    for (const key in values) {
      if (!(key in places)) continue;
      const [place, type] = places[key], v = values[key];
      if (type === gl.FLOAT_MAT4) gl.uniformMatrix4fv(place, false, v);
      else if (type === gl.FLOAT_VEC4) gl.uniform4fv(place, v);
      else if (type === gl.FLOAT_VEC3) gl.uniform3fv(place, v);
      else if (type === gl.FLOAT_VEC2) gl.uniform2fv(place, v);
      else if (type === gl.FLOAT) gl.uniform1f(place, v);
      else gl.uniform1i(place, v);
    }
  }

  array(attributes, indices, divisor = 0) {
    const gl = this.gl, vao = gl.createVertexArray(), buffers = [];
    gl.bindVertexArray(vao);
    for (const [place, width, data, each = divisor] of attributes) {
      const buffer = gl.createBuffer();
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
      gl.enableVertexAttribArray(place);
      gl.vertexAttribPointer(place, width, gl.FLOAT, false, 0, 0);
      gl.vertexAttribDivisor(place, each);
      buffers.push(buffer);
    }
    if (indices) { gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer()); gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, indices, gl.STATIC_DRAW); }
    gl.bindVertexArray(null);
    return { vao, buffers };
  }

  surface(body) {
    const n = body.source.length, x = new Float32Array(3 * n), normal = new Float32Array(3 * n), value = new Float32Array(n);
    const solid = this.array([[0, 3, x], [1, 3, normal], [2, 1, value]], body.cells);
    const wires = this.array([], body.wires);
    const gl = this.gl;
    gl.bindVertexArray(wires.vao);
    gl.bindBuffer(gl.ARRAY_BUFFER, solid.buffers[0]);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 0, 0);
    gl.bindVertexArray(null);
    return { body, x, normal, value, solid, wires, shown: true };
  }

  rod(body) {
    const edges = body.cells.length / 2, sides = 12, ring = [];
    for (let i = 0; i <= sides; i++) for (const end of [0, 1]) { const a = (2 * Math.PI * i) / sides; ring.push(Math.cos(a), Math.sin(a), end); }
    const from = new Float32Array(3 * edges), to = new Float32Array(3 * edges), v0 = new Float32Array(edges), v1 = new Float32Array(edges);
    const solid = this.array([[0, 3, new Float32Array(ring), 0], [1, 3, from], [2, 3, to], [3, 1, v0], [4, 1, v1]], null, 1);
    return { body, from, to, v0, v1, solid, edges, strip: 2 * (sides + 1), shown: true };
  }

  rigid(prop) {
    const none = new Float32Array(prop.vertices.length / 3);
    return { prop, solid: this.array([[0, 3, prop.vertices], [1, 3, prop.normals], [2, 1, none]], prop.cells) };
  }

  texture(bytes) {
    const gl = this.gl, texture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, texture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB8, 256, 1, 0, gl.RGB, gl.UNSIGNED_BYTE, bytes);
    for (const key of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, key, gl.LINEAR);
    for (const key of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, key, gl.CLAMP_TO_EDGE);
    return texture;
  }

  shadow() {
    const gl = this.gl;
    this.shadow_size = 1536;
    this.shadow_map = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, this.shadow_map);
    gl.texStorage2D(gl.TEXTURE_2D, 1, gl.DEPTH_COMPONENT24, this.shadow_size, this.shadow_size);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_COMPARE_MODE, gl.COMPARE_REF_TO_TEXTURE);
    for (const key of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, key, gl.LINEAR);
    this.shadow_frame = gl.createFramebuffer();
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadow_frame);
    gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.TEXTURE_2D, this.shadow_map, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }

  // Put every vertex where it is at the moment [low, high, part], with normals and field values.
  move([low, high, part], field) {
    const gl = this.gl, { places, vertices: n, box } = this.run, step = box[1].map((h, k) => (h - box[0][k]) / 65535);
    const at = (v, k) => {
      const a = places[3 * (low * n + v) + k], b = places[3 * (high * n + v) + k];
      return box[0][k] + (a + (b - a) * part) * step[k];
    };
    const shade = (v) => { const a = field.values[low * n + v], b = field.values[high * n + v]; return (a + (b - a) * part) / 255; };
    const upload = (buffer, data) => { gl.bindBuffer(gl.ARRAY_BUFFER, buffer); gl.bufferSubData(gl.ARRAY_BUFFER, 0, data); };
    for (const item of this.bodies) {
      const { body } = item, { source, cells, first } = body;
      if (body.rod) {
        for (let e = 0; e < item.edges; e++) {
          const a = first + cells[2 * e], b = first + cells[2 * e + 1];
          for (let k = 0; k < 3; k++) { item.from[3 * e + k] = at(a, k); item.to[3 * e + k] = at(b, k); }
          if (field) { item.v0[e] = shade(a); item.v1[e] = shade(b); }
        }
        [item.from, item.to, item.v0, item.v1].forEach((data, i) => upload(item.solid.buffers[i + 1], data));
        continue;
      }
      const { x, normal, value } = item;
      for (let i = 0; i < source.length; i++) {
        const v = first + source[i];
        x[3 * i] = at(v, 0); x[3 * i + 1] = at(v, 1); x[3 * i + 2] = at(v, 2);
        if (field) value[i] = shade(v);
      }
      normal.fill(0);
      for (let t = 0; t < cells.length; t += 3) {
        const a = 3 * cells[t], b = 3 * cells[t + 1], c = 3 * cells[t + 2];
        const ux = x[b] - x[a], uy = x[b + 1] - x[a + 1], uz = x[b + 2] - x[a + 2];
        const vx = x[c] - x[a], vy = x[c + 1] - x[a + 1], vz = x[c + 2] - x[a + 2];
        const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
        for (const i of [a, b, c]) { normal[i] += nx; normal[i + 1] += ny; normal[i + 2] += nz; }
      }
      for (let i = 0; i < normal.length; i += 3) {
        const size = Math.hypot(normal[i], normal[i + 1], normal[i + 2]) || 1;
        normal[i] /= size; normal[i + 1] /= size; normal[i + 2] /= size;
      }
      [x, normal, value].forEach((data, i) => upload(item.solid.buffers[i], data));
    }
    for (const { prop } of this.props) {
      const many = prop.poses.length > 16;
      prop.pose = new Float32Array(16);
      for (let i = 0; i < 16; i++) {
        const a = prop.poses[(many ? low * 16 : 0) + i], b = prop.poses[(many ? high * 16 : 0) + i];
        prop.pose[i] = a + (b - a) * part;
      }
    }
  }

  shapes(suffix, common, by_value) {
    const gl = this.gl, still = new Float32Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
    for (const item of this.bodies) {
      if (!item.shown) continue;
      const { body } = item;
      this.use((body.rod ? "rod" : "surface") + suffix, { ...common, pose: still, hue: body.rgb, by_value, radius: body.radius || 0 });
      gl.bindVertexArray(item.solid.vao);
      if (body.rod) gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, item.strip, item.edges);
      else gl.drawElements(gl.TRIANGLES, body.cells.length, gl.UNSIGNED_INT, 0);
    }
    for (const { prop, solid } of this.props) {
      this.use("surface" + suffix, { ...common, pose: prop.pose, hue: prop.rgb, by_value: 0 });
      gl.bindVertexArray(solid.vao);
      gl.drawElements(gl.TRIANGLES, prop.cells.length, gl.UNSIGNED_INT, 0);
    }
  }

  draw(camera, { by_value, wire, dark }) {
    const gl = this.gl, run = this.run, { centre, reach } = run;
    const pixels = Math.min(window.devicePixelRatio || 1, 2);
    const width = Math.max(1, Math.round(this.canvas.clientWidth * pixels)), height = Math.max(1, Math.round(this.canvas.clientHeight * pixels));
    if (this.canvas.width !== width || this.canvas.height !== height) { this.canvas.width = width; this.canvas.height = height; }
    const { eye, right, up, ahead } = camera.frame();
    const near = Math.max(camera.distance - 8 * reach, 0.02 * camera.distance), far = camera.distance + 8 * reach;
    const focal = 1 / camera.half;
    const middle = camera.free();
    const lens = new Float32Array([focal * height / width, 0, 0, 0, 0, focal, 0, 0, -middle.right, -middle.up, (far + near) / (near - far), -1, 0, 0, 2 * far * near / (near - far), 0]);
    const view = multiplied(lens, looking(eye, right, up, ahead));
    let sun = [0, 1, 2].map((k) => -0.45 * right[k] + 0.6 * up[k] - 0.35 * ahead[k]);
    sun = normalised([sun[0], sun[1], Math.max(sun[2], 0.7)]);
    const side = normalised(crossed([0, 0, 1], sun)), over = crossed(sun, side), size = 1.1 * reach;
    const box = new Float32Array([1 / size, 0, 0, 0, 0, 1 / size, 0, 0, 0, 0, -1 / (6 * reach), 0, 0, 0, -1, 1]);
    const away = centre.map((c, k) => c + 6 * reach * sun[k] * 1.0);
    const lamp = multiplied(box, looking(away, side, over, sun.map((s) => -s)));

    gl.bindFramebuffer(gl.FRAMEBUFFER, this.shadow_frame);
    gl.viewport(0, 0, this.shadow_size, this.shadow_size);
    gl.clear(gl.DEPTH_BUFFER_BIT);
    gl.disable(gl.BLEND);
    this.shapes("_depth", { view: lamp }, 0);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
    gl.viewport(0, 0, width, height);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.activeTexture(gl.TEXTURE0); gl.bindTexture(gl.TEXTURE_2D, this.shadow_map);
    gl.activeTexture(gl.TEXTURE1); gl.bindTexture(gl.TEXTURE_2D, this.scale);
    const common = { view, lamp, sun, eye, right_of: right, up_of: up, ahead, reach, shadow_map: 0, scale: 1, dim: dark ? 0.92 : 1 };
    // Push surfaces back a little, so that their wires lie on top of them.
    if (wire) { gl.enable(gl.POLYGON_OFFSET_FILL); gl.polygonOffset(1.5, 2); }
    this.shapes("", common, by_value ? 1 : 0);
    gl.disable(gl.POLYGON_OFFSET_FILL);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    if (wire) for (const item of this.bodies) {
      if (!item.shown || item.body.rod) continue;
      this.use("wire", { view, ink: [0.05, 0.06, 0.09, 0.5] });
      gl.bindVertexArray(item.wires.vao);
      gl.drawElements(gl.LINES, item.body.wires.length, gl.UNSIGNED_INT, 0);
    }
    if (eye[2] > run.floor) {
      const ink = dark ? [0.75, 0.82, 0.92] : [0.1, 0.13, 0.18];
      this.use("ground", { ...common, floor_z: run.floor, wide: 5 * reach, middle: centre.slice(0, 2), spacing: run.spacing, grid: run.grid ? 1 : 0, ink, strength: (dark ? 1.5 : 1) * (run.grid ? 1 : 0.6) });
      gl.bindVertexArray(this.corners.vao);
      gl.drawArrays(gl.TRIANGLE_STRIP, 0, 4);
    }
    gl.bindVertexArray(null);
  }
}

class Camera {
  constructor(run, canvas) { this.run = run; this.canvas = canvas; this.half = Math.tan((13 * Math.PI) / 180); this.reset(); }
  // The part of the canvas that no panel covers: its size, and how far its middle lies right of and above the canvas's.
  free() {
    const width = Math.max(this.canvas.clientWidth, 1), height = Math.max(this.canvas.clientHeight, 1);
    const below = document.querySelector("footer").offsetHeight + 24, wide = width > 900;
    const beside = wide ? 230 : 0, above = wide ? 56 : document.querySelector("aside").offsetHeight + 24;
    return { width, height, across: 1 - beside / width, upright: Math.max(1 - (below + above) / height, 0.3), right: -beside / width, up: (below - above) / height };
  }
  // The nearest place from which the whole run can be seen.
  reset() {
    const { azimuth, elevation, hull } = this.run, { width, height, across, upright } = this.free();
    this.azimuth = azimuth; this.elevation = elevation; this.target = [0, 0, 0]; this.distance = 1;
    const { right, up, ahead } = this.frame(), eye = [0, 0, 0];
    const room = [this.half * (width / height) * across * 0.9, this.half * upright * 0.94];
    let back = 0, deep = 0;
    const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => [hull[i & 1][0], hull[(i >> 1) & 1][1], hull[i >> 2][2]]);
    [right, up].forEach((axis, k) => {
      const low = Math.max(...corners.map((c) => dotted(c, axis) - room[k] * dotted(c, ahead)));
      const high = Math.min(...corners.map((c) => dotted(c, axis) + room[k] * dotted(c, ahead)));
      eye[k] = (low + high) / 2;
      back = Math.max(back, (low - high) / 2 / room[k]);
    });
    deep = dotted(this.run.centre, ahead) + back;
    this.distance = Math.max(deep, 0.05 * this.run.reach);
    this.target = [0, 1, 2].map((k) => right[k] * eye[0] + up[k] * eye[1] + ahead[k] * (this.distance - back));
  }
  frame() {
    const a = this.azimuth, e = this.elevation;
    const outward = [Math.cos(a) * Math.cos(e), Math.sin(a) * Math.cos(e), Math.sin(e)];
    const right = [-Math.sin(a), Math.cos(a), 0], up = crossed(outward, right);
    return { eye: this.target.map((t, k) => t + outward[k] * this.distance), right, up, ahead: outward.map((o) => -o) };
  }
  turn(dx, dy) {
    this.azimuth -= 0.0075 * dx;
    this.elevation = Math.min(Math.max(this.elevation + 0.0075 * dy, -1.55), 1.55);
  }
  move(dx, dy) {
    const { right, up } = this.frame(), step = (2 * this.half * this.distance) / Math.max(this.canvas.clientHeight, 1);
    this.target = this.target.map((t, k) => t + step * (up[k] * dy - right[k] * dx));
  }
  zoom(factor) { this.distance = Math.min(Math.max(this.distance * factor, 0.05 * this.run.reach), 60 * this.run.reach); }
}
