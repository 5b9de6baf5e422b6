/** The program in few files, for the whole suite: most of what a start costs is to load 1,600 modules. */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";
import { bundleOptions, ownFiles } from "../../packages/bundling.ts";
import { root } from "../../packages/packing.ts";
import { programVariable } from "./served_program.ts";

/** Packages that are loaded when they are needed: a bundle would hold them without their names. */
const loadedLater: Plugin = {
  name: "packages that are loaded later",
  setup({ onResolve }) {
    onResolve({ filter: /^[^.]/ }, ({ kind }) =>
      kind === "dynamic-import" ? { external: true } : undefined,
    );
  },
};

/** Makes it of the sources, for the tests of this process and of those that it starts. */
export async function bundleProgram(): Promise<void> {
  const folder = join(root, "node_modules", ".cache", "test-program");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(root, "bin"), join(folder, "bin"), { recursive: true });
  writeFileSync(join(folder, "package.json"), `{ "type": "module" }\n`);
  await build({
    ...bundleOptions,
    splitting: true,
    format: "esm",
    entryPoints: [join(root, "src", "main.ts")],
    outdir: join(folder, "src"),
    banner: {
      js: `import { createRequire as bundle_require } from "node:module";
const require = bundle_require(import.meta.url);`,
    },
    plugins: [loadedLater, ownFiles((name) => JSON.stringify(pathToFileURL(join(root, "src", name)).href))],
    external: ["pg", "@node-rs/argon2"],
  });
  process.env[programVariable] = join(folder, "bin", "postern.js");
}
