/** Determines whether the fast tests of a checkout detect a mutant. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { batchesOf, entryOf } from "../../test/support/batches.ts";
import { roomOf } from "./draw.ts";
import { type Mutant, planted } from "./operators.ts";
import type { Reach } from "./reach.ts";
import { openResults, type Results } from "./results.ts";
import { cacheFile, inCopies, runTests, type Tree } from "./tree.ts";

export interface Judgement {
  readonly id: string;
  /** The test file that fails with the mutant and passes without it. */
  readonly caughtBy?: string;
  /** Test files that pass with the mutant, or also fail without it. */
  readonly requested: readonly string[];
  /** Number of test files that run the mutated code. */
  readonly reaching: number;
}

/**
 * Returns the test files that are run for a mutant, in order: half of them from the mutant's top-level
 * folder, then from all folders. In both parts, those that run the fewest candidates are first. Measured
 * times are not used, so that the files are the same on all machines.
 */
export function judgesOf(mutant: Mutant, reaching: readonly Reach[], count: number): string[] {
  const bySpecificity = reaching.toSorted(
    (a, b) => a.reached.length - b.reached.length || (a.file < b.file ? -1 : 1),
  );
  const near = bySpecificity
    .filter(({ file }) => roomOf(file) === roomOf(mutant.path))
    .slice(0, Math.ceil(count / 2));
  return [...new Set([...near, ...bySpecificity])].slice(0, count).map(({ file }) => file);
}

/**
 * Runs the test files that an earlier run has not run. Files of one batch share a process; the batch with the
 * first file is first.
 */
export async function judge(
  { id }: Mutant,
  {
    judges,
    reaching,
    known,
    run,
  }: {
    judges: readonly string[];
    reaching: number;
    known: Judgement | undefined;
    /**
     * Runs files in one process, with the mutant or without it. Returns the index of the first that fails;
     * undefined if all pass.
     */
    run: (files: readonly string[], isPlanted: boolean) => Promise<number | undefined>;
  },
): Promise<Judgement> {
  const requested = [...(known?.requested ?? [])];
  const place = (file: string) => judges.indexOf(file);
  const batches = batchesOf(judges.filter((file) => !requested.includes(file)))
    .map((batch) => batch.toSorted((a, b) => place(a) - place(b)))
    .toSorted(([a = ""], [b = ""]) => place(a) - place(b));
  for (const batch of batches)
    for (let left = batch; left.length > 0; ) {
      const failed = await run(left, true);
      const ran = left.slice(0, failed === undefined ? left.length : failed + 1);
      // Runs the same files in the same order without the mutant, because an earlier file may cause the
      // last one to fail.
      const caughtBy = failed === undefined || (await run(ran, false)) !== undefined ? undefined : ran.at(-1);
      requested.push(...ran.filter((file) => file !== caughtBy));
      if (caughtBy) return { id, caughtBy, requested, reaching };
      left = left.slice(ran.length);
    }
  return { id, requested, reaching };
}

/** Returns the result of each mutant; `count` test files are run for each. An interrupted run resumes. */
export async function judgeAll(
  tree: Tree,
  mutants: readonly Mutant[],
  { reach, count, progress }: { reach: readonly Reach[]; count: number; progress: (line: string) => void },
): Promise<Results<Judgement>["known"]> {
  const results = openResults<Judgement>(cacheFile(`judged-${tree.key}.jsonl`), ({ id }) => id);
  const places = new Map(tree.candidates.map((mutant, at) => [mutant.id, { own: mutant, at }]));
  const work = mutants.flatMap(({ id }) => {
    const { own, at = -1 } = places.get(id) ?? {};
    if (!own) return [];
    const passing = reach.filter(({ passed }) => passed);
    const running = passing.filter(({ reached }) => reached.includes(at));
    // If no test runs the code, the test files that import it are used.
    const reaching = running.length > 0 ? running : passing.filter(({ loaded }) => loaded.includes(at));
    const judges = judgesOf(own, reaching, count);
    const known = results.known.get(id);
    const isDone = known && (known.caughtBy || judges.every((file) => known.requested.includes(file)));
    return isDone ? [] : [{ mutant: own, judges, reaching: reaching.length, known }];
  });
  let done = mutants.length - work.length;
  await inCopies(tree.copies.length, work, async ({ mutant, ...rest }, at) => {
    const copy = tree.copies[at] ?? "";
    const path = join(copy, "src", mutant.path);
    const text = readFileSync(path, "utf8");
    const run = async (files: readonly string[], isPlanted: boolean) => {
      const entry = entryOf(files, { tests: join(copy, "test"), folder: join(copy, "test-batches") });
      if (isPlanted) writeFileSync(path, planted(text, mutant) ?? text);
      try {
        const [failed] = await runTests(tree, { copy, entry });
        return failed === undefined || files.length > 1 ? failed : 0;
      } finally {
        writeFileSync(path, text);
      }
    };
    const judgement = await judge(mutant, { ...rest, run });
    results.add(judgement);
    done += 1;
    progress(
      `${done}/${mutants.length} src/${mutant.path}:${mutant.line} ${mutant.operator}: ${said(judgement)}`,
    );
  });
  return results.known;
}

/** Returns the result of a mutant as a short text. */
export function said(judgement: Judgement | undefined): string {
  if (judgement?.caughtBy) return `caught by ${judgement.caughtBy}`;
  return judgement ? `missed by ${judgement.requested.length} of ${judgement.reaching} files` : "not judged";
}
