// The settings: menus and sliders, written by hand, that show what the simulation says and ask it for more.

import { plain, quantity } from "./numbers.js";

const STEPS = 1000;

// A name as people read it.
export function title(name) {
  return name.split("/").pop().replaceAll("_", " ");
}

export function make(tag, props = {}, ...children) {
  const node = Object.assign(document.createElement(tag), props);
  node.append(...children);
  return node;
}

// A slider from low to high, evenly or in powers.
class Slider {
  constructor({ name, label, unit, low, high, log = false, meaning = "" }, change) {
    Object.assign(this, { unit, low, high, log, change, held: false, first: null });
    this.input = make("input", { type: "range", min: 0, max: STEPS, step: 1 });
    this.input.dataset.name = name;
    this.input.setAttribute("aria-label", label ?? name);
    this.output = make("output");
    const words = make("span", { className: "name", textContent: label ?? name, title: `${meaning}${meaning ? "; " : ""}double-click resets it` });
    this.node = make("label", { className: "slider" }, words, this.output, this.input);
    this.input.addEventListener("input", () => {
      this.held = true;
      const value = this.value;
      this.write(value);
      change(value);
    });
    this.input.addEventListener("change", () => (this.held = false));
    words.addEventListener("dblclick", (event) => {
      event.preventDefault();
      if (this.first !== null) change(this.first);
    });
  }

  get value() {
    const share = this.input.valueAsNumber / STEPS;
    return this.log ? this.low * (this.high / this.low) ** share : this.low + share * (this.high - this.low);
  }

  write(value) {
    const text = "×°".includes(this.unit || "-") ? `${plain(value)}${this.unit}` : quantity(value, this.unit);
    this.output.textContent = text;
  }

  // Show a value that came from the simulation, unless it is being moved just now.
  show(value) {
    this.first ??= value;
    if (this.held) return;
    const share = this.log ? Math.log(value / this.low) / Math.log(this.high / this.low) : (value - this.low) / (this.high - this.low);
    this.input.value = Math.round(STEPS * Math.min(Math.max(share, 0), 1));
    this.write(value);
  }
}

function menu(label, names, labels, change) {
  const select = make("select", {}, ...names.map((name, i) => make("option", { value: name, textContent: labels[i] })));
  select.setAttribute("aria-label", label);
  select.addEventListener("change", () => {
    change(select.value);
    select.blur();
  });
  return { node: make("label", { className: "menu" }, make("span", { className: "name", textContent: label }), select), select };
}

function tick(label, change) {
  const input = make("input", { type: "checkbox" });
  input.addEventListener("change", () => change(input.checked));
  return { node: make("label", { className: "tick" }, input, label), input };
}

function section(title, ...children) {
  return make("details", { open: true }, make("summary", { textContent: title }), ...children);
}

// What few people need: folded until somebody opens it.
function folded(title, ...children) {
  return make("details", { className: "more" }, make("summary", { textContent: title }), ...children);
}

function button(textContent, title, click) {
  const node = make("button", { textContent, title });
  node.addEventListener("click", click);
  return node;
}

// Text onto the clipboard; where the browser keeps that to itself, by way of a field that is selected.
export async function copied(text, root) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = make("textarea", { value: text });
    root.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    return done;
  }
}

// Colours of scales, evenly apart: red, green and blue; the usual one comes with the scene.
const SCALES = {
  usual: null,
  viridis: [[68, 1, 84], [71, 44, 122], [59, 81, 139], [44, 113, 142], [33, 144, 141], [39, 173, 129], [92, 200, 99], [170, 220, 50], [253, 231, 37]],
  inferno: [[0, 0, 4], [31, 12, 72], [85, 15, 109], [136, 34, 106], [186, 54, 85], [227, 89, 51], [249, 140, 10], [249, 201, 50], [252, 255, 164]],
  grey: [[30, 30, 30], [245, 245, 245]],
};

// 256 times red, green and blue through some colours.
function between(colours) {
  const scale = new Uint8Array(768);
  for (let i = 0; i < 256; i++) {
    const at = (i / 255) * (colours.length - 1);
    const k = Math.min(Math.floor(at), colours.length - 2);
    for (let c = 0; c < 3; c++) scale[3 * i + c] = Math.round(colours[k][c] + (at - k) * (colours[k + 1][c] - colours[k][c]));
  }
  return scale;
}

export class Panel {
  constructor(node, link, stage, { theme, slice, tell, opening }) {
    Object.assign(this, { node, link, stage, theme, slice, tell, opening, body: 0 });
  }

  // Build it anew for another scene.
  show(scene) {
    this.scene = scene;
    this.body = Math.min(this.body, scene.bodies.length - 1);
    const { link } = this;
    this.node.replaceChildren();
    if (scene.examples.length) {
      const names = scene.examples.includes(scene.name) ? scene.examples : [scene.name, ...scene.examples];
      this.example = menu("Scene", names, names.map(title), (name) => link.say("example", { name }));
      this.example.select.value = scene.name;
    } else this.example = null;
    this.solver = menu("Solver", scene.solvers, scene.solvers.map((name) => (scene.settings && name === "as given" ? "as set above" : name === "as given" ? "the scene's own" : name)), (name) => link.say("solver", { name }));
    if (!scene.replay) {
      const row = make("div", { className: "row" },
        button("Defaults", "Put every slider and the solver back to its first value; the motion goes on", () => link.say("defaults")),
        button("Copy Python", "Copy the scene with your changes as Python", () => this.copy("python")),
        button("Copy TOML", "Copy your changes as keys of a scene file (TOML)", () => this.copy("toml")));
      if (this.opening.can) row.prepend(button("Open…", `A mesh, a scan or a scene file of your own, up to ${scene.opens.most / 2 ** 20} MiB; or drop it on the page`, () => this.opening.choose()));
      this.node.append(section("Scene", ...(this.example ? [this.example.node] : []), ...this.settings(scene.settings), ...this.placing(scene.opens?.placed), row));
    }

    const names = ["none", ...scene.fields.map((f) => f.name)];
    this.colour = menu("Colour", names, ["none", ...scene.fields.map((f) => f.label)], (name) => link.say("colour", { name }));
    this.scale = menu("Palette", Object.keys(SCALES), Object.keys(SCALES).map((name) => (name === "usual" ? "default" : name)), (name) => this.rescale(name));
    this.first = scene.arrays["first scale"] ??= scene.arrays.scale.slice();
    this.scale.select.value = this.scaled ?? "usual";
    if (this.scaled) this.rescale(this.scaled);
    this.edges = tick("Edges", (shown) => (this.stage.wireframe = shown));
    this.edges.input.checked = this.stage.edges;
    this.contacts = tick("Contacts", (value) => link.say("contacts", { value }));
    this.forces = tick("Forces", (value) => link.say("forces", { value }));
    this.elements = tick("Elements", (value) => link.say("elements", { value }));
    this.holds = tick("Supports", (shown) => {
      this.stage.showHolds = this.stage.holds.node.visible = shown;
      this.stage.stale = true;
    });
    this.holds.input.checked = this.stage.showHolds;
    this.dark = tick("Dark", (dark) => this.theme.set(dark));
    this.dark.input.checked = this.theme.dark;
    this.smooth = tick("Smooth motion", (value) => link.say("smooth", { value }));
    const cut = tick("Slice", (shown) => (this.slice.shown = shown));
    cut.input.checked = this.slice.wanted;
    const held = scene.bodies.some((_, k) => scene.arrays[`held:${k}`]?.length);
    const ticks = make("div", { className: "ticks" }, this.edges.node, ...(scene.replay ? [] : [this.elements.node, this.forces.node]), ...(scene.contact ? [this.contacts.node] : []),
      ...(held ? [this.holds.node] : []), this.dark.node, ...(link.transport.stored ? [this.smooth.node] : []), ...(scene.slice ? [cut.node] : []));
    const look = section("Appearance", this.colour.node, this.scale.node, this.clipping(), ticks);
    const bodies = [section("Bodies", this.bodies(scene.bodies))];
    if (scene.replay) return this.node.append(look, ...bodies); // nothing else can be set
    this.material = make("div");
    const several = scene.bodies.length > 1;
    const which = menu("Body", scene.bodies.map((_, k) => String(k)), scene.bodies.map((b) => b.name), (k) => this.choose(Number(k)));
    which.select.value = String(this.body);
    this.node.append(section("Material", ...(several ? [which.node] : []), this.material));

    const pull = { gravity: [{ label: "Gravity", unit: "m/s²", low: 0, high: 30, meaning: "its strength" }, 0] };
    pull.tilt = [{ label: "Gravity tilt", unit: "°", low: 0, high: 180, meaning: "0 is down, 90 sideways, 180 up" }, 1];
    pull.heading = [{ label: "Gravity direction", unit: "°", low: -180, high: 180, meaning: "direction in which it tilts: 0 along x, 90 along y" }, 2];
    this.aim = [9.81, 0, 0];
    for (const [name, [about, k]] of Object.entries(pull)) this[name] = new Slider({ name, ...about }, (value) => this.pull(k, value));
    this.friction = new Slider({ name: "friction", label: "Friction", unit: "", low: 0, high: 2, meaning: "Coulomb's coefficient" }, (value) =>
      link.soon("friction", "friction", { value }));
    this.strength = new Slider({ name: "strength", label: "Pull stiffness", unit: "×", low: 0.1, high: 30, log: true, meaning: "of the spring between the mouse and the body" }, (value) =>
      link.soon("strength", "strength", { value }));
    const unpin = make("button", { className: "wide", textContent: "Remove all pins" });
    unpin.addEventListener("click", () => link.say("unpin", { pin: -1 }));
    const more = folded("Gravity direction, pull and solver", this.tilt.node, this.heading.node, this.strength.node, this.solver.node, unpin);
    this.node.append(section("World", this.gravity.node, ...(scene.contact ? [this.friction.node] : []), more), look, ...bodies);
    this.choose(this.body);
  }

  // Of a scene that was set up to be accurate: whether it is, or keeps up with the clock.
  settings(words) {
    this.accurate = null;
    if (!words) return [];
    this.accurate = menu("Settings", ["quick", "given"], ["real time", "accurate (the scene's own)"], (name) => this.link.say("accurate", { value: name === "given" }));
    return [this.accurate.node, make("p", { className: "law", textContent: words })];
  }

  // Of a mesh that was opened here: which axis points up, and what one of its units is.
  placing(placed) {
    if (!placed || this.scene.name.toLowerCase().endsWith(".toml")) return [];
    const say = (change) => this.link.say("place", { ...placed, ...change });
    const [axes, units] = [["", "x", "y", "z", "-x", "-y", "-z"], ["", "m", "cm", "mm", "in", "ft"]];
    const up = menu("Up", axes, ["automatic", ...axes.slice(1)], (name) => say({ up: name }));
    const unit = menu("Unit", units, ["automatic", ...units.slice(1)], (name) => say({ unit: name }));
    [up.select.value, unit.select.value] = [placed.up, placed.unit];
    return [up.node, unit.node];
  }

  // Other colours from low to high; those on both sides of what is neutral stay.
  rescale(name) {
    this.scaled = this.scene.scale = name;
    this.stage.recolour(SCALES[name] ? between(SCALES[name]) : this.first);
  }

  // A plane that hides what lies beyond it.
  clipping() {
    const { stage } = this;
    const place = make("input", { type: "range", min: 0, max: 1, step: 0.005, value: stage.cut.share });
    place.setAttribute("aria-label", "Position of the clipping plane");
    place.addEventListener("input", () => stage.clip(stage.cut.axis, place.valueAsNumber));
    const names = ["-1", "0", "1", "2", "3", "4", "5"]; // across x, y, z, and the same from the other side
    this.clip = menu("Clip", names, ["off", "hide the +x side", "hide the +y side", "hide the +z side", "hide the −x side", "hide the −y side", "hide the −z side"], (name) => {
      const k = Number(name);
      stage.clip(k < 0 ? -1 : k % 3, place.valueAsNumber, k > 2);
      place.hidden = k < 0;
    });
    this.clip.select.value = String(stage.cut.axis < 0 ? -1 : stage.cut.axis + (stage.cut.turned ? 3 : 0));
    place.hidden = stage.cut.axis < 0;
    place.className = "place";
    return make("div", {}, this.clip.node, place);
  }

  // For each body: whether it is drawn, its colour, and whether it is seen through.
  bodies(all) {
    const { stage } = this;
    const rows = all.map(({ name, colour }) => {
      const row = tick(name, (shown) => stage.see(name, shown));
      row.input.checked = !stage.hidden.has(name);
      const chip = make("input", { type: "color", value: stage.tints.get(name) ?? colour, title: `Colour of ${name}` });
      chip.addEventListener("input", () => stage.colour(name, chip.value));
      const fade = button("◐", `Make ${name} transparent`, () => {
        stage.fade(name, !stage.faded.has(name));
        fade.setAttribute("aria-pressed", String(stage.faded.has(name)));
      });
      fade.setAttribute("aria-pressed", String(stage.faded.has(name)));
      return make("div", { className: "body" }, chip, row.node, fade);
    });
    return make("div", { className: "bodies" }, ...rows);
  }

  choose(k) {
    this.body = k;
    const about = this.scene.bodies[k];
    this.sliders = about.sliders.map((s) =>
      new Slider(s, (value) =>
        this.link.soon(`set ${k} ${s.name}`, "set", { body: k, name: s.name, value })));
    this.preset = null;
    if (about.preset) {
      const names = this.scene.presets.map((p) => p.name);
      this.preset = menu("Preset", ["", ...names], ["custom", ...names], (name) => name && this.link.say("preset", { body: k, name }));
    }
    this.source = make("p", { className: "law" });
    this.material.replaceChildren(...(this.preset ? [this.preset.node, this.source] : []), ...this.sliders.map((s) => s.node), make("p", { className: "law", textContent: about.law }));
    if (this.state) this.update(this.state);
  }

  update(state) {
    this.state = state;
    if (!this.scene || state.epoch !== this.scene.epoch) return;
    this.colour.select.value = state.field;
    this.smooth.input.checked = Boolean(state.smooth);
    if (this.scene.replay) return;
    this.solver.select.value = state.solver;
    if (this.accurate) this.accurate.select.value = state.accurate ? "given" : "quick";
    this.contacts.input.checked = state.contacts;
    this.elements.input.checked = state.elements;
    this.forces.input.checked = state.forces;
    this.showGravity(state.gravity);
    this.friction.show(state.friction);
    this.strength.show(state.strength);
    const values = state.bodies[this.body] ?? {};
    this.showPreset(values);
    this.scene.bodies[this.body].sliders.forEach((s, i) => s.name in values && this.sliders[i].show(values[s.name]));
  }

  // The material of daily life that the values are those of, and where they come from.
  showPreset(values) {
    if (!this.preset) return;
    const near = (a, b) => Math.abs(a - b) <= 1e-6 * Math.abs(b);
    const found = this.scene.presets.find((p) => ["young", "poisson", "density"].every((n) => !(n in values) || near(values[n], p[n])));
    this.preset.select.value = found?.name ?? "";
    this.source.textContent = found?.source ?? "";
  }

  async copy(kind) {
    const text = this.state?.tuned?.[kind];
    if (!text) return;
    const done = await copied(text, this.node);
    this.tell(done ? `Copied as ${kind === "toml" ? "TOML" : "Python"}: ${text.trim().split("\n").length} lines.` : "This browser does not allow copying.");
  }

  // Gravity as strength [m/s²], tilt and heading [°]; of these each slider changes one.
  pull(k, value) {
    this.aim[k] = value;
    const [size, tilt, heading] = [this.aim[0], ...this.aim.slice(1).map((degrees) => (Math.PI / 180) * degrees)];
    const across = Math.sin(tilt);
    this.link.soon("gravity", "gravity", { value: [size * across * Math.cos(heading), size * across * Math.sin(heading), -size * Math.cos(tilt)] });
  }

  showGravity([x, y, z]) {
    const across = Math.hypot(x, y);
    const size = Math.hypot(across, z);
    this.aim[0] = size;
    if (size > 0) this.aim[1] = (180 / Math.PI) * Math.atan2(across, -z); // what has no strength keeps its direction
    if (across > 1e-9 * size) this.aim[2] = (180 / Math.PI) * Math.atan2(y, x);
    [this.gravity, this.tilt, this.heading].forEach((slider, k) => slider.show(this.aim[k]));
  }

  // One element in so many is drawn.
  showShare(share) {
    this.elements.node.lastChild.textContent = share > 1 ? `Elements (1 in ${share})` : "Elements";
  }

  nextColour() {
    const { select } = this.colour;
    const next = select.options[(select.selectedIndex + 1) % select.options.length].value;
    this.link.say("colour", { name: next });
  }
}
