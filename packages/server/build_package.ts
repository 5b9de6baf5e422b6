/**
 * `npm run package`: the package `@postern/server` as a tarball. It holds JavaScript, since Node runs no
 * TypeScript below `node_modules`.
 */
import { execFileSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { programsOfSamples } from "../../src/web/console/quickstarts.ts";

const usage = `Builds the package @postern/server.

npm run package [-- --out FOLDER]

  --out FOLDER  where the tarball goes (packages/server)
`;

const root = fileURLToPath(new URL("../..", import.meta.url));
const here = join(root, "packages", "server");
const build = join(here, "build");

/** What programs import. */
const entry = "src/server/embedded";

interface RootPackage {
  readonly version: string;
  readonly [member: string]: unknown;
}

/** What the package says of itself: all else is the checkout's, so that no version stands twice. */
function packageDescription(): object {
  const text = readFileSync(join(root, "package.json"), "utf8");
  const { version, description, license, engines, dependencies, optionalDependencies } = JSON.parse(
    text,
  ) as RootPackage;
  return {
    name: "@postern/server",
    ...{ version, description, license },
    type: "module",
    ...{ engines, dependencies, optionalDependencies },
    bin: { postern: "bin/postern.js" },
    exports: {
      ".": { types: `./${entry}.d.ts`, default: `./${entry}.js` },
      "./package.json": "./package.json",
    },
    files: ["bin", "src", "examples", "CHANGELOG.md"],
  };
}

/** Leaves the declarations that the entry needs: the others would be a quarter of the package. */
function pruneDeclarations(): void {
  const needed = new Set<string>();
  const waiting = [join(build, `${entry}.d.ts`)];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (needed.has(path)) continue;
    needed.add(path);
    const folder = dirname(path);
    for (const [, name = ""] of readFileSync(path, "utf8").matchAll(/(?:from |import\()"(\.[^"]+)"/g))
      waiting.push(join(folder, name.replace(/\.[jt]s$/, ".d.ts")));
  }
  for (const name of globSync("**/*.d.ts", { cwd: build })) {
    const path = join(build, name);
    if (!needed.has(path)) rmSync(path);
  }
}

/** Makes the tarball, and answers its path. Throws when the compiler or npm fails. */
function buildPackage(out: string): string {
  rmSync(build, { recursive: true, force: true });
  mkdirSync(build);
  mkdirSync(out, { recursive: true });
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  execFileSync(process.execPath, [compiler, "-p", join(here, "tsconfig.json")], { stdio: "inherit" });
  pruneDeclarations();
  // What the compiler leaves: style, scripts and pictures of the pages.
  cpSync(join(root, "src"), join(build, "src"), {
    recursive: true,
    filter: (path) => !path.endsWith(".ts"),
  });
  for (const program of programsOfSamples)
    cpSync(join(root, "examples", program), join(build, "examples", program));
  cpSync(join(root, "bin"), join(build, "bin"), { recursive: true });
  for (const name of ["LICENSE", "README.md", "CHANGELOG.md"]) cpSync(join(root, name), join(build, name));
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
