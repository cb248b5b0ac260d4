// Two small charts that run along: energies as lines, times of a step as a stack.

import { make } from "./panel.js";
import { plain, prefixed } from "./numbers.js";

const KEPT = 240;
const INKS = { total: "#30363f", kinetic: "#3f7fb5", elastic: "#d9654f", gravity: "#3a9c84", contact: "#8b6bb1", grab: "#e3a33c" };
const OTHERS = ["#c2608f", "#7f9a3d", "#5a6f86", "#b5803f", "#4aa3c7"];

function inkOf(name, i) {
  return INKS[name] ?? OTHERS[i % OTHERS.length];
}

class Chart {
  constructor(canvas, key, stacked) {
    Object.assign(this, { canvas, key, stacked, rows: [] });
  }

  clear() {
    this.rows = [];
    this.zero = null;
  }

  push(row) {
    this.rows.push(row);
    if (this.rows.length > KEPT) this.rows.shift();
  }

  draw(unit, unitNode) {
    const ratio = Math.min(devicePixelRatio, 2);
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (!width || !this.rows.length) return;
    if (this.canvas.width !== Math.round(width * ratio)) [this.canvas.width, this.canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    const pen = this.canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const names = Object.keys(this.rows[this.rows.length - 1]);
    const piled = this.rows.map((row) => {
      let sum = 0;
      return names.map((name) => (this.stacked ? (sum += row[name] ?? 0) : row[name] ?? 0));
    });
    const all = piled.flat();
    const low = Math.min(0, ...all);
    const high = Math.max(...all, low + 1e-9);
    const x = (i) => width - ((this.rows.length - 1 - i) / (KEPT - 1)) * width;
    const y = (v) => height - 3 - ((v - low) / (high - low)) * (height - 8);
    pen.strokeStyle = "#c9d0d8";
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(0, y(0));
    pen.lineTo(width, y(0));
    pen.stroke();
    for (let k = names.length - 1; k >= 0; k--) {
      const ink = inkOf(names[k], k);
      pen.beginPath();
      piled.forEach((row, i) => (i ? pen.lineTo(x(i), y(row[k])) : pen.moveTo(x(i), y(row[k]))));
      if (this.stacked) {
        for (let i = piled.length - 1; i >= 0; i--) pen.lineTo(x(i), y(k ? piled[i][k - 1] : 0));
        pen.fillStyle = ink;
        pen.fill();
      } else {
        pen.strokeStyle = ink;
        pen.lineWidth = names[k] === "total" ? 2 : 1.5;
        pen.stroke();
      }
    }
    const [factor, shown] = prefixed(Math.max(Math.abs(high), Math.abs(low)), unit);
    if (unitNode) unitNode.textContent = shown;
    this.legend(names, this.rows[this.rows.length - 1], unit ? factor : 1);
  }

  legend(names, row, factor) {
    if (this.key.childElementCount !== names.length || this.key.dataset.names !== names.join()) {
      this.key.dataset.names = names.join();
      this.key.replaceChildren(...names.map((name, k) => {
        const swatch = make("i");
        swatch.style.background = inkOf(name, k);
        return make("li", {}, swatch, make("span", { textContent: name }), make("b"));
      }));
    }
    names.forEach((name, k) => (this.key.children[k].lastChild.textContent = plain((row[name] ?? 0) * factor, 2)));
  }
}

export class Plots {
  constructor(of) {
    this.root = of("plots");
    this.unit = of("energy-unit");
    this.energies = new Chart(of("energies"), of("energies-key"), false);
    this.times = new Chart(of("times"), of("times-key"), true);
  }

  clear() {
    this.energies.clear();
    this.times.clear();
  }

  // Of a replay there are energies, where it has kept them, and no times.
  show(scene) {
    this.clear();
    this.replayed = Boolean(scene.replay);
    this.times.canvas.parentElement.hidden = this.replayed;
  }

  push(statistics) {
    if (this.replayed) this.root.hidden ||= !Object.keys(statistics.energies).length;
    if (statistics.t < this.last) this.clear();
    this.last = statistics.t;
    const found = { ...statistics.energies };
    // heights have no zero of their own: what counts is the change since the first value seen
    this.energies.zero ??= found.gravity ?? 0;
    if ("gravity" in found) {
      found.gravity -= this.energies.zero;
      found.total -= this.energies.zero;
    }
    const { total, ...others } = found;
    for (const name of ["grab", "contact"]) if (!others[name] && !this.energies.rows.some((r) => r[name])) delete others[name];
    this.energies.push(total === undefined ? others : { total, ...others });
    if (Object.keys(statistics.ms).length) this.times.push(statistics.ms);
    if (this.root.hidden) return;
    this.energies.draw("J", this.unit);
    this.times.draw("");
  }
}
