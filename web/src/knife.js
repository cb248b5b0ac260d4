// The mouse as a knife: a stroke on the screen is swept away from the eye, and cuts what lies behind it.

import { Plane, Ray, Vector3 } from "three";

const APART = 10; // pixels between two points of a stroke
const MOST = 24; // points of a stroke that is sent
const SHALLOW = 0.12; // of the size of the scene: how deep a stroke goes with the shift key

export class Knife {
  constructor(stage, link, line, tell) {
    Object.assign(this, { stage, link, line, tell, on: false, stroke: null });
    const canvas = stage.canvas;
    canvas.addEventListener("pointerdown", (e) => this.press(e), { capture: true });
    canvas.addEventListener("pointermove", (e) => this.move(e), { capture: true });
    canvas.addEventListener("pointerup", (e) => this.end(e), { capture: true });
    for (const name of ["pointercancel", "lostpointercapture"]) canvas.addEventListener(name, () => this.drop());
  }

  press(event) {
    if (!this.on || !event.isPrimary || event.button !== 0 || event.ctrlKey || event.metaKey || !this.link.open) return;
    event.stopImmediatePropagation(); // neither a hand nor the camera
    event.preventDefault();
    this.stage.canvas.focus();
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.stroke = [[event.clientX, event.clientY]];
    this.draw();
  }

  move(event) {
    if (!this.stroke) return;
    event.stopImmediatePropagation();
    const [x, y] = this.stroke.at(-1);
    if (Math.hypot(event.clientX - x, event.clientY - y) < APART) return;
    this.stroke.push([event.clientX, event.clientY]);
    this.draw();
  }

  end(event) {
    if (!this.stroke) return;
    event.stopImmediatePropagation();
    const stroke = this.stroke;
    this.drop();
    if (stroke.length < 2) return this.tell("To cut, drag a line across a body.");
    const blade = this.blade(stroke, event.shiftKey);
    if (blade) this.link.say("cut", blade);
    else this.tell("The line does not cross a body.");
  }

  drop() {
    this.stroke = null;
    this.draw();
  }

  // The sheet behind a stroke: through its points in the plane of the view at the surface, along the ray in its middle.
  blade(stroke, shallow) {
    const every = Math.ceil(stroke.length / MOST);
    const kept = stroke.filter((_, i) => i % every === 0 || i === stroke.length - 1);
    const hits = kept.map(([x, y]) => this.stage.pick(x, y)).filter(Boolean);
    const middles = kept.slice(1).map(([x, y], i) => this.stage.pick((x + kept[i][0]) / 2, (y + kept[i][1]) / 2)).filter(Boolean);
    const met = [...hits, ...middles].map((hit) => hit.point);
    if (!met.length) return null;
    const facing = this.stage.camera.getWorldDirection(new Vector3());
    const far = met.map((point) => point.dot(facing)).sort((a, b) => a - b);
    const plane = new Plane(facing, -far[Math.floor(far.length / 2)]);
    const [a, b] = [kept[0], kept.at(-1)];
    const into = this.stage.ray((a[0] + b[0]) / 2, (a[1] + b[1]) / 2).direction.clone().normalize();
    const size = this.stage.size;
    const path = kept.map(([x, y]) => {
      const { origin, direction } = this.stage.ray(x, y);
      const at = new Ray(origin, direction).intersectPlane(plane, new Vector3());
      return at?.addScaledVector(into, -size).toArray().map((v) => Number(v.toPrecision(6)));
    });
    if (path.some((point) => !point)) return null;
    const depth = shallow ? size + SHALLOW * size : 3 * size;
    return { path, into: into.toArray().map((v) => Number(v.toPrecision(6))), depth };
  }

  draw() {
    const { left, top } = this.stage.canvas.getBoundingClientRect();
    const points = (this.stroke ?? []).map(([x, y]) => `${x - left},${y - top}`).join(" ");
    this.line.setAttribute("points", points);
  }
}
