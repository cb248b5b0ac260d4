// Numbers as people read them.

const PREFIXES = { "-12": "p", "-9": "n", "-6": "µ", "-3": "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T" };

export function prefixed(largest, unit) {
  if (!unit || !Number.isFinite(largest) || largest === 0 || unit.startsWith("kg") || unit === "°") return [1, unit];
  const power = Math.min(Math.max(3 * Math.floor(Math.log10(Math.abs(largest)) / 3 + 1e-9), -12), 12);
  return [10 ** -power, PREFIXES[power] + unit];
}

export function plain(value, digits = 3) {
  if (!Number.isFinite(value)) return "–";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e6 || size < 1e-4) return value.toExponential(digits - 1).replace("e+", "e").replace("-", "−");
  const text = value.toPrecision(digits);
  const number = Number(text);
  return (text.includes("e") ? String(number) : text.includes(".") ? text.replace(/\.?0+$/, "") : text).replace("-", "−");
}

export function quantity(value, unit, digits = 3) {
  const [factor, name] = prefixed(value, unit);
  return `${plain(value * factor, digits)} ${name}`.trim();
}
