/**
 * `npm run kit:package`: builds the package `@postern/test` as a tarball. The server is one file with all
 * its imports, because loading files takes most of the startup time
 * (docs/decisions/packaging-and-releases.md).
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { build as bundle } from "esbuild";
import { copySqlite } from "../../src/storage/sqlite/file.ts";
import { openStore } from "../../src/storage/store.ts";
import { bundleOptions, ownFiles } from "../bundling.ts";
import { writeEntry } from "../entry.ts";
import { licences } from "../licences.ts";
import { compile, copyAssets, pack, pruneDeclarations, root, rootPackage } from "../packing.ts";

const usage = `Builds the package @postern/test.

npm run kit:package [-- --out FOLDER]

  --out FOLDER  folder for the tarball (default: packages/test)
`;

const here = join(root, "packages", "test");
const build = join(here, "build");
const folder = join(build, "src", "kit");

function packageDescription(): object {
  const { version, license } = rootPackage();
  return {
    name: "@postern/test",
    version,
    description: "A Postern server for the tests of programs that sign users in or accept tokens",
    license,
    type: "module",
    engines: { node: ">=24.21" },
    exports: {
      ".": { types: "./src/kit/kit.d.ts", default: "./index.cjs" },
      "./package.json": "./package.json",
    },
    files: ["index.cjs", "src", "examples", "THIRD_PARTY_LICENSES.txt"],
  };
}

/**
 * Writes a database with every table and no records, because migrating takes a tenth of the startup time. The
 * fixed time makes it the same in every build.
 */
async function writeEmptyDatabase(): Promise<void> {
  const work = mkdtempSync(join(tmpdir(), "postern-package-"));
  const path = join(work, "postern.db");
  try {
    const store = await openStore({ kind: "sqlite", path });
    await store.migrate(new Date(0));
    await store.close();
    copySqlite(path, join(folder, "empty.db"));
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** Builds the tarball and returns its path. Throws if the compiler, the bundler or npm fails. */
async function buildPackage(out: string): Promise<string> {
  rmSync(build, { recursive: true, force: true });
  mkdirSync(build);
  mkdirSync(out, { recursive: true });
  compile(here);
  pruneDeclarations(build, "src/kit/kit");
  copyAssets(build);
  const entry = (name: string) => [join(root, "src", "kit", `${name}.ts`)];
  await bundle({
    ...bundleOptions,
    entryPoints: entry("kit"),
    format: "esm",
    outfile: join(folder, "kit.js"),
  });
  const { metafile } = await bundle({
    ...bundleOptions,
    entryPoints: entry("kit_thread"),
    format: "cjs",
    outfile: join(folder, "kit_thread.cjs"),
    banner: { js: 'const bundle_url = require("node:url").pathToFileURL(__filename).href;' },
    metafile: true,
    plugins: [ownFiles((name) => `new URL(${JSON.stringify(`../${name}`)}, bundle_url).href`)],
    // Not bundled: PostgreSQL, and the native part of Argon2, which Node's own implementation replaces.
    external: ["pg", "@node-rs/argon2"],
  });
  await writeEmptyDatabase();
  await writeEntry(build, "@postern/test", "./src/kit/kit.js");
  writeFileSync(join(build, "THIRD_PARTY_LICENSES.txt"), licences([metafile]));
  cpSync(join(here, "README.md"), join(build, "README.md"));
  return pack(build, packageDescription(), out);
}

const { values } = parseArgs({
  options: { out: { type: "string", default: here }, help: { type: "boolean", default: false } },
});
if (values.help) process.stdout.write(usage);
else process.stdout.write(`${await buildPackage(resolve(values.out))}\n`);
