/** The program of a checkout in few files, built again when a source changes: most of a start is loading 1,600. */
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const cache = join(root, "node_modules", ".cache", "postern");
const sources = pathToFileURL(join(root, "src", "main.ts")).href;

/** A server that runs loads parts of its own program later: earlier ones are deleted only beyond these. */
const keptPrograms = 3;

/** By these flags and variables of Node a developer looks at the sources themselves. */
const watchesSources = /^--(inspect|cpu-prof|enable-source-maps|import|require|loader|watch)/;

/** Changes whenever a file of the program may have changed, or another version of a package was installed. */
function digestOfSources() {
  const hash = createHash("sha256");
  const add = (path) => {
    const { size, mtimeMs } = statSync(path);
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  };
  for (const folder of ["src", "packages"])
    for (const entry of readdirSync(join(root, folder), { recursive: folder === "src", withFileTypes: true }))
      if (entry.isFile()) add(join(entry.parentPath, entry.name));
  add(join(root, "node_modules", ".package-lock.json"));
  return hash.digest("hex").slice(0, 16);
}

async function build(folder) {
  const { bundleCheckout } = await import("../packages/bundling.ts");
  const building = mkdtempSync(join(cache, "building-"));
  try {
    await bundleCheckout(building);
    renameSync(building, folder);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
  const programs = readdirSync(cache).flatMap((name) =>
    name.startsWith("program-") ? [join(cache, name)] : [],
  );
  const byAge = programs.toSorted((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const path of byAge.slice(keptPrograms)) rmSync(path, { recursive: true, force: true });
}

/**
 * The address of the module to run: the program in few files, or the sources where it cannot be built, as
 * without the development packages or in a folder that is read only.
 */
export async function checkoutProgram() {
  const flags = [...process.execArgv, ...(process.env.NODE_OPTIONS?.split(" ") ?? [])];
  if (process.env.NODE_V8_COVERAGE !== undefined || flags.some((flag) => watchesSources.test(flag)))
    return sources;
  try {
    const folder = join(cache, `program-${digestOfSources()}`);
    const program = join(folder, "main.mjs");
    if (!existsSync(program)) await build(folder);
    return pathToFileURL(program).href;
  } catch {
    return sources;
  }
}
