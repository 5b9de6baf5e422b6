/**
 * Bundles a checkout's program into a few files and rebuilds it when a source changes. Without this,
 * loading some 1,600 separate files would take most of the startup time.
 */
const { createHash } = process.getBuiltinModule("node:crypto");
const { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } =
  process.getBuiltinModule("node:fs");
const { join } = process.getBuiltinModule("node:path");
const { fileURLToPath, pathToFileURL } = process.getBuiltinModule("node:url");

const root = fileURLToPath(new URL("..", import.meta.url));
const cache = join(root, "node_modules", ".cache", "postern");
const sources = pathToFileURL(join(root, "src", "main.ts")).href;

/** A running server may load parts of its own, older program later, so recent programs are kept. */
const keptPrograms = 3;

/** Options of Node that concern single source files, so the sources themselves are run. */
const watchesSources = /^--(inspect|cpu-prof|enable-source-maps|import|require|loader|watch)/;

/**
 * Returns a value that changes with each file of the program (size or modification time) and with each
 * installed package version.
 */
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
 * Returns the address of the module to run: the bundled program, or the sources if the bundle cannot be
 * built, as without development packages or in a read-only folder.
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
