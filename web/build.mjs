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
await build({
  ...minified, entryPoints: ["src/app.js"], outfile: `${out}/app.js`, format: "esm", loader: { ".html": "text" }, plugins: [texts],
});
for (const name of ["index.html", "start.js"]) writeFileSync(`${out}/${name}`, readFileSync(`src/${name}`));
writeFileSync(`${out}/three.LICENSE`, readFileSync("node_modules/three/LICENSE"));

const hash = createHash("sha256");
for (const name of readdirSync("src").sort()) hash.update(name).update("\0").update(readFileSync(`src/${name}`));
hash.update(readFileSync("package-lock.json"));
writeFileSync(`${out}/built_from`, `${hash.digest("hex")}\n`);
