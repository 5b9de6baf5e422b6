/**
 * `npm run test:mutants`: plants mutants in the source code, and reports whether the fast tests detect
 * them.
 */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { draw, roomOf, rooms } from "./draw.ts";
import { type Judgement, judgeAll, said } from "./judge.ts";
import { type Mutant, planted } from "./operators.ts";
import { reachOf } from "./reach.ts";
import { openTree, type Tree } from "./tree.ts";

const usage = `Inserts mutants into src of the last commit, one at a time, and runs the fast tests that reach each one.

npm run test:mutants [-- OPTIONS]

  --seed TEXT        seed of the random selection of mutants (1)
  --count N          number of mutants (200)
  --room ROOM        one of ${rooms.join(", ")}; by default, all in equal parts
  --only N           only the N-th mutant, counted from 1
  --files N          test files to run for each mutant: the most specific ones that reach it (6)
  --without FOLDERS  comma-separated folders of test whose files are not run
  --jobs N           mutants at the same time, 1 or 2 (2)
  --against DIR      an older checkout with its node_modules: each mutant is inserted into both, first into the older one

A file catches a mutant if it fails with the mutant and passes without it.
Results are appended to node_modules/.cache/mutants: a repeated run continues a stopped one, and a run with more
test files runs only the new ones.
Exit code 1 if the last commit catches fewer mutants than the older one.
`;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "200" },
    room: { type: "string" },
    only: { type: "string" },
    files: { type: "string", default: "6" },
    without: { type: "string", default: "" },
    jobs: { type: "string", default: "2" },
    against: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const among = rooms.filter((room) => values.room === undefined || values.room === room);
const without = values.without.split(",");

type Judged = ReadonlyMap<string, Judgement>;

/** Returns the results of the mutants, by their IDs. */
async function judged(tree: Tree, mutants: readonly Mutant[]): Promise<Judged> {
  const progress = (line: string) => console.log(`${tree.name}: ${line}`);
  const started = performance.now();
  const reach = await reachOf(
    tree,
    tree.tests.filter((file) => !without.includes(roomOf(file))),
  );
  const spent = ((performance.now() - started) / 1000).toFixed(0);
  progress(`${reach.length} test files: what they reach is known after ${spent} s`);
  for (const { file, passed } of reach)
    if (!passed) progress(`not used, because it fails without a mutant: ${file}`);
  return await judgeAll(tree, mutants, { reach, count: Number(values.files), progress });
}

function report(mutants: readonly Mutant[], all: readonly Judged[], tree: Tree): void {
  const caught = ({ id }: Mutant) => all.map((each) => each.get(id)?.caughtBy !== undefined);
  const groups: Readonly<Record<string, string>> =
    all.length === 1
      ? { true: "caught", false: "not caught" }
      : { "true,true": "both", "true,false": "only old", "false,true": "only new", "false,false": "neither" };
  const rows = [...among, "all"].map((room) => {
    const ours = mutants.filter(({ path }) => room === "all" || roomOf(path) === room);
    const counts = Object.entries(groups).map(([of, name]) => [
      name,
      ours.filter((mutant) => String(caught(mutant)) === of).length,
    ]);
    return [room, Object.fromEntries(counts)];
  });
  console.table(Object.fromEntries(rows));
  for (const mutant of mutants.filter((each) => caught(each).includes(false))) {
    const text = readFileSync(join(tree.copies[0] ?? "", "src", mutant.path), "utf8");
    console.log(`src/${mutant.path}:${mutant.line} ${mutant.operator}: ${groups[String(caught(mutant))]}`);
    for (const each of all) console.log(`  ${said(each.get(mutant.id))}`);
    console.log(`  - ${text.slice(mutant.start, mutant.end)}\n  + ${mutant.replacement}`);
  }
}

if (values.help) process.stdout.write(usage);
else {
  const checkouts = [
    ...(values.against ? [resolve(values.against)] : []),
    resolve(import.meta.dirname, "../.."),
  ];
  const trees: Tree[] = [];
  try {
    for (const checkout of checkouts) trees.push(await openTree(checkout, Math.min(2, Number(values.jobs))));
    const [ours, ...others] = trees.toReversed() as [Tree, ...Tree[]];
    const named = others.map(({ candidates }) => new Set(candidates.map(({ id }) => id)));
    const shared = ours.candidates.filter(({ id }) => named.every((ids) => ids.has(id)));
    const textOf = (path: string) => readFileSync(join(ours.copies[0] ?? "", "src", path), "utf8");
    const drawn = draw(shared, { seed: values.seed, count: 2 * Number(values.count), among })
      .filter((mutant) => planted(textOf(mutant.path), mutant) !== undefined)
      .slice(0, Number(values.count));
    const mutants = values.only ? drawn.slice(Number(values.only) - 1, Number(values.only)) : drawn;
    console.log(
      `${mutants.length} mutants of ${shared.length} (${ours.candidates.length} in the last commit)`,
    );
    const all: Judged[] = [];
    for (const tree of trees) all.push(await judged(tree, mutants));
    report(mutants, all, ours);
    const [older = 0, newer = older] = all.map(
      (each) => mutants.filter(({ id }) => each.get(id)?.caughtBy).length,
    );
    if (newer < older) process.exitCode = 1;
  } finally {
    for (const each of trees.toReversed()) await each.close();
  }
}
