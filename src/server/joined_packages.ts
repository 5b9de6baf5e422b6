/**
 * Whether the installed packages are those that the files of the server were made of (`packages/joining.ts`):
 * a package that was updated or patched is loaded as it is installed.
 */
import { accessSync, constants, existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { digestOfParts } from "../crypto/digest_of_parts.ts";
import { once } from "../lazily.ts";

/** Packages of one version that need no others, and those of which an installation may bring later ones. */
export type JoinedKind = "pinned" | "ranged";

export interface JoinedPackages {
  readonly names: readonly string[];
  /** Which package imports which, by their places in `names`; -1 is Postern. */
  readonly edges: readonly (readonly [from: number, to: number])[];
  /** The files of each package that are in the one file, and its `package.json`. */
  readonly files: readonly (readonly string[])[];
  readonly digest: string;
}

function* contentsOf(files: JoinedPackages["files"], folders: readonly string[]) {
  for (const [index, names] of files.entries())
    for (const name of names) {
      const content = readFileSync(join(folders[index] ?? "", name));
      yield `${index} ${name} ${content.length}\n`;
      yield content;
    }
}

/** The digest of the files of the packages in these folders. Throws where one is missing. */
export function digestOf(files: JoinedPackages["files"], folders: readonly string[]): string {
  return digestOfParts(contentsOf(files, folders));
}

/** The folder of a package as Node would find it from another folder. */
function folderOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    if (existsSync(join(found, "package.json"))) return realpathSync(found);
    if (dirname(folder) === folder) return undefined;
  }
}

/** Where the packages are, from Postern's folder on; undefined where one is missing or there twice. */
function foldersOf({ names, edges }: JoinedPackages, own: string): readonly string[] | undefined {
  const folders = new Map<number, string>([[-1, own]]);
  const waiting = [-1];
  for (let from = waiting.pop(); from !== undefined; from = waiting.pop())
    for (const [, to] of edges.filter((edge) => edge[0] === from)) {
      const folder = folderOf(names[to] ?? "", folders.get(from) ?? own);
      const known = folders.get(to);
      if (folder === undefined || (known !== undefined && known !== folder)) return undefined;
      if (known !== undefined) continue;
      folders.set(to, folder);
      waiting.push(to);
    }
  return names.map((_, index) => folders.get(index) ?? "");
}

/** Whether all packages are installed with the same content, seen from this folder. Throws without one. */
function areInstalled(joined: JoinedPackages, own: string): boolean {
  const folders = foldersOf(joined, realpathSync(own));
  return folders !== undefined && digestOf(joined.files, folders) === joined.digest;
}

/** The code of each kind, below `src/`. */
const code = {
  pinned: "joined/cli/whole_program.js",
  ranged: "joined/ranged.cjs",
} as const satisfies Readonly<Record<JoinedKind, string>>;

/**
 * Whether the folder `src/` of this address has the file of these packages, and they are installed. What is
 * missing, damaged or may not be read counts for nothing: packages are loaded as they are installed then.
 */
function isUsable(src: string, kind: JoinedKind): boolean {
  try {
    accessSync(new URL(code[kind], src), constants.R_OK);
    const description = readFileSync(new URL(`joined/${kind}.json`, src), "utf8");
    return areInstalled(JSON.parse(description), dirname(fileURLToPath(new URL(".", src))));
  } catch {
    return false;
  }
}

/**
 * Flags of Node by which something else sees what is loaded, such as telemetry of others, or by which traces
 * are to name our sources: the one file has no map. A file of settings may hold any of them.
 */
const hooks =
  /^(-r|--(import|require|loader|experimental-loader|enable-source-maps|experimental-(default-)?config-file))(?![\w-])/;

/**
 * The program of the one file, below the folder `src/` of this address; undefined where packages are others
 * than in the file, where there is none, or where a flag of Node (`nodeFlags`) asks for files as they are
 * installed.
 */
export function joinedPath(src: string, flags: readonly string[]): string | undefined {
  if (flags.some((flag) => hooks.test(flag)) || !isUsable(src, "pinned")) return undefined;
  return `./${code.pinned}`;
}

/** The other packages out of their file; undefined where one of them was installed in another version. */
export const rangedPackages = once((): Readonly<Record<string, unknown>> | undefined => {
  const src = new URL("../", import.meta.url).href;
  return isUsable(src, "ranged") ? createRequire(src)(`./${code.ranged}`) : undefined;
});
