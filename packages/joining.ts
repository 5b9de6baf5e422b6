/**
 * Bundles the modules and packages that `serve` loads into two files, because loading files takes most of
 * the startup time.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, isAbsolute, join, posix, relative } from "node:path";
import { type BuildOptions, build as bundle, type Metafile, type Plugin } from "esbuild";
import { digestOf, type JoinedKind, type JoinedPackages } from "../src/server/joined_packages.ts";
import { bundleOptions, inAscii, leanFastify, leanNode, packageFolder } from "./bundling.ts";
import { root } from "./packing.ts";

/** The modules loaded by a start on SQLite, below `src/`; `main.ts` imports the first. */
const start = [
  "cli/whole_program.ts",
  "cli/serve.ts",
  "server/serve.ts",
  "storage/store.ts",
  "crypto/sealing.ts",
  "crypto/passwords.ts",
  "crypto/credentials.ts",
] as const;

/** Never bundled: native code, and the database driver, which an installation with SQLite does not need. */
const neverJoined = ["pg", "@node-rs/argon2"] as const;

/** Modules that packages load only for features that Postern does not use. */
const unused: Readonly<Record<string, readonly string[]>> = {
  fastify: ["@fastify/ajv-compiler", "@fastify/fast-json-stringify-compiler", "light-my-request"],
};

/** Returns `@fastify/cookie` for `@fastify/cookie/plugin`. */
function packageName(specifier: string): string {
  return /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

const nameOfFolder = (folder: string): string => folder.replace(/^.*node_modules\//, "");

/**
 * Leaves out the modules in `unused`. They are resolved from the location of the package that depends on
 * them.
 */
const unusedParts: Plugin = {
  name: "what is never used",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^[^./]/ }, ({ path, importer }) => {
      const from = nameOfFolder(packageFolder(importer) ?? "");
      if (!unused[from]?.includes(packageName(path))) return undefined;
      return { path: `${from}|${path}`, namespace: "unused" };
    });
    onLoad({ filter: /./, namespace: "unused" }, ({ path }) => {
      const [from, name] = path.split("|").map((each) => JSON.stringify(each));
      return {
        contents: `const { createRequire } = require("node:module");
const own = createRequire(__filename);
module.exports = createRequire(own.resolve(${from}))(${name});`,
        loader: "js",
      };
    });
  },
};

/**
 * Resolves this project's imports of packages. `pinned` packages are bundled into the same file. `ranged`
 * packages are read from the other file, or from `node_modules` if `rangedPackages` returns nothing. All
 * other packages are read from `node_modules`.
 */
function packagesOfOurs(pinned: Names, ranged: Names): Plugin {
  return {
    name: "packages",
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^[^./]/ }, ({ path, importer, kind, namespace }) => {
        if (kind === "entry-point" || isBuiltin(path) || packageFolder(importer) !== undefined)
          return undefined;
        if (pinned.has(path) || pinned.has(packageName(path))) return undefined;
        if (namespace === "ranged" || !ranged.has(path)) return { path, external: true };
        return { path, namespace: "ranged" };
      });
      onLoad({ filter: /./, namespace: "ranged" }, ({ path }) => ({
        contents: `const { rangedPackages } = require(${JSON.stringify(joinedPackages)});
module.exports = rangedPackages()?.[${JSON.stringify(path)}] ?? require(${JSON.stringify(path)});`,
        loader: "js",
        resolveDir: root,
      }));
    },
  };
}

const isOwn = (path: string): boolean => /[\\/]src[\\/].*\.ts$/.test(path) && !path.includes("node_modules");

/**
 * Makes every dynamically imported module import all modules of the start, so their shared code is one file.
 * A module of the start would then import itself, so each is wrapped in a separate module.
 */
const wholeStart: Plugin = {
  name: "the start as a whole",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\.ts$/ }, ({ path, kind, resolveDir }) => {
      if (kind !== "dynamic-import" && kind !== "entry-point") return undefined;
      // esbuild derives the names of chunks from these paths, and a build must not contain the path of its
      // folder.
      return { path: relative(root, isAbsolute(path) ? path : join(resolveDir, path)), namespace: "named" };
    });
    onLoad({ filter: /./, namespace: "named" }, ({ path }) => ({
      contents: [...start.map((name) => join(root, "src", name)), join(root, path)]
        .map((each, index) => `${index < start.length ? "import" : "export * from"} ${JSON.stringify(each)};`)
        .join("\n"),
      resolveDir: dirname(join(root, path)),
    }));
  },
};

/** Loads this project's sources, each with its original address as `import.meta.url`. */
const ownSources: Plugin = {
  name: "sources of the project",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path, namespace }) => {
      if (!isOwn(path) || namespace !== "file") return undefined;
      const name = relative(join(root, "src"), path).replaceAll("\\", "/");
      // The catalogs are in the bundle too, and must be loaded from it to share its modules. Other files next
      // to a source exist only at their usual address.
      const folder = name === "web/words/words.ts" ? "joined/" : "";
      const address = `$1${folder}${name.replace(/ts$/, "js")}`;
      const text = inAscii(readFileSync(path, "utf8")).replaceAll(
        "import.meta.url",
        `import.meta.url.replace(/(.*\\/src\\/).*/, ${JSON.stringify(address)})`,
      );
      return { contents: text, loader: "ts" };
    });
  },
};

type Names = ReadonlySet<string>;

const joinedPackages = join(root, "src", "server", "joined_packages.ts");

const options = { ...bundleOptions, metafile: true } satisfies BuildOptions;

/** Returns the packages that this project's modules import at startup. */
async function packagesAtStart(): Promise<string[]> {
  const { metafile } = await bundle({
    ...options,
    entryPoints: start.map((name) => join(root, "src", name)),
    format: "esm",
    splitting: true,
    packages: "external",
    write: false,
    outdir: "start",
  });
  const closure = new Set<string>();
  const found = new Set<string>();
  const waiting = start.map((name) => `src/${name}`);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (closure.has(path)) continue;
    closure.add(path);
    for (const { kind, external, path: imported } of metafile.inputs[path]?.imports ?? []) {
      if (kind === "dynamic-import") continue;
      if (external) found.add(imported);
      else waiting.push(imported);
    }
  }
  const never = new Set<string>(neverJoined);
  return [...found].filter((path) => !isBuiltin(path) && !never.has(packageName(path)));
}

/**
 * Returns whether the package has no dependencies. A package with dependencies may be installed with
 * later versions of them.
 */
function isPinned(name: string): boolean {
  const { dependencies = {} } = JSON.parse(
    readFileSync(join(root, "node_modules", name, "package.json"), "utf8"),
  ) as { readonly dependencies?: object };
  return Object.keys(dependencies).length === 0;
}

/** Returns the installed packages that the file requires. */
function packagesIn({ inputs }: Metafile): JoinedPackages {
  const folders = [...new Set(Object.keys(inputs).flatMap((path) => packageFolder(path) ?? []))].toSorted();
  const indexOf = (path: string): number => folders.indexOf(packageFolder(path) ?? "");
  const edges = Object.entries(inputs).flatMap(([path, { imports }]) =>
    imports
      .filter((each) => !each.external && indexOf(each.path) !== -1 && indexOf(each.path) !== indexOf(path))
      .map((each) => `${indexOf(path)} ${indexOf(each.path)}`),
  );
  const files = folders.map((folder) => {
    const own = Object.keys(inputs).filter((path) => packageFolder(path) === folder);
    return ["package.json", ...own.map((path) => posix.relative(folder, path))].toSorted();
  });
  const description = {
    names: folders.map(nameOfFolder),
    edges: [...new Set(edges)].map((edge) => edge.split(" ").map(Number) as [number, number]),
    files,
  };
  const places = folders.map((folder) => join(root, folder));
  return { ...description, digest: digestOf(files, places) };
}

function writeDescription(out: string, kind: JoinedKind, metafile: Metafile): void {
  writeFileSync(join(out, "joined", `${kind}.json`), JSON.stringify(packagesIn(metafile)));
}

/**
 * Writes two files below `joined/` in `out` and returns their contents. One is the server with the packages
 * that have a fixed version and no dependencies. The other has the packages of which an installation may have
 * later versions.
 */
export async function joinServer(out: string): Promise<Metafile[]> {
  const found = await packagesAtStart();
  const pinned = new Set(found.filter((path) => isPinned(packageName(path))));
  const ranged = new Set(found.filter((path) => !pinned.has(path)));
  const catalogues = globSync("web/words/*/{catalogue,management}.ts", { cwd: join(root, "src") });
  const names = [start[0], ...catalogues.map((name) => name.replaceAll("\\", "/"))];
  const server = await bundle({
    ...options,
    entryPoints: names.map((name) => ({
      in: join(root, "src", name),
      out: `joined/${name.replace(/\.ts$/, "")}`,
    })),
    format: "esm",
    splitting: true,
    outdir: out,
    chunkNames: "joined/parts/[name]-[hash]",
    banner: {
      js: `import { createRequire as joined_require } from "node:module";
const require = joined_require(import.meta.url);`,
    },
    plugins: [wholeStart, ownSources, packagesOfOurs(pinned, ranged), leanNode],
  });
  const others = await bundle({
    ...options,
    stdin: {
      contents: [...ranged]
        .map((path) => JSON.stringify(path))
        .map((name) => `exports[${name}] = require(${name});`)
        .join("\n"),
      resolveDir: root,
    },
    format: "cjs",
    outfile: join(out, "joined", "ranged.cjs"),
    plugins: [unusedParts, leanFastify],
  });
  writeDescription(out, "pinned", server.metafile);
  writeDescription(out, "ranged", others.metafile);
  return [server.metafile, others.metafile];
}
