import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type BuildOptions, build as bundle, type Plugin, stop } from "esbuild";
import { root } from "./packing.ts";

/** Options of every bundle. Paths in bundles are relative to the project, also for linked packages. */
export const bundleOptions = {
  bundle: true,
  platform: "node",
  target: "node24",
  minifyWhitespace: true,
  lineLimit: 160,
  legalComments: "none",
  logLevel: "warning",
  absWorkingDir: root,
  preserveSymlinks: true,
} satisfies BuildOptions;

/**
 * Returns the folder of the package that contains a file, with `/` as the separator; undefined for this
 * project's own files.
 */
export function packageFolder(path: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path.replaceAll("\\", "/"))?.[0];
}

function replaced(text: string, pattern: string, by: string): string {
  if (!text.includes(pattern)) throw new Error(`${pattern} no longer exists, but the bundle needs it`);
  return text.replaceAll(pattern, by);
}

/**
 * Returns the source with `\uXXXX` in place of characters beyond ASCII. If a file contains a character beyond
 * Latin-1, V8 stores the whole file with two bytes per character, and esbuild does not escape such characters
 * in tagged templates.
 */
export function inAscii(source: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII contains the control characters.
  return source.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/**
 * Returns code that loads each catalog of translations by a constant name, so the bundle contains them. The
 * program itself computes these names at run time.
 */
function catalogues(): string {
  const names = globSync("*/{catalogue,management}.ts", { cwd: join(root, "src", "web", "words") });
  const cases = names.map((name) => {
    const path = JSON.stringify(`./${name.replaceAll("\\", "/")}`);
    return `case ${path}: return require(${path});`;
  });
  return `const read = (name: string): unknown => { switch (name) { ${cases.join(" ")} } };`;
}

/**
 * Keeps `import.meta.url` valid, so that each file still finds its neighboring files. Also bundles the
 * modules that are loaded by name. `urlOf` returns the expression for the address of a file of `src/`.
 */
export function ownFiles(urlOf: (name: string) => string): Plugin {
  return {
    name: "files of the project",
    setup({ onLoad }) {
      onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        if (path.includes("node_modules")) return undefined;
        const name = relative(join(root, "src"), path).replaceAll("\\", "/");
        let contents = readFileSync(path, "utf8");
        if (name === "web/words/words.ts")
          contents = replaced(contents, "const read = createRequire(import.meta.url);", catalogues());
        if (name === "crypto/password_rules.ts") {
          contents = replaced(contents, "const load = createRequire(import.meta.url);", "");
          contents = replaced(contents, "load(", "require(");
        }
        return { contents: inAscii(contents).replaceAll("import.meta.url", urlOf(name)), loader: "ts" };
      });
    },
  };
}

/**
 * Keeps `import.meta.url` valid in a bundle, which may be in any folder below a folder `src`. Files next to a
 * source have the same path there, relative to that folder.
 */
const addresses: Plugin = {
  name: "addresses of files",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      if (path.includes("node_modules")) return undefined;
      const text = inAscii(readFileSync(path, "utf8"));
      const name = relative(join(root, "src"), path).replaceAll("\\", "/").replace(/ts$/, "js");
      const address = `import.meta.url.replace(/(.*\\/src\\/).*/, ${JSON.stringify(`$1${name}`)})`;
      return { contents: text.replaceAll("import.meta.url", address), loader: "ts" };
    });
  },
};

/** Modules of Node that are loaded at the first call of one of their functions. TLS alone takes 4 MB. */
const loadedByCalls: ReadonlySet<string> = new Set(["node:dgram", "node:https", "node:tls", "node:zlib"]);

/** The files whose imports of Node's modules `leanNode` changes, below the project's folder. */
const leanFiles = ["src/**/*.ts", "node_modules/commander/lib/*.js"];

/** Returns the names that these files import from each of Node's modules. */
function importedNames(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const name of globSync(leanFiles, { cwd: root }))
    for (const [, list = "", path = ""] of readFileSync(join(root, name), "utf8").matchAll(
      /^import [^;{]*\{([^}]*)\} from ["'](node:[^"']+)["'];$/gm,
    )) {
      const names = list.split(",").map((each) => each.trim().replace(/ as .*/, ""));
      const known = found.get(path) ?? new Set();
      for (const each of names) if (each !== "" && !each.startsWith("type ")) known.add(each);
      found.set(path, known);
    }
  return found;
}

/**
 * Imports only the names that are used from Node's modules. An import statement makes Node evaluate every
 * export, which loads further modules: for example, `node:http` loads its WebSocket client.
 */
export const leanNode: Plugin = {
  name: "modules of Node",
  setup({ onResolve, onLoad }) {
    const names = importedNames();
    onResolve({ filter: /^node:/ }, ({ path, kind, importer }) =>
      kind === "import-statement" && /^(?!.*node_modules(?!.commander))/.test(importer)
        ? { path, namespace: "lean" }
        : undefined,
    );
    onLoad({ filter: /./, namespace: "lean" }, ({ path }) => {
      const used = [...(names.get(path) ?? [])];
      const module = `process.getBuiltinModule("${path}")`;
      const contents = loadedByCalls.has(path)
        ? used.map((name) => `export const ${name} = (...input) => ${module}.${name}(...input);`)
        : [`const module = ${module};`, "export default module;", `export const { ${used} } = module;`];
      return { contents: contents.join("\n") };
    });
  },
};

/**
 * Removes work that Fastify does at startup and that Postern does not need. HTTP/2 and TLS are not loaded.
 * The listeners of the routes are removed all at once, because removing each one searches through all of
 * them. The router compares short parts of a path in the same way as long ones, instead of compiling a
 * function for each.
 */
export const leanFastify: Plugin = {
  name: "fastify",
  setup({ onLoad }) {
    const change = (filter: RegExp, ...changes: readonly (readonly [string, string])[]) =>
      onLoad({ filter }, ({ path }) => ({
        contents: changes.reduce(
          (text, [pattern, by]) => replaced(text, pattern, by),
          readFileSync(path, "utf8"),
        ),
        loader: "js",
      }));
    change(
      /fastify[\\/]lib[\\/]server\.js$/,
      ["const http2 = require('node:http2')", "const http2 = undefined"],
      ["const https = require('node:https')", "const https = undefined"],
    );
    change(/fastify[\\/]lib[\\/]route\.js$/, ["avvio.once('preReady', ", "avvio.on('preReady', "]);
    change(/avvio[\\/]index\.js$/, [
      "this.emit('preReady')",
      "this.emit('preReady'); this.removeAllListeners('preReady')",
    ]);
    const least = "const LONG_PREFIX_MIN_LENGTH = ";
    change(/find-my-way[\\/]lib[\\/]node\.js$/, [`${least}16`, `${least}2`]);
  },
};

/**
 * Bundles the modules of `src/`, without packages, into a few files below `out`. Each entry (such as
 * `main` or `server/embedded`) keeps its name, and shared or lazily loaded code is next to it. Source
 * maps name `postern/src/…` and contain no source.
 */
export async function bundleSources(entries: readonly string[], out: string): Promise<void> {
  // Catalogs are loaded by a computed name. No import names them, so they must be entries of the bundle.
  const catalogues = globSync("web/words/*/{catalogue,management}.ts", { cwd: join(root, "src") });
  await bundle({
    ...bundleOptions,
    splitting: true,
    format: "esm",
    packages: "external",
    entryPoints: [...entries.map((name) => `${name}.ts`), ...catalogues].map((name) =>
      join(root, "src", name),
    ),
    outdir: out,
    outbase: join(root, "src"),
    chunkNames: "parts/[name]-[hash]",
    sourcemap: "linked",
    sourcesContent: false,
    sourceRoot: "postern/src",
    plugins: [addresses, leanNode],
  });
  for (const name of globSync("**/*.js.map", { cwd: out })) {
    const path = join(out, name);
    const map = JSON.parse(readFileSync(path, "utf8")) as { sources: string[] };
    const sources = map.sources.map((source) =>
      relative(join(root, "src"), resolve(dirname(path), source)).replaceAll("\\", "/"),
    );
    writeFileSync(path, JSON.stringify({ ...map, sources }));
  }
}

/**
 * Packages that every start loads: hundreds of modules, which take a quarter of the processor time of a
 * start.
 */
const packagesAtStart: ReadonlySet<string> = new Set([
  "@fastify/cookie",
  "commander",
  "fastify",
  "jose",
  "kysely",
  "pino",
  "uuid",
]);

/** Bundles these packages with their dependencies, and leaves all others where they are installed. */
const onlyPackagesAtStart: Plugin = {
  name: "packages of a start",
  setup({ onResolve }) {
    onResolve({ filter: /^[^./]/ }, ({ path, kind, importer }) => {
      if (kind === "entry-point" || packageFolder(importer) !== undefined) return undefined;
      const [name = path] = /^(?:@[^/]+\/)?[^/]+/.exec(path) ?? [];
      return packagesAtStart.has(name) ? undefined : { path, external: true };
    });
  },
};

/**
 * Bundles the program, with the packages that every start loads, into a few files below `out`, for this
 * checkout.
 */
export async function bundleCheckout(out: string): Promise<void> {
  await bundle({
    ...bundleOptions,
    logLevel: "silent",
    splitting: true,
    format: "esm",
    entryPoints: [join(root, "src", "main.ts")],
    outdir: out,
    // The output folder has no package.json that declares its files as modules, so their extension must do
    // that.
    outExtension: { ".js": ".mjs" },
    // The program loads the list of common passwords with `require`, which ES modules do not have.
    banner: {
      js: 'import { createRequire as requireFor } from "node:module"; const require = requireFor(import.meta.url);',
    },
    // The first plugin that resolves a name wins, so Node's modules come before all other names.
    plugins: [
      leanNode,
      leanFastify,
      onlyPackagesAtStart,
      ownFiles((name) => JSON.stringify(pathToFileURL(join(root, "src", name)).href)),
    ],
  });
  // Without this, esbuild's process would run until the started server ends.
  await stop();
}
