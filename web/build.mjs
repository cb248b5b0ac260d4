// Bundles the page into src/pliant/view/static, and notes there what it was built from.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";

const out = "../src/pliant/view/static";
const minified = { bundle: true, minify: true, target: "es2021", legalComments: "eof" };
await build({ ...minified, entryPoints: ["src/main.js"], outfile: `${out}/app.js`, format: "iife" });
await build({ ...minified, entryPoints: ["src/style.css"], outfile: `${out}/style.css` });
writeFileSync(`${out}/index.html`, readFileSync("src/index.html"));
writeFileSync(`${out}/three.LICENSE`, readFileSync("node_modules/three/LICENSE"));

const hash = createHash("sha256");
for (const name of readdirSync("src").sort()) hash.update(name).update("\0").update(readFileSync(`src/${name}`));
hash.update(readFileSync("package-lock.json"));
writeFileSync(`${out}/built_from`, `${hash.digest("hex")}\n`);
