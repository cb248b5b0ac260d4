// Which way is up: the axes as the camera sees them, and how wide the squares of the ground are.

import { Vector3 } from "three";
import { quantity } from "./numbers.js";

const AXES = [["x", "#c94a3b"], ["y", "#4c8f3d"], ["z", "#2f6fc2"]];

export class Axes {
  constructor(stage, canvas, scale) {
    Object.assign(this, { stage, canvas, scale, seen: "" });
    canvas.addEventListener("click", (e) => this.look(e));
  }

  show({ spacing }) {
    this.scale.textContent = `${quantity(spacing, "m")} squares`;
  }

  // Look along the axis whose end was clicked; along z from above.
  look({ offsetX, offsetY }) {
    const size = this.canvas.clientWidth;
    const [x, y] = [offsetX - size / 2, size / 2 - offsetY];
    const back = this.stage.camera.quaternion.clone().invert();
    const away = AXES.map((_, k) => {
      const at = new Vector3().setComponent(k, 0.34 * size).applyQuaternion(back);
      return Math.hypot(at.x - x, at.y - y);
    });
    this.stage.lookFrom(...[[0, 0], [90, 0], [-90, 90]][away.indexOf(Math.min(...away))]);
  }

  // After each picture: draw them where the view has turned.
  after() {
    const { quaternion } = this.stage.camera;
    const seen = quaternion.toArray().map((q) => q.toFixed(3)).join();
    if (seen === this.seen || !this.canvas.clientWidth) return;
    this.seen = seen;
    const [size, ratio] = [this.canvas.clientWidth, Math.min(devicePixelRatio, 2)];
    this.canvas.width = this.canvas.height = Math.round(size * ratio);
    const pen = this.canvas.getContext("2d");
    pen.setTransform(ratio, 0, 0, ratio, size * ratio / 2, size * ratio / 2);
    pen.lineWidth = 2;
    pen.lineCap = "round";
    pen.font = "600 11px system-ui, sans-serif";
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    const back = quaternion.clone().invert();
    const ends = AXES.map(([name, ink], k) => ({ name, ink, at: new Vector3().setComponent(k, 1).applyQuaternion(back) }));
    ends.sort((a, b) => a.at.z - b.at.z); // the nearest last
    for (const { name, ink, at } of ends) {
      const [x, y] = [0.34 * size * at.x, -0.34 * size * at.y];
      pen.strokeStyle = pen.fillStyle = ink;
      pen.beginPath();
      pen.moveTo(0, 0);
      pen.lineTo(x, y);
      pen.stroke();
      pen.fillText(name, 1.3 * x, 1.3 * y);
    }
  }
}
