// Files of one's own: a button and a place to drop them; the simulation reads them and says what it took them for.

import { make } from "./panel.js";
import { plain } from "./numbers.js";

export class Opening {
  // tell says a sentence for a while, changed draws the status line anew
  constructor(of, root, link, { tell, changed, page, signal }) {
    Object.assign(this, { of, link, tell, changed, busy: "", scene: null });
    this.input = make("input", { type: "file", multiple: true, hidden: true, id: "files" });
    this.input.addEventListener("change", () => {
      this.send([...this.input.files]);
      this.input.value = "";
    });
    of("panel").after(this.input);
    const place = page ? window : root; // a file dropped beside it must not take the place of the page
    const files = (event) => event.dataTransfer?.types?.includes("Files");
    place.addEventListener("dragover", (event) => {
      if (!files(event)) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = this.can ? "copy" : "none";
      of("drop").hidden = !this.can;
      clearTimeout(this.leaving);
      this.leaving = setTimeout(() => (of("drop").hidden = true), 400); // it comes again and again while something is over the page
    }, { signal });
    place.addEventListener("drop", (event) => {
      if (!files(event)) return;
      event.preventDefault();
      of("drop").hidden = true;
      this.send([...event.dataTransfer.files]);
    }, { signal });
  }

  get can() {
    return Boolean(this.scene?.opens && this.link.transport.upload);
  }

  show(scene) {
    this.scene = scene;
    this.input.accept = scene.opens?.suffixes.map((s) => `.${s}`).join(",") ?? "";
  }

  choose() {
    this.input.click();
  }

  async send(files) {
    if (!files.length) return;
    if (!this.can) return this.tell("Files cannot be opened here; use the page of pliant view.");
    if (this.busy) return this.tell("Another file is still being sent.");
    const all = files.reduce((sum, file) => sum + file.size, 0);
    const { most } = this.scene.opens;
    if (all > most) return this.tell(`${files[0].name} has ${plain(all / 2 ** 20, 3)} MiB; a page takes at most ${most / 2 ** 20}: use pliant view FILE.`);
    this.say(`Sending ${files[0].name} …`);
    const why = await this.link.transport.upload(files, (sent) => this.say(`Sending ${files[0].name}: ${Math.floor((100 * sent) / all)} %`));
    this.say("");
    if (why) this.tell(why);
  }

  say(text) {
    this.busy = text;
    this.changed();
  }
}
