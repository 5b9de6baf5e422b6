/**
 * `npm run client:package`: builds the package `@postern/client`, a tarball of JavaScript and
 * declarations.
 */
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { compile, pack, root, rootPackage } from "../packing.ts";

const usage = `Builds the package @postern/client.

npm run client:package [-- --out FOLDER]

  --out FOLDER  folder for the tarball (default: packages/client)
`;

const here = join(root, "packages", "client");
const build = join(here, "build");

/** Returns the package's own package.json, with version and license of the checkout. */
function packageDescription(): object {
  const { version, license } = rootPackage();
  return {
    name: "@postern/client",
    version,
    description: "A typed client of the management API of Postern",
    license,
    type: "module",
    engines: { node: ">=20" },
    sideEffects: false,
    exports: {
      ".": { types: "./src/client.d.ts", default: "./src/client.js" },
      "./package.json": "./package.json",
    },
    files: ["src"],
  };
}

/** Builds the tarball and returns its path. Throws if the compiler or npm fails. */
function buildPackage(out: string): string {
  rmSync(build, { recursive: true, force: true });
  mkdirSync(build);
  mkdirSync(out, { recursive: true });
  compile(here);
  cpSync(join(here, "README.md"), join(build, "README.md"));
  return pack(build, packageDescription(), out);
}

const { values } = parseArgs({
  options: { out: { type: "string", default: here }, help: { type: "boolean", default: false } },
});
if (values.help) process.stdout.write(usage);
else process.stdout.write(`${buildPackage(resolve(values.out))}\n`);
