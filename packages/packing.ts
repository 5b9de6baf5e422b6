/** Functions that the package builders share. */
import { execFileSync } from "node:child_process";
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { programsOfSamples } from "../src/console/apps/quickstarts.view.ts";

export const root = fileURLToPath(new URL("..", import.meta.url));

export interface RootPackage {
  readonly version: string;
  readonly [member: string]: unknown;
}

/** The metadata of the checkout, so that version and license are defined once. */
export function rootPackage(): RootPackage {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as RootPackage;
}

/**
 * Compiles with the `tsconfig.json` of this folder, without type checking, because `npm run check` has
 * already done that. Throws if the compiler fails.
 */
export function compile(folder: string): void {
  execFileSync(process.execPath, [join(root, "packages", "client", "write_client.ts")]);
  const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
  const args = [compiler, "--noCheck", "-p", join(folder, "tsconfig.json")];
  execFileSync(process.execPath, args, { stdio: "inherit" });
}

/** Deletes declarations below `build` that `entry` (`src/…`, without extension) does not need. */
export function pruneDeclarations(build: string, entry: string): void {
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

/**
 * Copies files that the compiler does not: styles, scripts and pictures of the pages, and the sample
 * programs that they show.
 */
export function copyAssets(build: string): void {
  for (const program of programsOfSamples)
    cpSync(join(root, "examples", program), join(build, "examples", program));
  cpSync(join(root, "src"), join(build, "src"), {
    recursive: true,
    filter: (path) => !path.endsWith(".ts"),
  });
}

/** Packs `build` as a tarball in `out`, returns its path, and deletes `build`. Throws if npm fails. */
export function pack(build: string, description: object, out: string): string {
  cpSync(join(root, "LICENSE"), join(build, "LICENSE"));
  writeFileSync(join(build, "package.json"), `${JSON.stringify(description, null, 2)}\n`);
  const answer = execFileSync("npm", ["pack", "--json", "--pack-destination", out], {
    cwd: build,
    encoding: "utf8",
    // On Windows, npm is a script, which only a shell can run.
    shell: process.platform === "win32",
  });
  const [packed] = JSON.parse(answer) as { filename: string; size: number; unpackedSize: number }[];
  if (packed === undefined) throw new Error("npm packed nothing");
  rmSync(build, { recursive: true });
  process.stderr.write(`${packed.size} bytes, unpacked ${packed.unpackedSize}\n`);
  return join(out, packed.filename);
}
