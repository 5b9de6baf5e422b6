/** A checkout of the project in the state of its last commit, with its copies, candidates and databases. */
import { execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";
import { parse } from "../../test/support/parsed_sources.ts";
import { temporaryFolder } from "../../test/support/temp.ts";
import { type Mutant, mutantsOf } from "./operators.ts";

export interface Tree {
  /** The abbreviated commit ID. */
  readonly name: string;
  /** One copy per job. Mutants are planted in copies, never in the checkout. */
  readonly copies: readonly string[];
  readonly candidates: readonly Mutant[];
  /** Paths of the fast test files below `test`. */
  readonly tests: readonly string[];
  /** A hash of the commit's files and the candidates. Measurements are valid only for this key. */
  readonly key: string;
  readonly env: NodeJS.ProcessEnv;
  readonly preloads: readonly string[];
  /** Removes the databases of the tests. */
  close(): Promise<void>;
}

export async function openTree(checkout: string, jobs: number): Promise<Tree> {
  const git = (...words: string[]) =>
    execFileSync("git", ["-C", checkout, "rev-parse", ...words], { encoding: "utf8" }).trim();
  const archive = execFileSync("git", ["-C", checkout, "archive", "HEAD"], { maxBuffer: 2 ** 30 });
  const copies = Array.from({ length: jobs }, () => {
    const copy = temporaryFolder();
    execFileSync("tar", ["-xC", copy], { input: archive });
    symlinkSync(join(checkout, "node_modules"), join(copy, "node_modules"));
    // The commit does not contain this folder, because `npm ci` generates it.
    const generated = join("src", "client", "generated");
    cpSync(join(checkout, generated), join(copy, generated), { recursive: true });
    return copy;
  });
  const [first = ""] = copies;
  const sources = new Map(
    globSync("**/*.ts", { cwd: join(first, "src") })
      .toSorted()
      .map((path) => [path, readFileSync(join(first, "src", path), "utf8")]),
  );
  const all = [...(await parse(sources))].flatMap(([path, file]) => mutantsOf(path, file));
  const named = Map.groupBy(all, ({ id }) => id);
  const candidates = all.filter(({ id }) => named.get(id)?.length === 1);
  const names = createHash("sha256").update(candidates.map(({ id }) => id).join("\n"));
  const support = (name: string) => import(pathToFileURL(join(first, "test/support", name)).href);
  const setup = await support("global_setup.ts");
  // The setup of the first tree starts PostgreSQL and sets its address in the environment. The setup of a
  // second tree creates its template database in the same PostgreSQL.
  await setup.globalSetup();
  return {
    name: git("--short", "HEAD"),
    copies,
    candidates,
    tests: globSync("**/*.test.ts", { cwd: join(first, "test") })
      .filter((path) => !path.endsWith(".long.test.ts") && !path.startsWith("mutants/"))
      .toSorted(),
    key: `${git("HEAD^{tree}")}-${names.digest("hex").slice(0, 16)}`,
    env: { ...process.env },
    preloads: (await support("preloads.ts")).preloads,
    close: () => setup.globalTeardown(),
  };
}

/** Milliseconds without output after which a test counts as hung. */
const longestTest = 100_000;

/**
 * Runs a test file, or a program with several. Ends it if it hangs and, unless `toEnd` is set, at the
 * first failure. Returns the indexes of the program's own suites and tests that failed, or that were
 * running when the process ended early.
 */
export async function runTests(
  tree: Tree,
  {
    copy,
    entry,
    env = {},
    toEnd = false,
  }: { copy: string; entry: string; env?: NodeJS.ProcessEnv; toEnd?: boolean },
): Promise<readonly number[]> {
  const [first = ""] = tree.copies;
  const preloads = tree.preloads.map((word) => word.replace(first, copy));
  const child = spawn(process.execPath, [...preloads, "--test-reporter=tap", entry], {
    cwd: copy,
    env: { ...tree.env, ...env },
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  const exited = once(child, "exit");
  // A negative process ID signals the whole process group, so that servers started by the tests end too.
  const end = () => {
    try {
      if (child.pid) process.kill(-child.pid, "SIGKILL");
    } catch {
      // All of them have already exited.
    }
  };
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    end();
  }, longestTest);
  let begun = 0;
  const failed = new Set<number>();
  for await (const line of createInterface(child.stdout)) {
    timer.refresh();
    if (line.startsWith("# Subtest: ")) begun += 1;
    if (!/^ *not ok \d+(?!.*# (?:TODO|SKIP))/.test(line)) continue;
    failed.add(begun - 1);
    if (!toEnd) end();
  }
  const [code] = await exited;
  clearTimeout(timer);
  if (isLate || (code !== 0 && failed.size === 0)) failed.add(Math.max(0, begun - 1));
  return [...failed];
}

/** Runs the work on each item, with as many items at a time as the tree has copies. */
export async function inCopies<T>(
  count: number,
  items: readonly T[],
  work: (item: T, copy: number) => Promise<void>,
): Promise<void> {
  const left = [...items];
  const workers = Array.from({ length: count }, async (_, copy) => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item, copy);
  });
  await Promise.all(workers);
}

/** Results are kept in the cache of this checkout. */
export function cacheFile(name: string): string {
  const folder = join(import.meta.dirname, "../../node_modules/.cache/mutants");
  mkdirSync(folder, { recursive: true });
  return join(folder, name);
}
