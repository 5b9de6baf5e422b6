/** Determines which candidates each test file runs, by running each file once with V8's coverage. */
import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { batchesOf } from "../../test/support/batches.ts";
import { temporaryFolder } from "../../test/support/temp.ts";
import type { Mutant } from "./operators.ts";
import { openResults } from "./results.ts";
import { cacheFile, inCopies, runTests, type Tree } from "./tree.ts";

export interface Reach {
  readonly file: string;
  readonly passed: boolean;
  /** Indexes in the tree's list of candidates. */
  readonly reached: readonly number[];
  /** Candidates that ran while the file and others of its process were loaded. */
  readonly loaded: readonly number[];
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Script {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}

/** Types are replaced by spaces before the code runs, so its offsets are equal to those of the source. */
function isReached(ranges: readonly Range[], { start, end }: Mutant): boolean {
  const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= start && end <= endOffset);
  const size = ({ startOffset, endOffset }: Range) => endOffset - startOffset;
  const innermost = around.toSorted((a, b) => size(a) - size(b))[0];
  return innermost !== undefined && innermost.count > 0;
}

/** Returns the candidates that were run by processes with coverage in this folder. */
function reachedIn(
  folder: string,
  copy: string,
  byPath: ReadonlyMap<string, readonly (readonly [number, Mutant])[]>,
) {
  const reached = new Set<number>();
  const base = `${pathToFileURL(join(copy, "src")).href}/`;
  for (const name of globSync("*.json", { cwd: folder })) {
    const { result }: { result: readonly Script[] } = JSON.parse(readFileSync(join(folder, name), "utf8"));
    for (const { url, functions } of result) {
      const ours = url.startsWith(base) ? byPath.get(url.slice(base.length)) : undefined;
      const ranges = functions.flatMap((each) => each.ranges);
      for (const [at, mutant] of ours ?? []) if (isReached(ranges, mutant)) reached.add(at);
    }
  }
  return [...reached].toSorted((a, b) => a - b);
}

/**
 * Number of files per process, because loading the server takes as long as the tests of a file. Work that
 * is done once per process is attributed to the first file that needs it.
 */
const together = 12;

const loading = "loading";

/**
 * Returns a program that loads the files, and writes the coverage of loading and of each file to a folder
 * named by its index.
 */
function entryText(paths: readonly string[], at_end: string): string {
  const text = (path: string) => JSON.stringify(pathToFileURL(path).href);
  const suites = paths.map(
    (path, at) => `describe("${at}", async () => {
  const declared = declareFile("${at}", () => import(${text(path)}));
  all.push(declared);
  await declared;
  after(() => counted("${at}"));
});
`,
  );
  return `import { after, describe, test } from "node:test";
import { counted } from ${text(join(import.meta.dirname, "counted.ts"))};
import { declareFile } from ${text(at_end)};
const all = [];
test("${loading}", async () => {
  await Promise.all(all);
  counted("${loading}");
});
${suites.join("")}`;
}

/** Measures the files that have not passed with this tree yet. An interrupted run resumes. */
export async function reachOf(tree: Tree, files: readonly string[]): Promise<Reach[]> {
  const { known, add } = openResults<Reach>(cacheFile(`reach-${tree.key}.jsonl`), ({ file }) => file);
  const byPath = new Map<string, (readonly [number, Mutant])[]>();
  for (const [at, mutant] of tree.candidates.entries()) {
    const list = byPath.get(mutant.path) ?? [];
    byPath.set(mutant.path, list);
    list.push([at, mutant]);
  }
  const missing = batchesOf(files.filter((file) => !known.get(file)?.passed)).flatMap((batch) =>
    Array.from({ length: Math.ceil(batch.length / together) }, (_, at) =>
      batch.slice(at * together, (at + 1) * together),
    ),
  );
  await inCopies(tree.copies.length, missing, async (batch, at) => {
    const copy = tree.copies[at] ?? "";
    const folder = temporaryFolder();
    const entry = join(folder, "entry.mjs");
    const paths = batch.map((file) => join(copy, "test", file));
    writeFileSync(entry, entryText(paths, join(copy, "test/support/at_end.ts")));
    // Coverage of code from the compile cache is less precise.
    const env = { NODE_V8_COVERAGE: folder, NODE_DISABLE_COMPILE_CACHE: "1" };
    const failed = await runTests(tree, { copy, entry, env, toEnd: true });
    const loaded = reachedIn(join(folder, loading), copy, byPath);
    for (const [place, file] of batch.entries()) {
      const own = join(folder, String(place));
      const passed = existsSync(own) && !failed.includes(place + 1);
      add({ file, passed, reached: reachedIn(own, copy, byPath), loaded });
    }
    rmSync(folder, { recursive: true, force: true });
  });
  return files.flatMap((file) => known.get(file) ?? []);
}
