// Camera, lights, ground, obstacles, bodies, hands: all that is drawn in three dimensions.

import {
  Box3, BufferAttribute, BufferGeometry, Color, CylinderGeometry, DirectionalLight, DoubleSide, Frustum, Group, HemisphereLight,
  Matrix4, Mesh, MeshBasicMaterial, MeshLambertMaterial, MeshStandardMaterial, MOUSE,
  NeutralToneMapping, NotEqualStencilFunc, NoToneMapping, PCFShadowMap, PerspectiveCamera, Plane, PlaneGeometry,
  Quaternion, ReplaceStencilOp, Scene, ShaderMaterial, ShadowMaterial, SphereGeometry, Vector2, Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Body, palette } from "./bodies.js";
import { Contacts, Elements, Holds, release } from "./marks.js";

const LIGHT = { background: 0xe9edf2, ground: 0xf4f6f9, ink: 0xbac2cd };
const DARK = { background: 0x1a2029, ground: 0x232b36, ink: 0x434f60, shadow: 1.7 };
const UP = new Vector3(0, 1, 0);
const [FIRST, WIDEST] = [8, 6]; // [s] of a scene in which the view goes along, and times its size that it widens to
const BELOW = 64; // [px] that the buttons cover
const FILLED = 0.74; // of the picture beside the settings, by the box of a scene
const SUN = new Vector3(0.6, -0.55, 1.35).normalize(); // where the light comes from

// Whether triangles are drawn by the processor: then edges are not smoothed and nothing throws shadows.
function drawnBySoftware() {
  const gl = document.createElement("canvas").getContext("webgl2");
  const info = gl?.getExtension("WEBGL_debug_renderer_info");
  const name = info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : "";
  gl?.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

// The direction of the eye for an azimuth and an elevation in degrees.
function towards(azimuth, elevation) {
  const [a, e] = [(Math.PI / 180) * azimuth, (Math.PI / 180) * elevation];
  return new Vector3(Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e));
}

const GRID = {
  vertexShader: `varying vec3 place;
    void main() { vec4 p = modelMatrix * vec4(position, 1.0); place = p.xyz; gl_Position = projectionMatrix * viewMatrix * p; }`,
  fragmentShader: `varying vec3 place; uniform vec3 centre, ink, paper; uniform float spacing, reach, strength, solid;
    float lines(float every) {
      vec2 at = place.xy / every, wide = fwidth(at);
      vec2 near = abs(fract(at - 0.5) - 0.5) / max(wide, vec2(1e-6));
      return (1.0 - min(min(near.x, near.y), 1.0)) * (1.0 - smoothstep(0.2, 0.6, max(wide.x, wide.y)));
    }
    void main() {
      float away = length(place.xy - centre.xy) / reach;
      float fade = 1.0 - smoothstep(0.15, 1.0, away);
      float drawn = max(0.35 * lines(spacing / 5.0), lines(spacing));
      gl_FragColor = vec4(mix(paper, ink, drawn * strength), fade * mix(solid, 1.0, drawn));
      #include <colorspace_fragment>
    }`,
};

export class Stage {
  constructor(canvas) {
    this.canvas = canvas;
    this.simple = drawnBySoftware();
    this.renderer = new WebGLRenderer({ canvas, antialias: !this.simple, stencil: true, powerPreference: "high-performance" });
    this.renderer.setPixelRatio(this.simple ? 1 : Math.min(devicePixelRatio, 2));
    this.renderer.toneMapping = this.simple ? NoToneMapping : NeutralToneMapping;
    this.renderer.shadowMap.enabled = !this.simple;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.scene = new Scene();
    this.colours = LIGHT;
    this.hidden = new Set(); // names of bodies that are not drawn
    this.faded = new Set(); // of those that are seen through
    this.tints = new Map(); // and the colours that somebody gave them
    this.cut = { axis: -1, share: 0.5, turned: false };
    this.showHolds = true;
    this.renderer.localClippingEnabled = true;
    this.scene.background = new Color(this.colours.background);
    this.camera = new PerspectiveCamera(38, 1, 0.01, 100);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.15;
    this.controls.zoomToCursor = true;
    this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
    this.controls.addEventListener("start", () => ([this.turned, this.going] = [true, null])); // from here on it is theirs
    this.lights();
    this.world = new Group();
    this.marks = new Group();
    this.scene.add(this.world, this.marks);
    this.bodies = [];
    this.spent = [];
    this.props = [];
    this.edges = false;
    this.markers = [];
    this.size = 1;
  }

  lights() {
    this.scene.add(new HemisphereLight(0xffffff, 0xb4bac6, this.simple ? 2.3 : 2.1));
    this.sun = new DirectionalLight(0xfff4e6, this.simple ? 1.5 : 2.2);
    this.sun.castShadow = !this.simple;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 5;
    this.sun.shadow.bias = -0.0004;
    this.sun.shadow.normalBias = 0.01;
    const rim = new DirectionalLight(0xdfe8ff, 0.7);
    rim.position.set(-2, 3, 1);
    this.scene.add(this.sun, this.sun.target, rim);
  }

  // Take over another scene; with the view as it is where it is another chapter of the same run.
  show(about, same = false) {
    for (const body of this.bodies) {
      body.node.removeFromParent();
      body.shade?.removeFromParent();
    }
    this.insides = 0;
    this.holds?.node.removeFromParent();
    this.spent.push(...this.bodies, ...(this.palettes ?? []), ...(this.holds ? [this.holds] : [])); // let go after the next picture: until then their shaders serve those that follow
    this.showElements(null);
    if (!same) {
      const [before, shadow] = [[...this.world.children], this.grid?.shadow];
      this.spent.push({ dispose: () => [...before.map(release), shadow?.dispose()] });
      this.world.clear();
    }
    this.about = about;
    this.size = about.size;
    if (!same) this.where = null;
    this.palettes = [palette(about.arrays.scale), palette(about.arrays["two-sided scale"])];
    this.bodies = about.bodies.map((_, k) => new Body(about, k, this.palettes, this.simple));
    for (const body of this.bodies) {
      body.wireframe = this.edges;
      this.world.add(body.node);
    }
    this.holds = new Holds(about.size, about.bodies, about.arrays);
    this.holds.node.visible = this.showHolds;
    this.world.add(this.holds.node);
    this.dress();
    this.clip();
    if (same) {
      this.shadeBodies();
      return this.hide();
    }
    this.props = about.props.map((prop, i) => this.prop(prop, about, i));
    this.ground(about);
    this.contacts = new Contacts(about.size);
    this.world.add(this.contacts.node);
    this.hide();
    this.frameView();
  }

  // Show a body or not, by name.
  see(name, shown) {
    if (shown) this.hidden.delete(name);
    else this.hidden.add(name);
    this.hide();
  }

  // Fade a body, by name, or give it another colour.
  fade(name, faded) {
    if (faded) this.faded.add(name);
    else this.faded.delete(name);
    this.dress();
  }

  colour(name, hue) {
    this.tints.set(name, hue);
    this.dress();
  }

  dress() {
    for (const body of this.bodies) {
      body.faded = this.faded.has(body.about.name);
      body.clear = Boolean(this.elements?.node.visible);
      if (this.tints.has(body.about.name)) body.colour = this.tints.get(body.about.name);
    }
    this.stale = true;
  }

  // Draw nothing of the bodies beyond a plane across an axis (0, 1, 2; -1 for none) at a share of the box in view.
  clip(axis = this.cut.axis, share = this.cut.share, turned = this.cut.turned) {
    this.cut = { axis, share, turned };
    const { box } = this.about;
    const at = axis < 0 ? 0 : box[0][axis] + share * (box[1][axis] - box[0][axis]);
    const normal = new Vector3().setComponent(Math.max(axis, 0), turned ? 1 : -1);
    this.plane = axis < 0 ? null : new Plane(normal, turned ? -at : at);
    for (const body of this.bodies) body.plane = this.plane;
    this.stale = true;
  }

  hide() {
    for (const body of this.bodies) {
      body.node.visible = !this.hidden.has(body.about.name);
      if (body.shade) body.shade.visible = body.node.visible;
    }
    this.stale = true;
  }

  set dark(dark) {
    this.colours = dark ? DARK : LIGHT;
    this.scene.background.set(this.colours.background);
    this.paintGround();
    this.stale = true;
  }

  paintGround() {
    if (!this.grid) return;
    const { ink, paper } = this.grid.material.uniforms;
    ink.value.set(this.colours.ink);
    const { shadow } = this.grid;
    const { colour, opacity } = shadow.userData;
    shadow.color.set(this.colours.shadow ? 0x000000 : colour); // on a dark floor it has to be darker
    shadow.opacity = (this.colours.shadow ?? 1) * opacity;
    paper.value.set(this.grid.real ? this.colours.ground : this.colours.background);
  }

  prop(prop, about, i) {
    if (prop.ground) return null;
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(about.arrays[`prop vertices:${i}`], 3));
    geometry.setIndex(new BufferAttribute(about.arrays[`prop cells:${i}`], 1));
    geometry.computeVertexNormals();
    const Kind = this.simple ? MeshLambertMaterial : MeshStandardMaterial;
    const mesh = new Mesh(geometry, new Kind({ color: 0xa9b1bd, side: DoubleSide, ...(this.simple ? {} : { roughness: 0.75 }) }));
    mesh.castShadow = mesh.receiveShadow = !this.simple;
    mesh.matrixAutoUpdate = false;
    mesh.frustumCulled = false;
    this.world.add(mesh);
    return mesh;
  }

  ground(about) {
    const reach = 7 * about.size;
    const real = about.props.some((p) => p.ground);
    const centre = new Vector3(...about.box[0]).add(new Vector3(...about.box[1])).multiplyScalar(0.5);
    centre.z = about.floor;
    const material = new ShaderMaterial({
      ...GRID,
      uniforms: {
        centre: { value: centre }, reach: { value: reach }, spacing: { value: about.spacing }, strength: { value: real ? 1 : 0.6 }, solid: { value: real ? 0.75 : 0 },
        ink: { value: new Color() }, paper: { value: new Color() },
      },
      transparent: true, depthWrite: false,
    });
    const plane = new Mesh(new PlaneGeometry(2 * reach, 2 * reach), material);
    plane.position.copy(centre);
    plane.renderOrder = -1;
    this.world.add(plane);
    this.grid = { material, real, planes: [plane], floor: about.floor };
    if (this.simple) this.grid.shadow = this.flatShadows(about, real);
    else {
      const shade = new Mesh(new PlaneGeometry(2 * reach, 2 * reach), new ShadowMaterial({ opacity: real ? 0.28 : 0.12 }));
      shade.position.copy(centre);
      shade.position.z += 1e-4 * about.size;
      shade.receiveShadow = true;
      this.world.add(shade);
      this.grid.planes.push(shade);
      this.grid.shadow = shade.material;
    }
    const { shadow } = this.grid;
    shadow.userData = { colour: shadow.color.getHex(), opacity: shadow.opacity };
    this.paintGround();
  }

  // Bodies and obstacles again, flattened onto the ground along the light: shadows for machines that have no time for maps.
  flatShadows(about, real) {
    this.flattenTo(about.floor + 1e-3 * about.size);
    const material = new MeshBasicMaterial({
      color: 0x1d2a3d, transparent: true, opacity: real ? 0.17 : 0.07, depthWrite: false, side: DoubleSide,
      stencilWrite: true, stencilRef: 1, stencilFunc: NotEqualStencilFunc, stencilZPass: ReplaceStencilOp,
    });
    this.flat = (mesh) => {
      const shade = new Mesh(mesh.geometry, material);
      shade.matrixAutoUpdate = shade.frustumCulled = false;
      shade.matrix.multiplyMatrices(this.flatten, mesh.matrix);
      shade.renderOrder = 1;
      this.world.add(shade);
      return shade;
    };
    this.shadeBodies();
    this.shades = this.props.map((prop) => prop && this.flat(prop));
    return material;
  }

  flattenTo(floor) {
    const [x, y, z] = SUN.toArray();
    this.flatten = new Matrix4().set(1, 0, -x / z, (x / z) * floor, 0, 1, -y / z, (y / z) * floor, 0, 0, 0, floor, 0, 0, 0, 1);
  }

  // Where there is no floor, the squares make room for what falls below them.
  makeRoom(lowest) {
    const { grid, size } = this;
    if (grid.real || lowest > grid.floor + 0.02 * size) return;
    const down = grid.floor - (lowest - 0.25 * size);
    grid.floor -= down;
    for (const plane of grid.planes) plane.position.z -= down;
    if (!this.flat) return;
    this.flattenTo(grid.floor + 1e-3 * size);
    for (const body of this.bodies) body.shade?.matrix.multiplyMatrices(this.flatten, body.mesh.matrix);
    this.shades.forEach((shade, i) => shade?.matrix.multiplyMatrices(this.flatten, this.props[i].matrix));
  }

  shadeBodies() {
    if (this.flat) for (const body of this.bodies) if (!body.about.rod) body.shade = this.flat(body.mesh);
  }

  // Put the camera where everything is in view: what the scene is made of, or, later, the bodies where they are.
  frameView(now = false) {
    const { box } = this.about;
    this.framed = now && this.where ? this.boxNow() : new Box3(new Vector3(...box[0]), new Vector3(...box[1]));
    [this.turned, this.going] = [false, null];
    const { centre, reach, far, position } = this.facing(this.framed);
    this.camera.position.copy(position);
    this.camera.near = far / 200;
    this.camera.far = far * 60;
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(centre);
    this.stale = true;
    this.controls.minDistance = 0.05 * far;
    this.controls.maxDistance = 12 * far;
    this.controls.enableDamping = false; // what is left of an earlier turn ends here
    this.controls.update();
    this.controls.enableDamping = true;
    this.sun.target.position.copy(centre);
    this.sun.position.copy(centre).addScaledVector(SUN, 6 * reach);
    const shadow = this.sun.shadow.camera;
    const wide = 3 * reach;
    Object.assign(shadow, { left: -wide, right: wide, top: wide, bottom: -wide, near: 0.1 * reach, far: 14 * reach });
    shadow.updateProjectionMatrix();
  }

  // Turn the view to an azimuth and an elevation in degrees, about the same point and as far away.
  lookFrom(azimuth, elevation) {
    const far = this.controls.getDistance();
    [this.turned, this.going] = [true, null];
    this.camera.position.copy(this.controls.target).addScaledVector(towards(azimuth, Math.min(elevation, 89.99)), far);
    this.stale = true;
  }

  // Other colours for the values of fields: 256 times red, green and blue.
  recolour(scale) {
    this.about.arrays.scale.set(scale);
    this.palettes[0].image.data.set(palette(scale).image.data);
    this.palettes[0].needsUpdate = true;
    for (const body of this.bodies) if (body.about.rod && body.positions) body.updateRods();
    this.stale = true;
  }

  // From where a box is seen whole, beside the settings.
  facing(box) {
    const centre = box.getCenter(new Vector3());
    const reach = Math.max(0.5 * box.min.distanceTo(box.max), 0.5 * this.size);
    const direction = this.about.view ? towards(...this.about.view) : new Vector3(0.45, -1, 0.42).normalize();
    const across = new Vector3().crossVectors(this.camera.up, direction).normalize();
    const upwards = new Vector3().crossVectors(direction, across);
    const half = FILLED * Math.tan((Math.PI / 360) * this.camera.fov);
    const tall = half * Math.max(0.5, 1 - BELOW / (this.canvas.clientHeight || BELOW * 10));
    const broad = half * (this.camera.aspect * (1 - (this.covered ?? 0) / (this.canvas.clientWidth || 1)) || 1);
    let far = 0.8 * this.size;
    for (let k = 0; k < 8; k++) {
      const corner = new Vector3(...["x", "y", "z"].map((axis, i) => box[(k >> i) & 1 ? "max" : "min"][axis])).sub(centre);
      far = Math.max(far, corner.dot(direction) + Math.max(Math.abs(corner.dot(across)) / broad, Math.abs(corner.dot(upwards)) / tall));
    }
    return { centre, reach, far, position: centre.clone().addScaledVector(direction, far) };
  }

  // The box of the bodies where they are.
  boxNow() {
    const low = new Vector3().fromArray(this.where.low);
    return new Box3(low, new Vector3().fromArray(this.where.span).add(low));
  }

  // In the first moments of a scene, until somebody turns the view or takes hold of a body: what would leave the picture or go under
  // the settings stays in it.
  follow(frame) {
    if (frame.hands.length) [this.turned, this.going] = [true, null];
    if (this.turned || this.about.replay || frame.time > FIRST) return;
    const now = this.boxNow();
    const { left, right, top, bottom, width } = this.canvas.getBoundingClientRect();
    const end = right - (this.covered ?? 0);
    const seen = [0, 1, 2, 3, 4, 5, 6, 7].every((k) => {
      const corner = new Vector3(...["x", "y", "z"].map((axis, i) => now[(k >> i) & 1 ? "max" : "min"][axis]));
      const { x, y } = this.onScreen(corner);
      return x > left && x < end && y > top && y < bottom - BELOW;
    });
    const box = this.framed.clone().union(now);
    if (seen || !width || box.min.distanceTo(box.max) > WIDEST * this.size) return;
    this.framed = box;
    const { centre, far, position } = this.facing(box);
    this.going = { centre, position };
    this.camera.far = Math.max(this.camera.far, 60 * far);
    this.camera.updateProjectionMatrix();
  }

  // One step on the way to where the view goes.
  go() {
    if (!this.going) return;
    const { centre, position } = this.going;
    this.camera.position.lerp(position, 0.15);
    this.controls.target.lerp(centre, 0.15);
    this.stale = true;
    if (this.camera.position.distanceTo(position) < 1e-3 * this.size) this.going = null;
  }

  // Whether nothing of the bodies is in the picture.
  get lost() {
    if (!this.where) return false;
    this.camera.updateMatrixWorld();
    const seen = new Frustum().setFromProjectionMatrix(new Matrix4().multiplyMatrices(this.camera.projectionMatrix, this.camera.matrixWorldInverse));
    return !seen.intersectsBox(this.boxNow());
  }

  update(frame) {
    this.stale = true;
    this.where = frame;
    if (frame.inside?.positions.length !== this.insides) frame.inside = null; // of another scene
    this.follow(frame);
    for (const body of this.bodies) body.update(frame);
    this.makeRoom(frame.low[2]);
    for (let i = 0; i < frame.poses.length / 12; i++) {
      const p = frame.poses.subarray(12 * i, 12 * i + 12);
      const prop = this.props[i];
      prop?.matrix.set(...p, 0, 0, 0, 1);
      if (prop && this.shades) this.shades[i].matrix.multiplyMatrices(this.flatten, prop.matrix);
    }
    this.holds.update(this.bodies);
    this.drawHands(frame.hands);
    this.contacts.update(frame.contacts, frame.time);
    this.elements?.update(frame.nodes);
    this.dress();
  }

  // A ball where a body is held, a ball where the hand is, and the spring between them.
  drawHands(hands) {
    while (this.markers.length < hands.length) this.markers.push(this.marker());
    this.markers.forEach((marker, i) => {
      const hand = hands[i];
      marker.node.visible = hand !== undefined;
      if (!hand) return;
      marker.handle = hand.handle;
      marker.pinned = hand.pinned;
      marker.material.color.set(hand.pinned ? 0xd98a1f : 0x1f6fd9);
      marker.anchor.position.fromArray(hand.anchor);
      marker.target.position.fromArray(hand.target);
      const radius = 0.011 * this.size;
      marker.anchor.scale.setScalar(0.8 * radius);
      marker.target.scale.setScalar(hand.pinned ? 1.6 * radius : radius);
      const along = marker.target.position.clone().sub(marker.anchor.position);
      const length = along.length();
      marker.spring.visible = length > 1e-4 * this.size;
      marker.spring.position.copy(marker.anchor.position).addScaledVector(along, 0.5);
      marker.spring.quaternion.copy(new Quaternion().setFromUnitVectors(UP, along.multiplyScalar(1 / (length || 1))));
      marker.spring.scale.set(0.3 * radius, length, 0.3 * radius);
    });
  }

  marker() {
    const material = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.9 });
    const ball = new SphereGeometry(1, 18, 12);
    const parts = {
      anchor: new Mesh(ball, material), target: new Mesh(ball, material),
      spring: new Mesh(new CylinderGeometry(1, 1, 1, 8), material),
    };
    const node = new Group();
    for (const part of Object.values(parts)) {
      part.renderOrder = 10;
      node.add(part);
    }
    this.marks.add(node);
    return { node, material, ...parts };
  }

  // Which edges the elements have; they are seen with frames that say where these are.
  showElements(found) {
    this.elements?.dispose();
    this.elements = found && new Elements(found);
    if (found) this.world.add(this.elements.node);
  }

  // Which tets fill the bodies: those of the lids where a plane clips them.
  showInside(found) {
    this.bodies.forEach((body, k) => body.fill(found && found.tets.subarray(4 * found.first[k], 4 * found.first[k + 1])));
    this.insides = found ? 3 * found.nodes : 0;
    this.stale = true;
  }

  // The value, 0 … 1, of the lid under a place on the screen, its body and its point; null where there is none, or something before it.
  onLid(x, y) {
    if (!this.plane) return null;
    const { origin, direction } = this.ray(x, y);
    const away = -this.plane.distanceToPoint(origin) / this.plane.normal.dot(direction);
    if (!(away > 0 && away < Infinity)) return null;
    const point = origin.addScaledVector(direction, away);
    for (const [k, body] of this.bodies.entries()) {
      const value = body.node.visible ? body.onLid(point, direction, this.cut.axis) : null;
      if (value !== null) return { body: k, point, value };
    }
    return null;
  }

  set wireframe(shown) {
    this.stale = true;
    this.edges = shown;
    for (const body of this.bodies) body.wireframe = shown;
  }

  // Origin and direction of the ray through a place on the screen.
  ray(x, y) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    this.camera.updateMatrixWorld();
    const at = new Vector2((2 * (x - left)) / width - 1, 1 - (2 * (y - top)) / height);
    const origin = this.camera.position.clone();
    const direction = new Vector3(at.x, at.y, 0.5).unproject(this.camera).sub(origin).normalize();
    return { origin, direction };
  }

  // Where a point is on the screen, in pixels of the page.
  onScreen(point) {
    const { left, top, width, height } = this.canvas.getBoundingClientRect();
    this.camera.updateMatrixWorld();
    const at = point.clone().project(this.camera);
    return { x: left + ((at.x + 1) * width) / 2, y: top + ((1 - at.y) * height) / 2 };
  }

  // How long a length [m] in the middle of the view is on the screen, in pixels of the page.
  pixels(length) {
    return (0.5 * this.canvas.clientHeight * length) / (Math.tan((Math.PI / 360) * this.camera.fov) * this.controls.getDistance());
  }

  // Where the top of the highest body is on the screen, in pixels of the page; null where it is out of sight.
  topOnScreen() {
    let best = null;
    for (const { positions: x, node } of this.bodies) {
      if (!x || !node.visible) continue;
      for (let i = 0; i < x.length; i += 3) if (!best || x[i + 2] > best[2]) best = x.subarray(i, i + 3);
    }
    if (!best) return null;
    const at = this.onScreen(new Vector3().fromArray(best));
    const { left, top, right, bottom } = this.canvas.getBoundingClientRect();
    return at.x > left && at.x < right && at.y > top && at.y < bottom ? at : null;
  }

  // What lies under a place on the screen: a body and the point of it, or null.
  pick(x, y) {
    const { origin, direction } = this.ray(x, y);
    const reach = (12 * 2 * Math.tan((Math.PI / 360) * this.camera.fov)) / this.canvas.clientHeight;
    let best = null;
    let [near, far] = [0, Infinity];
    if (this.plane) {
      const [away, along] = [this.plane.distanceToPoint(origin), this.plane.normal.dot(direction)];
      if (along > 0) near = Math.max(0, -away / along);
      else far = along < 0 ? -away / along : away < 0 ? 0 : Infinity;
    }
    this.bodies.forEach((body, k) => {
      const hit = body.positions && body.node.visible && body.hit(origin, direction, reach, near, far);
      if (hit && (!best || hit.distance < best.distance)) {
        best = { ...hit, body: k, point: origin.clone().addScaledVector(direction, hit.distance) };
      }
    });
    return best;
  }

  pinAt(x, y) {
    for (const marker of this.markers) {
      if (!marker.node.visible || !marker.pinned) continue;
      const at = this.onScreen(marker.target.position);
      if (Math.hypot(at.x - x, at.y - y) < 14) return marker.handle;
    }
    return null;
  }

  // Fit the picture to the place that there is; folded settings cover nothing at the right.
  resize(width, height, folded) {
    if (!width || !height) return;
    this.renderer.setSize(width, height, false);
    this.stale = true;
    this.camera.aspect = width / height;
    const covered = (this.covered = folded || width < 700 ? 0 : 276);
    this.camera.setViewOffset(width, height, covered / 2, BELOW / 2, width, height);
    this.camera.updateProjectionMatrix();
    this.draw(); // at once: a canvas of another size is empty
  }

  draw() {
    this.go();
    const moved = this.controls.update();
    if (!moved && !this.stale) return; // nothing new: the last picture stands
    this.stale = false;
    if (this.where) for (const body of this.bodies) body.updateCap(this.where, this.camera.position);
    this.renderer.render(this.scene, this.camera);
    for (const thing of this.spent) thing.dispose();
    this.spent = [];
  }

  dispose() {
    for (const thing of [...this.bodies, ...this.spent, ...(this.palettes ?? [])]) thing.dispose();
    release(this.scene);
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }
}
