// The mouse as a hand: press on a body and it is held; the hand follows in the plane of the view through that point.

import { Plane, Ray, Vector3 } from "three";
import { quantity } from "./numbers.js";

export class Hand {
  constructor(stage, link, label) {
    Object.assign(this, { stage, link, label, held: null, number: 0, pinning: false });
    const canvas = stage.canvas;
    canvas.addEventListener("pointerdown", (e) => this.press(e), { capture: true });
    canvas.addEventListener("pointermove", (e) => this.move(e));
    for (const name of ["pointerup", "pointercancel", "lostpointercapture"]) canvas.addEventListener(name, (e) => this.open(e));
    canvas.addEventListener("wheel", (e) => this.reach(e), { capture: true, passive: false });
    canvas.addEventListener("contextmenu", (e) => e.preventDefault());
  }

  press(event) {
    if (this.off || this.passing) return; // a replay, where the mouse turns the view wherever it is; or a finger that is handed over
    if (this.held?.touch && event.pointerType === "touch") return this.handOver();
    if (this.held) return event.stopImmediatePropagation();
    if (!event.isPrimary || event.button !== 0 || event.ctrlKey || event.metaKey || !this.link.open) return;
    const pin = this.stage.pinAt(event.clientX, event.clientY);
    if (pin !== null) {
      this.link.say("unpin", { pin });
      return event.stopImmediatePropagation();
    }
    const hit = this.stage.pick(event.clientX, event.clientY);
    if (!hit) return;
    event.stopImmediatePropagation(); // the camera stays
    event.preventDefault();
    this.stage.canvas.focus();
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.number = (this.number + 1) % 16;
    this.held = { pointer: event.pointerId, number: this.number, at: hit.point.clone(), x: event.clientX, y: event.clientY, pin: event.shiftKey, touch: event.pointerType === "touch" };
    this.stage.controls.enabled = false;
    this.stage.canvas.style.cursor = "grabbing";
    this.link.say("grab", { hand: this.number, body: hit.body, vertices: hit.vertices, weights: hit.weights, at: hit.point.toArray() });
  }

  // A second finger: let go, and both move the view.
  handOver() {
    const { pointer, number, x, y } = this.held;
    this.link.say("release", { hand: number, pin: false });
    this.drop();
    this.passing = true;
    const first = { pointerId: pointer, pointerType: "touch", isPrimary: true, button: 0, clientX: x, clientY: y, bubbles: true };
    this.stage.canvas.dispatchEvent(new PointerEvent("pointerdown", first));
    this.passing = false;
  }

  move(event) {
    if (!this.held) {
      this.hover = [event.clientX, event.clientY, event.buttons];
      return;
    }
    if (event.pointerId !== this.held.pointer) return;
    [this.held.x, this.held.y] = [event.clientX, event.clientY];
    this.lead();
  }

  // Move the hand to where the ray through the mouse meets the plane of the view through the hand.
  lead() {
    const { origin, direction } = this.stage.ray(this.held.x, this.held.y);
    const facing = this.stage.camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(facing, this.held.at);
    const at = new Ray(origin, direction).intersectPlane(plane, new Vector3());
    if (!at || at.length() > 1e6) return;
    this.held.at.copy(at);
    this.link.soon(`move ${this.held.number}`, "move", { hand: this.held.number, at: at.toArray() });
  }

  // The wheel moves a closed hand along the view.
  reach(event) {
    if (!this.held) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const facing = this.stage.camera.getWorldDirection(new Vector3());
    this.held.at.addScaledVector(facing, -0.0006 * event.deltaY * this.stage.size);
    this.lead();
  }

  open(event) {
    if (!this.held || event.pointerId !== this.held.pointer) return;
    this.link.flush(); // the last movement first
    this.link.say("release", { hand: this.held.number, pin: this.held.pin || event.shiftKey || this.pinning });
    this.drop();
  }

  drop() {
    this.held = null;
    this.stage.controls.enabled = true;
    this.stage.canvas.style.cursor = "";
    this.label.hidden = true;
  }

  // After each picture: the cursor over a body, and the force of the hand beside it.
  after(hands) {
    if (this.held) {
      const mine = hands.filter((h) => !h.pinned).find((h) => new Vector3().fromArray(h.target).distanceTo(this.held.at) < 0.2 * this.stage.size);
      this.label.hidden = !mine;
      if (mine) {
        this.label.textContent = quantity(mine.force, "N", 2);
        const { left, top } = this.stage.canvas.getBoundingClientRect();
        this.label.style.transform = `translate(${this.held.x - left + 16}px, ${this.held.y - top + 14}px)`;
      }
    } else if (this.hover) {
      const [x, y, buttons] = this.hover;
      this.hover = null;
      if (!buttons && !this.off) this.stage.canvas.style.cursor = this.stage.pinAt(x, y) !== null ? "pointer" : this.stage.pick(x, y) ? "grab" : "";
    }
  }
}
