/** Which test file reaches which candidate: each runs once, and V8 counts. */
import { globSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "../support/temp.ts";
import type { Mutant } from "./operators.ts";
import { openResults } from "./results.ts";
import { cacheFile, inCopies, runTests, type Tree } from "./tree.ts";

export interface Reach {
  readonly file: string;
  /** What it took here: the patience with it, and nothing else, depends on them. */
  readonly seconds: number;
  readonly passed: boolean;
  /** Places of candidates in the list of the tree. */
  readonly reached: readonly number[];
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

/** Types are replaced by blanks before they run, so the offsets are those of the source. */
function isReached(ranges: readonly Range[], { start, end }: Mutant): boolean {
  const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= start && end <= endOffset);
  const size = ({ startOffset, endOffset }: Range) => endOffset - startOffset;
  const innermost = around.toSorted((a, b) => size(a) - size(b))[0];
  return innermost !== undefined && innermost.count > 0;
}

/** The candidates that the processes which wrote to the folder have run. */
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

/** Measures the files that have not passed yet with this tree; a run that was stopped goes on. */
export async function reachOf(tree: Tree, files: readonly string[]): Promise<Reach[]> {
  const { known, add } = openResults<Reach>(cacheFile(`reach-${tree.key}.jsonl`), ({ file }) => file);
  const byPath = new Map<string, (readonly [number, Mutant])[]>();
  for (const [at, mutant] of tree.candidates.entries()) {
    const list = byPath.get(mutant.path) ?? [];
    byPath.set(mutant.path, list);
    list.push([at, mutant]);
  }
  const missing = files.filter((file) => !known.get(file)?.passed);
  await inCopies(tree.copies.length, missing, async (file, at) => {
    const copy = tree.copies[at] ?? "";
    const folder = temporaryFolder();
    const started = performance.now();
    // Code from a cache is counted less exactly.
    const env = { NODE_V8_COVERAGE: folder, NODE_DISABLE_COMPILE_CACHE: "1" };
    const verdict = await runTests(tree, { copy, entry: join(copy, "test", file), limit: 300, env });
    const seconds = (performance.now() - started) / 1000;
    add({ file, seconds, passed: verdict === "passed", reached: reachedIn(folder, copy, byPath) });
    rmSync(folder, { recursive: true, force: true });
  });
  return files.flatMap((file) => known.get(file) ?? []);
}
