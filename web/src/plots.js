// Small charts: of a simulation energies and times of a step that run along, of a replay the energies of all its time.

import { make } from "./panel.js";
import { plain, prefixed } from "./numbers.js";

const [FEW, KEPT] = [20, 240];
const INKS = { total: "#30363f", kinetic: "#3f7fb5", elastic: "#d9654f", gravity: "#3a9c84", contact: "#8b6bb1", grab: "#e3a33c" };
const OTHERS = ["#c2608f", "#7f9a3d", "#5a6f86", "#b5803f", "#4aa3c7"];

function inkOf(name, i, dark) {
  if (name === "total" && dark) return "#dbe1e9";
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

  // An empty sheet of the size that the canvas has on the screen, or nothing where it has none.
  sheet() {
    const ratio = Math.min(devicePixelRatio, 2);
    const [width, height] = [this.canvas.clientWidth, this.canvas.clientHeight];
    if (!width) return null;
    if (this.canvas.width !== Math.round(width * ratio)) [this.canvas.width, this.canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    const pen = this.canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    const look = getComputedStyle(this.canvas);
    return { pen, width, height, line: look.getPropertyValue("--line"), dark: look.getPropertyValue("--dark").trim() === "1", ink: look.getPropertyValue("--ink") };
  }

  draw(unit, unitNode) {
    const found = this.rows.length ? this.sheet() : null;
    if (!found) return;
    const { pen, width, height, line } = found;
    const names = Object.keys(this.rows[this.rows.length - 1]);
    const piled = this.rows.map((row) => {
      let sum = 0;
      return names.map((name) => (this.stacked ? (sum += row[name] ?? 0) : row[name] ?? 0));
    });
    const all = piled.flat().filter(Number.isFinite);
    const low = Math.min(0, ...all);
    const high = Math.max(...all, low + 1e-9);
    this.dark = found.dark;
    const x = (i) => (i / Math.max(this.rows.length - 1, FEW)) * width; // all that is kept, over the whole width
    const y = (v) => height - 3 - ((v - low) / (high - low)) * (height - 8);
    pen.strokeStyle = line;
    pen.lineWidth = 1;
    pen.beginPath();
    pen.moveTo(0, y(0));
    pen.lineTo(width, y(0));
    pen.stroke();
    for (let k = names.length - 1; k >= 0; k--) {
      const ink = inkOf(names[k], k, this.dark);
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
    const wanted = `${names.join()} ${this.dark}`;
    if (this.key.childElementCount !== names.length || this.key.dataset.names !== wanted) {
      this.key.dataset.names = wanted;
      this.key.replaceChildren(...names.map((name, k) => {
        const swatch = make("i");
        swatch.style.background = inkOf(name, k, this.dark);
        return make("li", {}, swatch, make("span", { textContent: name }), make("b"));
      }));
    }
    const least = 1e-9 * Math.max(...names.map((name) => Math.abs(row[name] ?? 0))); // less is rounding
    names.forEach((name, k) => {
      const value = row[name] ?? NaN;
      this.key.children[k].lastChild.textContent = plain(Math.abs(value) < least ? 0 : value * factor, 2);
    });
  }
}

// The energies of a whole run, and a line at the moment that is shown.
class Course extends Chart {
  show(times, series) {
    Object.assign(this, { times, series, time: times[0] });
    const all = Object.values(series).flatMap((values) => Array.from(values)).filter(Number.isFinite);
    this.low = all.reduce((a, b) => Math.min(a, b), 0);
    this.high = all.reduce((a, b) => Math.max(a, b), this.low + 1e-9);
  }

  // The time at a place on the screen.
  under(x) {
    const { left, width } = this.canvas.getBoundingClientRect();
    const share = Math.min(Math.max((x - left) / width, 0), 1);
    return this.times[0] + share * (this.times[this.times.length - 1] - this.times[0]);
  }

  draw(unit, unitNode) {
    const found = this.sheet();
    if (!found) return;
    const { pen, width, height, line, ink } = found;
    const { times, low, high } = this;
    const [begin, end] = [times[0], times[times.length - 1]];
    this.dark = found.dark;
    const x = (t) => ((t - begin) / (end - begin || 1)) * width;
    const y = (v) => height - 3 - ((v - low) / (high - low)) * (height - 8);
    const stroke = (colour, wide, path) => {
      Object.assign(pen, { strokeStyle: colour, lineWidth: wide });
      pen.beginPath();
      path();
      pen.stroke();
    };
    stroke(line, 1, () => (pen.moveTo(0, y(0)), pen.lineTo(width, y(0))));
    Object.entries(this.series).reverse().forEach(([name, values], k, { length }) => {
      stroke(inkOf(name, length - 1 - k, this.dark), name === "total" ? 2 : 1.5, () => {
        let drawing = false; // what is not finite leaves a gap
        for (let i = 0; i < times.length; i++) {
          if (!Number.isFinite(values[i])) drawing = false;
          else if (drawing) pen.lineTo(x(times[i]), y(values[i]));
          else drawing = (pen.moveTo(x(times[i]), y(values[i])), true);
        }
      });
    });
    stroke(ink, 1, () => (pen.moveTo(x(this.time), 0), pen.lineTo(x(this.time), height)));
    const [factor, shown] = prefixed(Math.max(Math.abs(high), Math.abs(low)), unit);
    unitNode.textContent = shown;
    let at = times.length - 1;
    while (at > 0 && times[at] > this.time + 1e-9) at -= 1;
    const row = Object.fromEntries(Object.entries(this.series).map(([name, values]) => [name, values[at]]));
    this.legend(Object.keys(this.series), row, factor);
  }
}

export class Plots {
  // seek goes to a time of a replay
  constructor(of, seek) {
    this.root = of("plots");
    this.unit = of("energy-unit");
    this.energies = new Chart(of("energies"), of("energies-key"), false);
    this.course = new Course(of("energies"), of("energies-key"), false);
    this.times = new Chart(of("times"), of("times-key"), true);
    [this.figure, this.forceUnit] = [of("force-figure"), of("force-unit")];
    this.forces = new Chart(of("forces"), of("forces-key"), false);
    this.forceCourse = new Course(of("forces"), of("forces-key"), false);
    for (const [name, course] of [["energies", this.course], ["forces", this.forceCourse]]) {
      const scrub = (event) => this.replayed && seek(course.under(event.clientX));
      of(name).addEventListener("pointerdown", (event) => {
        event.target.setPointerCapture(event.pointerId);
        scrub(event);
      });
      of(name).addEventListener("pointermove", (event) => event.buttons && scrub(event));
    }
  }

  clear() {
    this.energies.clear();
    this.times.clear();
    this.forces.clear();
  }

  // Of a replay there are energies, where it has kept them, and no times of steps.
  show(scene) {
    this.clear();
    this.replayed = Boolean(scene.replay);
    this.root.classList.toggle("replayed", this.replayed);
    this.times.canvas.parentElement.hidden = this.replayed;
    const [energies, forces] = [scene.replay?.energies ?? [], scene.replay?.forces ?? []];
    this.empty = this.replayed && !energies.length && !forces.length;
    this.root.hidden ||= this.empty;
    this.energies.canvas.parentElement.hidden = this.replayed && !energies.length;
    this.figure.hidden = !forces.length;
    if (forces.length) this.forceCourse.show(scene.replay.times, Object.fromEntries(forces.map((name, i) => [name, scene.arrays[`force:${i}`]])));
    if (!this.replayed || this.empty) return;
    const series = Object.fromEntries(energies.map((name, i) => [name, Float64Array.from(scene.arrays[`energy:${i}`])]));
    levelled(series);
    const { total, ...others } = series;
    this.course.show(scene.replay.times, total ? { total, ...others } : others);
    this.draw();
  }

  // Where a replay is.
  at(time) {
    if (!this.replayed || this.empty) return;
    this.course.time = this.forceCourse.time = time;
    this.draw();
  }

  draw() {
    if (this.root.hidden) return;
    if (this.replayed && !this.empty) {
      this.course.draw("J", this.unit);
      if (!this.figure.hidden) this.forceCourse.draw("N", this.forceUnit);
    }
    if (this.replayed) return;
    this.energies.draw("J", this.unit);
    this.forces.draw("N", this.forceUnit);
    this.times.draw("");
  }

  push(statistics) {
    if (this.replayed) return;
    if (statistics.t < this.last) this.clear();
    this.last = statistics.t;
    const found = Object.fromEntries(Object.entries(statistics.energies).map(([name, value]) => [name, value ?? NaN])); // not finite: a gap
    // heights have no zero of their own: what counts is the change since the first value seen
    this.energies.zero ??= found.gravity ?? 0;
    if ("gravity" in found) {
      found.gravity -= this.energies.zero;
      found.total -= this.energies.zero;
    }
    const { total, ...others } = found;
    for (const name of ["grab", "contact"]) if (!others[name] && !this.energies.rows.some((r) => r[name])) delete others[name];
    this.energies.push(total === undefined ? others : { total, ...others });
    const forces = statistics.forces ?? {};
    this.figure.hidden = !Object.keys(forces).length;
    if (!this.figure.hidden) this.forces.push(forces);
    if (Object.keys(statistics.ms).length) this.times.push(statistics.ms);
    this.draw();
  }
}

// Heights of a whole run count from its first one, and what is nothing all the time is left out.
function levelled(series) {
  const zero = series.gravity?.find(Number.isFinite) ?? 0;
  for (const name of ["gravity", "total"]) {
    if (series.gravity && series[name]) series[name] = series[name].map((value) => value - zero);
  }
  for (const name of ["grab", "contact"]) if (series[name]?.every((value) => value === 0)) delete series[name];
}
