// A plane through the bodies, seen face on: one small picture a frame, its colours from a table.

export class Slice {
  constructor(of) {
    Object.assign(this, { node: of("slice"), canvas: of("slice-picture"), title: of("slice-title"), about: null, wanted: true, drawn: -1 });
  }

  show(scene) {
    this.about = scene.slice ?? null;
    this.drawn = -1;
    this.node.hidden = !this.about || !this.wanted;
    if (!this.about) return;
    [this.canvas.width, this.canvas.height] = this.about.size;
    this.title.textContent = this.about.title;
  }

  set shown(wanted) {
    this.wanted = wanted;
    this.node.hidden = !this.about || !wanted;
  }

  at(frame) {
    if (!this.about || frame === undefined || frame === this.drawn) return;
    this.drawn = frame;
    const { size: [width, height], pixels, palette } = this.about;
    const pen = this.canvas.getContext("2d");
    const image = pen.createImageData(width, height);
    const first = frame * width * height;
    for (let i = 0; i < width * height; i++) {
      const at = 3 * pixels[first + i];
      image.data.set([palette[at], palette[at + 1], palette[at + 2], 255], 4 * i);
    }
    pen.putImageData(image, 0, 0);
  }
}
