// The component in a notebook: what page and simulation say to each other goes through the messages of the widget's model.

import { mount } from "./main.js";

const SILENT = 4000; // [ms] without a word from the kernel

// A transport over a model's messages. Several views share a model, so each puts its own name on what it says.
export function letters(model) {
  const view = Array.from(crypto.getRandomValues(new Uint32Array(2)), (n) => n.toString(36)).join("");
  let [on, here, still, heard, timer] = [null, false, false, 0, 0];

  function receive(content, buffers) {
    if (content?.view !== view) return;
    heard = performance.now();
    still = Boolean(content.still || content.gone); // nothing more will come for now
    if (content.gone) {
      here = false;
      return on.away(content.gone);
    }
    if (!here) {
      here = true;
      on.open();
    }
    if (content.text !== undefined) on.text(content.text);
    for (const data of buffers ?? []) {
      const { buffer, byteOffset, byteLength } = ArrayBuffer.isView(data) ? data : new DataView(data);
      on.bytes(buffer.slice(byteOffset, byteOffset + byteLength));
    }
  }

  // A kernel at work on another cell says nothing for a while: ask it to begin anew when it is free again.
  function watch() {
    if (!here || still || performance.now() - heard < SILENT) return;
    here = false;
    on.away("The kernel is busy or has stopped …");
    model.send({ view, open: true });
  }

  return {
    start(given) {
      on = given;
      model.on("msg:custom", receive);
      timer = setInterval(watch, 500);
      model.send({ view, open: true });
    },
    send: (text) => model.send({ view, text }),
    close() {
      clearInterval(timer);
      model.off("msg:custom", receive);
      model.send({ view, open: false });
    },
  };
}

export default {
  render({ model, el }) {
    const root = document.createElement("div");
    root.style.height = `${model.get("height")}px`;
    el.append(root);
    const page = mount(root, letters(model));
    return () => page.destroy();
  },
};
