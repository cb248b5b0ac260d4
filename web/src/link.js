// The conversation: asks, listens, and acknowledges what was drawn.

const [SCENE, EDGES, INSIDE] = [1, 3, 4];
const ARRAYS = { f4: Float32Array, u4: Uint32Array, u1: Uint8Array, u2: Uint16Array };

export class Link {
  constructor(transport, on) {
    Object.assign(this, { transport, on, open: false }); // on: scene, edges, inside, frame, state, statistics, refused, away
    this.waiting = new Map(); // key → message that a later one of the same key replaces
    this.drawn = [];
  }

  start() {
    this.transport.start({
      open: () => {
        this.open = true;
        this.on.away(null);
      },
      away: (why = "The simulation cannot be reached; trying again …") => {
        this.open = false;
        this.drawn = [];
        this.on.away(why);
      },
      text: (text) => {
        const message = JSON.parse(text);
        this.on[message.say]?.(message);
      },
      bytes: (data) => this.receive(data),
      say: (message) => this.on[message.say]?.(message), // what needs no unpacking
      scene: (found) => this.on.scene(found),
      frame: (found) => this.on.frame(found),
    });
  }

  receive(data) {
    const [kind] = new Uint32Array(data, 0, 1);
    if (kind === SCENE) {
      this.on.scene(unpackScene(data));
    } else if (kind === EDGES) {
      const [, epoch, nodes, count, share] = new Uint32Array(data, 0, 5);
      this.on.edges({ epoch, nodes, share, pairs: new Uint32Array(data, 20, 2 * count) });
    } else if (kind === INSIDE) {
      const [, epoch, nodes, count, firsts] = new Uint32Array(data, 0, 5);
      this.on.inside({ epoch, nodes, first: new Uint32Array(data, 20, firsts), tets: new Uint32Array(data, 20 + 4 * firsts, 4 * count) });
    } else {
      const frame = unpackFrame(data);
      this.drawn.push(frame.number);
      this.on.frame(frame);
    }
  }

  // Tell now.
  say(what, values = {}) {
    if (this.open) this.transport.send(JSON.stringify({ do: what, ...values }));
  }

  // Tell with the next picture, the latest only.
  soon(key, what, values) {
    this.waiting.set(key, [what, values]);
  }

  // After each picture: send what waited, and say which frames have been seen.
  flush() {
    for (const [what, values] of this.waiting.values()) this.say(what, values);
    this.waiting.clear();
    for (const frame of this.drawn) this.say("ack", { frame });
    this.drawn = [];
  }
}

function unpackScene(data) {
  const length = new Uint32Array(data, 4, 1)[0];
  const about = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 8, length)));
  const arrays = {};
  for (const [name, [offset, kind, count]] of Object.entries(about.sections)) {
    arrays[name] = new ARRAYS[kind](data, 8 + length + offset, count);
  }
  return { ...about, arrays };
}

function unpackFrame(data) {
  const [, number, epoch, vertices, held, poses, contacts, flags] = new Uint32Array(data, 0, 8);
  const time = new Float64Array(data, 32, 1)[0];
  const numbers = new Float32Array(data, 40, 8);
  const [low, span] = [numbers.subarray(0, 3), numbers.subarray(3, 6)];
  let at = 72;
  const hands = [];
  for (let i = 0; i < held; i++, at += 36) {
    const [handle, pinned] = new Uint32Array(data, at, 2);
    const rest = new Float32Array(data, at + 8, 7);
    hands.push({ handle, pinned: pinned === 1, anchor: rest.subarray(0, 3), target: rest.subarray(3, 6), force: rest[6] });
  }
  const moved = new Float32Array(data, at, 12 * poses);
  at += 48 * poses;
  const touching = new Float32Array(data, at, 6 * contacts);
  at += 24 * contacts;
  const packed = new Uint16Array(data, at, 3 * vertices);
  at += 6 * vertices + 2 * (vertices % 2);
  const colours = flags & 2 ? new Uint8Array(data, at, vertices) : null;
  if (colours) at += vertices;
  at = 4 * Math.ceil(at / 4);
  const some = () => placed(new Uint16Array(data, at + 4, 3 * new Uint32Array(data, at, 1)[0]), low, span);
  const nodes = flags & 4 ? some() : null;
  if (nodes) at = 4 * Math.ceil((at + 4 + 2 * nodes.length) / 4);
  const inside = flags & 16 ? { positions: some() } : null;
  if (inside) inside.values = new Uint8Array(data, at + 4 + 2 * inside.positions.length, inside.positions.length / 3);
  return {
    number, epoch, time, running: (flags & 1) === 1, positions: placed(packed, low, span), nodes, inside, colours, hands, poses: moved, contacts: touching,
    two: (flags & 8) === 8, range: [numbers[6], numbers[7]], low, span,
  };
}

// Places in the box as metres.
function placed(packed, low, span) {
  const positions = new Float32Array(packed.length);
  const [sx, sy, sz] = [span[0] / 65535, span[1] / 65535, span[2] / 65535];
  for (let i = 0; i < positions.length; i += 3) {
    positions[i] = low[0] + sx * packed[i];
    positions[i + 1] = low[1] + sy * packed[i + 1];
    positions[i + 2] = low[2] + sz * packed[i + 2];
  }
  return positions;
}
