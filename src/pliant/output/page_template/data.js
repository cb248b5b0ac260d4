// From the text of the page to typed arrays: base64, deflate, then undoing the differences between frames.
async function unpack() {
  const about = JSON.parse(document.getElementById("about").textContent);
  const element = document.getElementById("data");
  const text = atob(element.textContent.trim());
  element.remove();
  const packed = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) packed[i] = text.charCodeAt(i);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const section = (name) => bytes.subarray(about.sections[name][0], about.sections[name][0] + about.sections[name][1]);
  const ints = (name) => new Int32Array(section(name).slice().buffer);
  const frames = about.times.length, n = about.vertices;

  // Positions: low bytes of everything, then high bytes; each frame less the one before, modulo 65536.
  const raw = section("positions"), count = frames * n * 3, places = new Uint16Array(count);
  for (let i = 0; i < count; i++) {
    const before = i >= 3 * n ? places[i - 3 * n] : 0;
    places[i] = before + raw[i] + 256 * raw[count + i];
  }
  const fields = about.fields.map((field) => {
    const coded = section("field:" + field.name), values = new Uint8Array(coded.length);
    for (let i = 0; i < coded.length; i++) values[i] = coded[i] + (i >= n ? values[i - n] : 0);
    return { ...field, values };
  });
  const bodies = about.bodies.map((body, k) => ({
    ...body,
    source: ints("source:" + k), cells: ints("cells:" + k), wires: ints("wires:" + k),
  }));
  const props = about.props.map((prop, k) => ({
    ...prop,
    vertices: new Float32Array(section("vertices:" + k).slice().buffer),
    normals: new Float32Array(section("normals:" + k).slice().buffer),
    cells: ints("triangles:" + k),
    poses: new Float32Array(section("poses:" + k).slice().buffer),
  }));
  let slice = null;
  if (about.slice) {
    const coded = section("slice"), size = about.slice.size[0] * about.slice.size[1], pixels = new Uint8Array(coded.length);
    for (let i = 0; i < coded.length; i++) pixels[i] = coded[i] + (i >= size ? pixels[i - size] : 0);
    slice = { ...about.slice, pixels, palette: section("slice:palette") };
  }
  return { ...about, places, fields, bodies, props, slice, scale: section("scale") };
}

// Where everything is at time t: the two frames about it and how far between them t lies.
function between(times, t, smooth) {
  let low = 0, high = times.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (times[middle] <= t) low = middle; else high = middle;
  }
  const part = high > low ? Math.min(Math.max((t - times[low]) / (times[high] - times[low] || 1), 0), 1) : 0;
  if (smooth) return [low, high, part];
  const nearest = part < 0.5 ? low : high;
  return [nearest, nearest, 0];
}

// Numbers people can read, with SI prefixes.
const PREFIXES = { "-12": "p", "-9": "n", "-6": "µ", "-3": "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T" };
function prefixed(largest, unit) {
  if (!unit || !largest || !isFinite(largest)) return [1, unit];
  const power = Math.min(Math.max(3 * Math.floor(Math.log10(Math.abs(largest)) / 3 + 1e-9), -12), 12);
  return [10 ** -power, PREFIXES[power] + unit];
}
function readable(value, digits = 3) {
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-4 ? value.toExponential(digits - 1) : String(+value.toPrecision(digits));
  return text.replace("-", "−");
}
function roundTicks(low, high, count) {
  const raw = (high - low) / count, power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((s) => s >= raw * 0.75);
  const out = [];
  for (let k = Math.ceil(low / step - 1e-9); k <= Math.floor(high / step + 1e-9); k++) out.push(k * step);
  return out;
}
