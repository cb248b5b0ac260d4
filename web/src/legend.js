// The legend of the colours: the scale with round ticks, whose ends can be held; what arrows stand for; and the value under the mouse.

import { plain, prefixed, quantity } from "./numbers.js";
import { make } from "./panel.js";

// About count round values, 1, 2 or 5 times a power of ten apart, from low to high.
export function rounded(low, high, count = 4) {
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= 0.75 * raw);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k <= Math.floor(high / step + 1e-9); k++) found.push(k * step);
  return found;
}

export class Legend {
  constructor(of, link) {
    Object.assign(this, { of, link, drawn: "" });
    of("hold").addEventListener("click", () => link.say("range", { ends: this.held.length ? [] : [...this.range] }));
    for (const name of ["hold-low", "hold-high"]) {
      of(name).addEventListener("change", () => {
        const ends = ["hold-low", "hold-high"].map((n) => Number(of(n).value) / this.factor);
        if (ends.every(Number.isFinite)) link.say("range", { ends });
      });
    }
  }

  update(scene, state, frame) {
    const { of } = this;
    const box = of("legend");
    this.field = frame?.colours ? scene.fields.find((f) => f.name === state?.field) : null;
    box.hidden = !this.field;
    if (box.hidden) return;
    this.paint(scene, frame.two);
    const [low, high] = (this.range = frame.range);
    this.held = state.range ?? [];
    const [factor, unit] = prefixed(Math.max(Math.abs(low), Math.abs(high)), this.field.unit);
    this.factor = factor;
    of("legend-name").textContent = unit ? `${this.field.label} [${unit}]` : this.field.label;
    const ticks = rounded(low * factor, high * factor).map((value) => {
      const tick = make("li", { textContent: plain(value, 4) });
      const share = (value / factor - low) / (high - low);
      tick.style.left = `${100 * share}%`;
      tick.dataset.share = share;
      return tick;
    });
    of("legend-ticks").replaceChildren(...ticks);
    const held = this.held.length > 0;
    of("hold").setAttribute("aria-pressed", String(held));
    of("ends").hidden = !held;
    const focus = box.getRootNode().activeElement;
    [low, high].forEach((end, k) => {
      const input = of(["hold-low", "hold-high"][k]);
      if (input !== focus) input.value = Number((end * factor).toPrecision(4));
    });
  }

  paint(scene, two) {
    const kind = `${scene.epoch} ${two} ${scene.scale ?? ""}`;
    if (this.drawn === kind) return;
    this.drawn = kind;
    const pen = this.of("legend-bar").getContext("2d");
    const scale = scene.arrays[two ? "two-sided scale" : "scale"];
    for (let i = 0; i < 256; i++) {
      pen.fillStyle = `rgb(${scale.subarray(3 * i, 3 * i + 3).join()})`;
      pen.fillRect(i, 0, 1, 1);
    }
  }
}

// How much force the arrows at contacts stand for: one of the full length, as long as it would be in the middle of the view.
export class ForceScale {
  constructor(stage, of) {
    Object.assign(this, { stage, box: of("force-scale"), arrow: of("force-arrow"), label: of("force-size") });
  }

  // After each picture.
  after() {
    const { contacts } = this.stage;
    this.box.hidden = !contacts?.node.count || !contacts.stands;
    if (this.box.hidden) return;
    this.arrow.style.width = `${Math.min(Math.max(this.stage.pixels(contacts.full), 12), 160).toFixed(0)}px`;
    this.label.textContent = `${quantity(contacts.stands, "N")} at a contact`;
  }
}

// The value of the field under the mouse, while nothing is pressed.
export class Probe {
  constructor(stage, legend, label) {
    Object.assign(this, { stage, legend, label, at: null });
    stage.canvas.addEventListener("pointermove", (e) => (this.at = e.buttons || e.pointerType === "touch" ? null : [e.clientX, e.clientY]));
    for (const name of ["pointerdown", "pointerleave"]) stage.canvas.addEventListener(name, () => (this.at = null));
  }

  // After each picture.
  after(frame) {
    const { field } = this.legend;
    const asked = this.at && field && frame?.colours;
    const lid = asked ? this.stage.onLid(...this.at) : null;
    const hit = lid ?? (asked ? this.stage.pick(...this.at) : null);
    this.label.hidden = !hit;
    if (!hit) return;
    const values = this.stage.bodies[hit.body].values;
    const share = lid ? lid.value : hit.vertices.reduce((sum, v, i) => sum + (hit.weights[i] * values[v]) / 255, 0);
    const [low, high] = frame.range;
    const beyond = share >= 1 ? "≥ " : share <= 0 && low !== 0 ? "≤ " : "";
    const place = hit.point.toArray().map((x) => plain(x, 3)).join(", ");
    const [value, name] = [quantity(low + share * (high - low), field.unit), this.stage.bodies[hit.body].about.name];
    this.label.replaceChildren(make("b", { textContent: beyond + value }), make("span", { textContent: `${name} at ${place} m` }));
    const { left, top } = this.stage.canvas.getBoundingClientRect();
    this.label.style.transform = `translate(${this.at[0] - left + 16}px, ${this.at[1] - top + 14}px)`;
  }
}
