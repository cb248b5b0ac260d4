// The time line of a replay: shows where it is, and goes where it is dragged.

import { plain } from "./numbers.js";

export class Timeline {
  constructor(of, link) {
    Object.assign(this, { of, link, times: null, running: false, resume: false, held: false, looping: true });
    const line = of("time");
    line.addEventListener("input", () => this.seek(line.valueAsNumber));
    line.addEventListener("pointerdown", () => {
      [this.held, this.resume] = [true, this.running];
      if (this.running) link.say("pause", { value: true });
    });
    for (const name of ["pointerup", "pointercancel", "change"]) line.addEventListener(name, () => this.release());
    of("loop").addEventListener("click", () => this.loop());
  }

  show(scene) {
    this.times = scene.replay?.times ?? null;
    this.of("timeline").hidden = !this.times;
    if (this.times) Object.assign(this.of("time"), { min: 0, max: this.times.length - 1, step: 1, value: 0 });
  }

  update(state) {
    if (!this.times) return;
    [this.running, this.looping] = [state.running, state.loop];
    this.of("loop").setAttribute("aria-pressed", String(state.loop));
  }

  // Where the replay is: at the frame of this time.
  at(time) {
    if (!this.times) return;
    let [low, high] = [0, this.times.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.times[middle] <= time + 1e-7) low = middle;
      else high = middle - 1;
    }
    this.frame = low;
    if (!this.held) this.of("time").value = low;
    const line = this.of("time");
    line.style.setProperty("--done", `${(100 * line.valueAsNumber) / Math.max(this.times.length - 1, 1)}%`);
    line.setAttribute("aria-valuetext", `${plain(time, 3)} s`);
    this.of("frames").textContent = `${low + 1} / ${this.times.length}`;
  }

  seek(frame) {
    const to = Math.min(Math.max(frame, 0), this.times.length - 1);
    this.link.soon("seek", "seek", { time: this.times[to] });
  }

  // One frame back, and stay there.
  back() {
    if (!this.times) return;
    if (this.running) this.link.say("pause", { value: true });
    this.seek((this.frame ?? 0) - 1);
  }

  // One frame on, and stay there.
  on() {
    if (this.times) this.link.say("step");
  }

  // The first frame or the last.
  edge(which) {
    if (this.times) this.seek(which ? this.times.length - 1 : 0);
  }

  // The frame nearest to a time, and stay there.
  to(time) {
    if (!this.times) return;
    if (this.running) this.link.say("pause", { value: true });
    this.link.soon("seek", "seek", { time });
  }

  loop() {
    if (this.times) this.link.say("loop", { value: !this.looping });
  }

  release() {
    if (!this.held) return;
    this.held = false;
    this.link.flush(); // the last place first
    if (this.resume) this.link.say("pause", { value: false });
  }
}
