/**
 * `npm run package`: builds the package `@postern/server` as a tarball. It contains JavaScript, since
 * Node runs no TypeScript below `node_modules`, in a few files, because loading files takes most of the
 * startup time.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { bundleSources } from "../bundling.ts";
import { writeEntry } from "../entry.ts";
import { joinServer } from "../joining.ts";
import { licences } from "../licences.ts";
import { compile, copyAssets, pack, pruneDeclarations, root, rootPackage } from "../packing.ts";

const usage = `Builds the package @postern/server.

npm run package [-- --out FOLDER]

  --out FOLDER  folder for the tarball (default: packages/server)
`;

const here = join(root, "packages", "server");
const build = join(here, "build");

/** The module that programs import. */
const entry = "server/embedded";

/** The program of the outbound thread, which no import names because it is loaded by its address. */
const thread = "outbound/outbound_program";

/**
 * Returns the package's own metadata. The rest comes from the checkout, so that the version is defined
 * once.
 */
function packageDescription(): object {
  const { version, description, license, engines, dependencies, optionalDependencies } = rootPackage();
  return {
    name: "@postern/server",
    ...{ version, description, license },
    type: "module",
    ...{ engines, dependencies, optionalDependencies },
    bin: { postern: "bin/postern.js" },
    exports: {
      ".": { types: `./src/${entry}.d.ts`, default: "./index.cjs" },
      "./package.json": "./package.json",
    },
    files: ["bin", "index.cjs", "src", "examples", "CHANGELOG.md", "THIRD_PARTY_LICENSES.txt"],
  };
}

/** Builds the tarball and returns its path. Throws if the compiler, the bundler or npm fails. */
async function buildPackage(out: string): Promise<string> {
  rmSync(build, { recursive: true, force: true });
  mkdirSync(build);
  mkdirSync(out, { recursive: true });
  compile(here);
  pruneDeclarations(build, `src/${entry}`);
  await bundleSources(["main", entry, thread], join(build, "src"));
  const joined = await joinServer(join(build, "src"));
  writeFileSync(join(build, "THIRD_PARTY_LICENSES.txt"), licences(joined));
  copyAssets(build);
  await writeEntry(build, "@postern/server", `./src/${entry}.js`);
  cpSync(join(root, "bin"), join(build, "bin"), { recursive: true });
  for (const name of ["README.md", "CHANGELOG.md"]) cpSync(join(root, name), join(build, name));
  return pack(build, packageDescription(), out);
}

const { values } = parseArgs({
  options: { out: { type: "string", default: here }, help: { type: "boolean", default: false } },
});
if (values.help) process.stdout.write(usage);
else process.stdout.write(`${await buildPackage(resolve(values.out))}\n`);
