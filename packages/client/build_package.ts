/** `npm run client:package`: the package `@postern/client` as a tarball of JavaScript and declarations. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const usage = `Builds the package @postern/client.

npm run client:package [-- --out FOLDER]

  --out FOLDER  where the tarball goes (packages/client)
`;

const root = fileURLToPath(new URL("../..", import.meta.url));
const here = join(root, "packages", "client");
const build = join(here, "build");

/** What the package says of itself: version and licence are the checkout's. */
function packageDescription(): object {
  const { version, license } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    version: string;
    license: string;
  };
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

/** Makes the tarball, and answers its path. Throws when the compiler or npm fails. */
function buildPackage(out: string): string {
  rmSync(build, { recursive: true, force: true });
  mkdirSync(build);
  mkdirSync(out, { recursive: true });
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [compiler, "-p", join(here, "tsconfig.json")], { stdio: "inherit" });
  cpSync(join(root, "LICENSE"), join(build, "LICENSE"));
  cpSync(join(here, "README.md"), join(build, "README.md"));
  writeFileSync(join(build, "package.json"), `${JSON.stringify(packageDescription(), null, 2)}\n`);
  const answer = execFileSync("npm", ["pack", "--json", "--pack-destination", out], {
    cwd: build,
    encoding: "utf8",
    // npm is a script for a shell on Windows.
    shell: process.platform === "win32",
  });
  const [packed] = JSON.parse(answer) as { filename: string; size: number; unpackedSize: number }[];
  if (packed === undefined) throw new Error("npm packed nothing");
  rmSync(build, { recursive: true });
  process.stderr.write(`${packed.size} bytes, unpacked ${packed.unpackedSize}\n`);
  return join(out, packed.filename);
}

const { values } = parseArgs({
  options: { out: { type: "string", default: here }, help: { type: "boolean", default: false } },
});
if (values.help) process.stdout.write(usage);
else process.stdout.write(`${buildPackage(resolve(values.out))}\n`);
