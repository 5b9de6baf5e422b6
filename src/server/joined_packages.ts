/**
 * If the installed packages differ from those bundled with the server (`packages/joining.ts`), Node.js loads
 * the installed ones.
 */
import { accessSync, constants, existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { digestOfParts } from "../crypto/digest.ts";
import { once } from "../lazily.ts";

/** `pinned`: dependencies with an exact version and no dependencies of their own. `ranged`: all others. */
export type JoinedKind = "pinned" | "ranged";

export interface JoinedPackages {
  readonly names: readonly string[];
  /**
   * Pairs of packages of which the first imports the second, as indexes in `names`. The index -1 is Postern.
   */
  readonly edges: readonly (readonly [from: number, to: number])[];
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

/** Returns a digest over the listed files of each package. */
export function digestOf(files: JoinedPackages["files"], folders: readonly string[]): string {
  return digestOfParts(contentsOf(files, folders));
}

function folderOf(name: string, from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const found = join(folder, "node_modules", name);
    if (existsSync(join(found, "package.json"))) return realpathSync(found);
    if (dirname(folder) === folder) return undefined;
  }
}

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

function areInstalled(joined: JoinedPackages, own: string): boolean {
  const folders = foldersOf(joined, realpathSync(own));
  return folders !== undefined && digestOf(joined.files, folders) === joined.digest;
}

const code = {
  pinned: "joined/cli/whole_program.js",
  ranged: "joined/ranged.cjs",
} as const satisfies Readonly<Record<JoinedKind, string>>;

/** Without a usable bundle, Node.js loads the installed packages. */
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
 * Flags with which other code, such as telemetry, hooks into module loading, or with which stack traces refer
 * to source files. Both need the separate files.
 */
const hooks =
  /^(-r|--(import|require|loader|experimental-loader|enable-source-maps|experimental-(default-)?config-file))(?![\w-])/;

/** Returns the path, relative to `src`, of the bundled program; undefined if it cannot be used. */
export function joinedPath(src: string, flags: readonly string[]): string | undefined {
  if (flags.some((flag) => hooks.test(flag)) || !isUsable(src, "pinned")) return undefined;
  return `./${code.pinned}`;
}

/** Returns the bundled packages of kind `ranged`; undefined if they cannot be used. */
export const rangedPackages = once((): Readonly<Record<string, unknown>> | undefined => {
  const src = new URL("../", import.meta.url).href;
  return isUsable(src, "ranged") ? createRequire(src)(`./${code.ranged}`) : undefined;
});
