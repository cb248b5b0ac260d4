// A run inside the page itself: unpacked once, then a transport like any other, with the clock of the browser in place of a server.

import { mount } from "./main.js";

const ARRAYS = { f4: Float32Array, u4: Uint32Array, u1: Uint8Array };
const LONGEST = 0.1; // [s] that one picture moves time at most
const TOLD = 150; // [ms] between two statements

export async function playStored() {
  const root = document.querySelector("main");
  try {
    const run = await unpack(document);
    root.replaceChildren();
    globalThis.pliant = mount(root, stored(run), { page: true }); // to look at from the console and from tests
  } catch (error) {
    document.documentElement.dataset.state = "failed";
    const old = typeof DecompressionStream === "undefined";
    root.textContent = old ? "This browser is too old to unpack the page; any of 2023 or later will do." : String(error.message || error);
  }
}

// From text to typed arrays: base64, deflate, then the differences between frames undone.
async function unpack(where) {
  const about = JSON.parse(where.getElementById("pliant-run").textContent);
  const element = where.getElementById("pliant-data");
  const text = atob(element.textContent.trim());
  element.remove();
  const packed = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const section = (name) => {
    const [offset, kind, count] = about.sections[name];
    const size = ARRAYS[kind].BYTES_PER_ELEMENT * count;
    return new ARRAYS[kind](bytes.buffer.slice(offset, offset + size));
  };
  const chapters = about.chapters.map((chapter, k) => {
    const { vertices, count, scene } = chapter;
    const arrays = {};
    for (const name of Object.keys(about.sections)) {
      const [, owner, own] = name.match(/^scene (\d+) (.*)$/) ?? [];
      if (Number(owner) === k) arrays[own] = section(name);
    }
    const values = {};
    for (const { name } of about.fields) values[name] = summed(section(`field ${k} ${name}`), vertices);
    const shown = about.slice && { ...about.slice, palette: section("slice palette") };
    return { ...chapter, places: joined(section(`positions ${k}`), 3 * vertices, count), values, scene: { ...scene, arrays, slice: shown } };
  });
  if (about.slice) {
    const pixels = summed(section("slice"), about.slice.size[0] * about.slice.size[1]);
    for (const chapter of chapters) chapter.scene.slice.pixels = pixels;
  }
  return { ...about, chapters, poses: about.sections.poses ? section("poses") : null };
}

// Bytes that each say how much they differ from those of the frame before.
function summed(coded, stride) {
  for (let i = stride; i < coded.length; i++) coded[i] += coded[i - stride];
  return coded;
}

// The same of 16 bits, low bytes of everything first.
function joined(coded, stride, frames) {
  const places = new Uint16Array(stride * frames);
  for (let i = 0; i < places.length; i++) places[i] = (i >= stride ? places[i - stride] : 0) + coded[i] + 256 * coded[places.length + i];
  return places;
}

// Where a time lies: the frame before it, the one after, and how far between them.
export function between(times, t) {
  let [low, high] = [0, times.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle;
  }
  if (high > low && t >= times[high]) return [high, high, 0];
  const part = high > low ? (t - times[low]) / (times[high] - times[low] || 1) : 0;
  return [low, high, Math.min(Math.max(part, 0), 1)];
}

export function stored(run) {
  const { times } = run;
  const [begin, end] = [times[0], times[times.length - 1]];
  const still = !(end > begin);
  const state = { say: "state", version: 0, epoch: 1, running: !still, speed: 1, loop: true, field: "none", smooth: true, range: [], note: [0, ""], trouble: "", busy: "", frames: times.length };
  let [on, t, last, told, number, stale, epoch, next] = [null, begin, performance.now(), 0, 0, true, 0, 0];

  function changed() {
    state.version += 1;
    on.say({ ...state });
  }

  function seek(to) {
    t = Math.min(Math.max(to, begin), end);
    stale = true;
  }

  const commands = {
    pause({ value }) {
      state.running = !value && !still;
      if (state.running && t >= end) seek(begin);
    },
    step() {
      state.running = false;
      const [low, high, part] = between(times, t);
      const now = part > 1 - 1e-9 ? high : low;
      seek(times[(now + 1) % times.length]);
    },
    reset() {
      seek(begin);
      state.running = !still;
    },
    seek: ({ time }) => seek(time),
    speed: ({ value }) => (state.speed = value),
    loop: ({ value }) => (state.loop = value),
    smooth({ value }) {
      [state.smooth, stale] = [value, true];
    },
    colour({ name }) {
      [state.field, state.range, stale] = [run.fields.some((field) => field.name === name) ? name : "none", [], true];
    },
    range({ ends }) {
      [state.range, stale] = [ends.length === 2 && ends[1] > ends[0] ? ends : [], true];
    },
  };

  // A frame as it comes from a server, made of the two about it.
  function frame() {
    let [low, high, part] = between(times, t);
    const k = run.chapters.findLastIndex(({ first }) => first <= low);
    const { first, count, vertices, box, places, values, scene } = run.chapters[k];
    if (k + 1 !== epoch) {
      epoch = state.epoch = k + 1;
      on.scene({ ...scene, epoch });
      changed();
    }
    const nearest = part < 0.5 ? low : high;
    if (high >= first + count) [high, part] = [low, 0]; // bodies of another chapter: nothing lies between
    else if (!state.smooth) [low, high, part] = [nearest, nearest, 0];
    const [a, b, n] = [3 * vertices * (low - first), 3 * vertices * (high - first), 3 * vertices];
    const positions = new Float32Array(n);
    const [least, most] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
    for (let c = 0; c < 3; c++) {
      const scale = (box[1][c] - box[0][c]) / 65535;
      for (let i = c; i < n; i += 3) {
        const x = box[0][c] + scale * (places[a + i] + part * (places[b + i] - places[a + i]));
        positions[i] = x;
        if (x < least[c]) least[c] = x;
        if (x > most[c]) most[c] = x;
      }
    }
    const field = run.fields.find(({ name }) => name === state.field);
    let colours = null;
    if (field) {
      const [v, c, d] = [values[field.name], vertices * (low - first), vertices * (high - first)];
      colours = new Uint8Array(vertices);
      const [least, most] = state.range.length ? state.range : [field.low, field.high];
      const [start, wider] = [(255 * (field.low - least)) / (most - least), (field.high - field.low) / (most - least)]; // bytes as the range that is held has them
      for (let i = 0; i < vertices; i++) colours[i] = Math.min(Math.max(Math.round(start + wider * (v[c + i] + part * (v[d + i] - v[c + i]))), 0), 255);
    }
    let poses = new Float32Array(0);
    if (run.poses) {
      const size = run.poses.length / times.length;
      poses = run.poses.slice(size * low, size * (low + 1));
      for (let i = 0; i < size; i++) poses[i] += part * (run.poses[size * high + i] - poses[i]);
    }
    on.frame({
      number: (number += 1), epoch, time: t, index: nearest, running: state.running, positions, nodes: null, colours, hands: [], poses, contacts: new Float32Array(0),
      two: Boolean(field?.two), range: !field ? [0, 1] : state.range.length ? state.range : [field.low, field.high], low: least, span: most.map((value, c) => value - least[c]),
    });
  }

  function tick(now) {
    next = requestAnimationFrame(tick);
    // the time of a picture may lie before the moment that this began at
    const passed = Math.min(Math.max(0, (now - last) / 1000), LONGEST);
    last = now;
    if (state.running) {
      t += passed * state.speed;
      if (t >= end && state.loop) t = begin + ((t - begin) % (end - begin));
      else if (t >= end) {
        [t, state.running] = [end, false];
        changed();
      }
      stale = true;
    }
    if (stale) {
      stale = false;
      frame();
    }
    if (now - told > TOLD) {
      told = now;
      on.say({ say: "statistics", t, factor: state.running ? state.speed : 0, steps_per_second: 0, energies: {}, ms: {} });
    }
  }

  return {
    stored: true,
    start(given) {
      on = given;
      on.open();
      frame();
      last = performance.now();
      next = requestAnimationFrame(tick);
    },
    send(text) {
      const { do: what, ...values } = JSON.parse(text);
      if (!commands[what]) return;
      commands[what](values);
      changed();
    },
    close: () => cancelAnimationFrame(next),
  };
}
