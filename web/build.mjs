// Bundles the page into src/pliant/view/static, and notes there what it was built from.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const out = "../src/pliant/view/static";
const minified = { bundle: true, minify: true, target: "es2021", legalComments: "eof" };
// style and layout travel inside the script, as text
const texts = {
  name: "texts",
  setup({ onLoad }) {
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { outputFiles } = await build({ ...minified, entryPoints: [path], write: false });
      return { contents: outputFiles[0].text, loader: "text" };
    });
  },
};
// what no material, light or scene of the page has: shaders go without the parts that they would guard
const absent = new Set(`ALPHAHASH ALPHAMAP ALPHATEST ANISOTROPY ANISOTROPYMAP AOMAP BATCHING BATCHING_COLOR BUMPMAP CLEARCOATMAP
  CLEARCOAT_NORMALMAP CLEARCOAT_ROUGHNESSMAP DISPERSION DISPLACEMENTMAP ENVMAP FOG GRADIENTMAP INSTANCING_MORPH IRIDESCENCE IRIDESCENCEMAP
  IRIDESCENCE_THICKNESSMAP LIGHTMAP LIGHT_PROBES LOGARITHMIC_DEPTH_BUFFER MATCAP METALNESSMAP MORPHCOLORS MORPHNORMALS MORPHTARGETS
  NORMALMAP NORMALMAP_OBJECTSPACE NORMALMAP_TANGENTSPACE ROUGHNESSMAP SHEEN_COLORMAP SHEEN_ROUGHNESSMAP SKINNING SPECULARMAP
  SPECULAR_COLORMAP SPECULAR_INTENSITYMAP SPOT_LIGHT_MAP TANGENT THICKNESSMAP TRANSMISSION TRANSMISSIONMAP`.split(/\s+/).map((name) => `USE_${name}`));
const lights = /^\(? ?NUM_(SPOT|POINT|RECT_AREA|LIGHT_PROBE)\w* > 0(?!.*\|\|)/; // of which there are none
const materials = /^#define (MATCAP|NORMAL|PHONG|TOON)\b|^struct (BlinnPhong|Toon)Material\b/m;
const trimmed = (text) => {
  if (materials.test(text)) return "";
  const kept = [], open = []; // of each #if whether it goes, and whether its lines stay
  for (const line of text.split("\n")) {
    const [, word, rest] = /^\s*#(if|ifdef|ifndef|elif|else|endif)\b\s*(.*)$/.exec(line) ?? [];
    const name = /^(?:defined\( )?(\w+)(?: \))?$/.exec(rest ?? "")?.[1];
    const never = absent.has(name) || lights.test(rest);
    if (word?.startsWith("if")) open.push({ goes: never, stays: word === "ifndef" || !never });
    const last = open[open.length - 1];
    if (word === "elif" && last.goes) return text;
    if (word === "else" && last.goes) last.stays = !last.stays;
    if (word === "endif") open.pop();
    if (open.every((each) => each.stays) && !(word && last.goes)) kept.push(line);
  }
  return kept.join("\n");
};
const shaders = {
  name: "shaders",
  setup({ onLoad }) {
    onLoad({ filter: /three\.module\.js$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(/^((?:var|const) \w+ = )("(?:[^"\\\n]|\\.)*\\n(?:[^"\\\n]|\\.)*");$/gm,
        (_, head, text) => `${head}${JSON.stringify(trimmed(JSON.parse(text)))};`),
    }));
  },
};
await build({
  ...minified, entryPoints: ["src/app.js"], outfile: `${out}/app.js`, format: "esm", loader: { ".html": "text" },
  plugins: [texts, shaders],
});
for (const name of ["index.html", "start.js"]) writeFileSync(`${out}/${name}`, readFileSync(`src/${name}`));
writeFileSync(`${out}/three.LICENSE`, readFileSync("node_modules/three/LICENSE"));

const hash = createHash("sha256");
for (const name of readdirSync("src").sort()) hash.update(name).update("\0").update(readFileSync(`src/${name}`));
hash.update(readFileSync("package-lock.json"));
writeFileSync(`${out}/built_from`, `${hash.digest("hex")}\n`);
