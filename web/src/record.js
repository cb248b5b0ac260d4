// Recordings: a button that keeps frames at the simulation, a film of what is seen, and a menu to take either away.

import { make } from "./panel.js";
import { plain } from "./numbers.js";

const FILMED = 30; // [1/s] pictures
const BITS = 10e6; // [1/s] of a film
const FILMS = [
  ["video/mp4;codecs=avc1.640028", "mp4"], ["video/mp4;codecs=avc1.42E01F", "mp4"], ["video/webm;codecs=vp9", "webm"],
  ["video/webm;codecs=vp8", "webm"], ["video/webm", "webm"], ["video/mp4", "mp4"],
];

// The browser's own encoder on the canvas: what is seen, as long as it is on.
class Film {
  constructor(canvas, done) {
    Object.assign(this, { canvas, done, bytes: 0 });
    [this.kind, this.suffix] = (globalThis.MediaRecorder && canvas.captureStream && FILMS.find(([kind]) => MediaRecorder.isTypeSupported(kind))) || ["", ""];
    this.blob = null;
  }

  get on() {
    return this.machine?.state === "recording";
  }

  start() {
    if (!this.kind || this.on) return;
    const parts = [];
    [this.blob, this.bytes] = [null, 0];
    const machine = new MediaRecorder(this.canvas.captureStream(FILMED), { mimeType: this.kind, videoBitsPerSecond: BITS });
    machine.ondataavailable = ({ data }) => {
      parts.push(data);
      this.bytes += data.size;
    };
    this.ended = new Promise((done) => {
      machine.onstop = () => {
        if (machine === this.machine && this.bytes) this.blob = new Blob(parts, { type: this.kind });
        for (const track of machine.stream.getTracks()) track.stop();
        this.done();
        done(this.blob);
      };
    });
    this.machine = machine;
    machine.start(500);
  }

  stop() {
    if (this.on) this.machine.stop();
  }
}

function take(href, name) {
  const link = make("a", { href, download: name });
  link.click();
  if (href.startsWith("blob:")) setTimeout(() => URL.revokeObjectURL(href), 60000);
}

export class Record {
  // tell says a sentence for a while, changed draws the status line anew
  constructor(of, stage, link, { tell, changed }) {
    Object.assign(this, { of, stage, link, tell, changed, busy: "", on: false, kept: null, scene: null });
    this.film = new Film(stage.canvas, () => this.draw());
    this.filming = make("input", { type: "checkbox", checked: !stage.simple });
    of("record").addEventListener("click", () => this.toggle());
    of("save").addEventListener("click", () => this.open());
    of("saves").addEventListener("keydown", (event) => event.key === "Escape" && this.open(false));
  }

  get replayed() {
    return Boolean(this.scene?.replay);
  }

  show(scene) {
    this.scene = scene;
    this.stem = scene.name.replace(/\.[A-Za-z0-9]+$/, "").replaceAll(/[^A-Za-z0-9_-]+/g, "_") || "pliant";
    this.open(false);
    this.draw();
  }

  toggle() {
    if (!this.replayed) return this.link.say("record", { value: !this.on });
    if (!this.film.kind) return this.tell("This browser cannot make a video of the page; pl.video(run, \"a.mp4\") does so in Python.");
    if (this.film.on) this.film.stop();
    else this.roll();
    this.draw();
  }

  roll() {
    this.film.start();
    this.stage.stale = true; // a film begins with a picture, even of what does not move
  }

  // What the simulation says of its recording; the film goes along with it.
  update({ recording }) {
    if (!recording) return;
    this.kept = recording;
    if (recording.on !== this.on) {
      this.on = recording.on;
      if (this.on && this.filming.checked) this.roll();
      else this.film.stop();
      if (!this.on && recording.frames) this.open(true);
    }
    this.draw();
  }

  // How far it is; what was said before the state changed does not count.
  count({ recording }) {
    if (!recording || !this.on || recording.number !== this.kept.number) return;
    this.kept = { ...recording, on: true };
    this.draw();
  }

  draw() {
    const [button, label, on] = [this.of("record"), this.of("recorded"), this.replayed ? this.film.on : this.on];
    button.setAttribute("aria-pressed", String(on));
    button.title = this.replayed ? "Record a video of the view, or stop (O)" : "Record, or stop (O)";
    label.hidden = !on;
    label.textContent = this.replayed ? "recording" : `${(this.kept?.seconds ?? 0).toFixed(1)} s`;
    label.title = this.kept ? `${this.kept.frames} frames; ${Math.round(100 * this.kept.full)} % of the memory for them` : "";
    if (!this.of("saves").hidden) this.fill();
  }

  open(wanted = this.of("saves").hidden) {
    this.of("saves").hidden = !wanted;
    this.of("save").setAttribute("aria-expanded", String(wanted));
    if (wanted) this.fill();
  }

  // The menu: what can be taken away now, and why the rest cannot.
  fill() {
    const ready = this.replayed || (!this.on && Boolean(this.kept?.frames));
    const far = !this.link.transport.download;
    const kept = this.replayed ? `${this.scene.replay.times.length} frames` : ready ? `${this.kept.frames} frames, ${this.kept.seconds.toFixed(1)} s` : "";
    const key = JSON.stringify([ready, far, kept, Boolean(this.film.blob), this.film.on, this.busy, this.scene?.epoch]);
    if (this.filled === key) return;
    this.filled = key;
    const item = (label, kind, title, act) => {
      const button = make("button", { textContent: label, title, disabled: !act });
      button.dataset.kind = kind;
      if (act) button.addEventListener("click", act);
      return button;
    };
    const said = (text) => make("p", { textContent: text });
    const video = this.film.blob
      ? item(`Video (${this.film.suffix})`, "video", "The video of the view", () => this.takeFilm())
      : item(!this.film.kind ? "Video: not in this browser" : this.replayed ? "Video: press ● to record one" : "Video: none was recorded", "video", "", null);
    const items = [said("View"), item("Picture (png)", "png", "The view as it is now", () => this.picture()), video];
    if (!this.replayed && this.film.kind) items.push(make("label", { className: "tick" }, this.filming, "record a video too"));
    if (this.link.transport.stored) {
      items.push(said("The motion is in this page itself: save the page with the browser."));
      return this.of("saves").replaceChildren(...items);
    }
    items.push(said(ready ? `Motion: ${kept}` : this.on ? "Motion: stop the recording first" : "Motion: record something first"));
    if (far) items.push(said("In a notebook, write it from Python: pl.export(widget.recording, \"a.glb\")."));
    else {
      for (const { kind, label, missing } of this.scene?.saves ?? []) {
        const why = missing ? `Needs pip install '${missing}' where the simulation runs` : `Written now and downloaded as ${kind}`;
        items.push(item(missing ? `${label}: needs ${missing}` : label, kind, why, ready && !missing && !this.busy ? () => this.ask(kind, label) : null));
      }
    }
    this.of("saves").replaceChildren(...items);
  }

  ask(kind, label) {
    this.link.say("save", { kind });
    this.busy = `${label}: being written …`;
    this.fill();
    this.changed();
  }

  // The file is ready, or will not be.
  saved(found) {
    this.busy = "";
    this.fill();
    this.changed();
    if (found?.path) {
      this.link.transport.download(found.path, found.name);
      this.tell(`${found.name} (${plain(found.bytes / 1e6, 2)} MB) goes to your downloads.`);
    }
  }

  async takeFilm() {
    const blob = await this.film.ended;
    if (blob) take(URL.createObjectURL(blob), `${this.stem}.${this.film.suffix}`);
  }

  // The canvas as it is drawn now, without what the settings cover, and the legend on it.
  async picture() {
    const { stage } = this;
    const ratio = stage.canvas.width / stage.canvas.clientWidth;
    const sheet = make("canvas", { width: Math.round(stage.canvas.width - ratio * stage.covered), height: stage.canvas.height });
    const pen = sheet.getContext("2d");
    stage.stale = true;
    stage.draw(); // what was drawn can be read only before the browser shows it
    pen.drawImage(stage.canvas, 0, 0);
    pen.scale(ratio, ratio);
    pen.font = `13px ${getComputedStyle(this.of("legend")).fontFamily}`;
    pen.fillStyle = getComputedStyle(this.of("name")).color;
    pen.textAlign = "center";
    if (!this.of("legend").hidden) this.legend(pen, sheet.width / ratio);
    if (!this.of("force-scale").hidden) this.forceScale(pen, sheet.width / ratio, sheet.height / ratio);
    const blob = await new Promise((done) => sheet.toBlob(done, "image/png"));
    take(URL.createObjectURL(blob), `${this.stem}.png`);
    return blob;
  }

  forceScale(pen, width, height) {
    const long = parseFloat(this.of("force-arrow").style.width);
    const [middle, y] = [width - Math.max(long / 2, 60) - 16, height - 38];
    const [left, right] = [middle - long / 2, middle + long / 2];
    pen.fillText(this.of("force-size").textContent, middle, height - 16);
    pen.strokeStyle = pen.fillStyle = "#c0244d";
    pen.lineWidth = 3;
    pen.beginPath();
    pen.moveTo(left, y);
    pen.lineTo(right - 9, y);
    pen.stroke();
    pen.beginPath();
    pen.moveTo(right, y);
    pen.lineTo(right - 10, y - 5);
    pen.lineTo(right - 10, y + 5);
    pen.fill();
  }

  legend(pen, width) {
    const [wide, left] = [260, width / 2 - 130];
    const name = this.of("legend-name").textContent;
    pen.fillText(name[0].toUpperCase() + name.slice(1), left + wide / 2, 26);
    pen.drawImage(this.of("legend-bar"), left, 34, wide, 9);
    for (const tick of this.of("legend-ticks").children) pen.fillText(tick.textContent, left + wide * tick.dataset.share, 58);
  }
}
