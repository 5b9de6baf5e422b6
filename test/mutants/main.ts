/** `npm run test:mutants`: plants faults into the sources and sees whether the fast tests catch them. */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { draw, roomOf, rooms } from "./draw.ts";
import { type Judgement, judge } from "./judge.ts";
import { type Mutant, planted } from "./operators.ts";
import { reachOf } from "./reach.ts";
import { cacheFile, inCopies, openTree, type Tree } from "./tree.ts";

const usage = `Plants faults into the last commit's src, one at a time, and runs the fast tests that reach each.

npm run test:mutants [-- OPTIONS]

  --seed TEXT      which mutants are drawn (1)
  --count N        how many (200)
  --room ROOM      one of ${rooms.join(", ")}; all in equal parts
  --only N         the N-th mutant alone, counted from 1
  --jobs N         at a time, 1 or 2 (2)
  --tests ROOMS    rooms whose test files judge, with commas (the room of the mutant and http, interop, attacks)
  --budget N       seconds of test files that a mutant is judged by, as measured for the map of what reaches it (40)
  --against DIR    an older checkout with its node_modules: each mutant is planted in both

Results are appended to node_modules/.cache/mutants: a run that was stopped goes on.
Exit code 1 if the last commit catches fewer than the older one.
`;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "200" },
    room: { type: "string" },
    only: { type: "string" },
    jobs: { type: "string", default: "2" },
    tests: { type: "string" },
    budget: { type: "string", default: "40" },
    against: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const budget = Number(values.budget);
const among = rooms.filter((room) => values.room === undefined || values.room === room);
const judging = values.tests?.split(",") ?? [...among, "http", "interop", "attacks"];

/** What the tests of the tree say to each mutant, by its id. */
async function judgeAll(tree: Tree, mutants: readonly Mutant[]): Promise<Map<string, Judgement>> {
  const started = performance.now();
  const reach = await reachOf(
    tree,
    tree.tests.filter((file) => judging.includes(roomOf(file))),
  );
  const spent = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${reach.length} test files: what they reach is known after ${spent} s`);
  for (const { file, passed } of reach)
    if (!passed) console.log(`fails without a mutant, not asked: ${file}`);
  const cache = cacheFile(`judged-${tree.key}-${judging.join("_")}-${budget}.jsonl`);
  const lines = existsSync(cache) ? readFileSync(cache, "utf8").trim().split("\n") : [];
  const known = new Map(lines.map((line): [string, Judgement] => [JSON.parse(line).id, JSON.parse(line)]));
  const missing = mutants.filter(({ id }) => !known.has(id));
  await inCopies(tree.copies.length, missing, async (mutant, at) => {
    const judgement = await judge(tree, { mutant, reach, budget, copy: tree.copies[at] ?? "" });
    known.set(mutant.id, judgement);
    appendFileSync(cache, `${JSON.stringify({ id: mutant.id, ...judgement })}\n`);
    console.log(
      `${judgement.caught ? "caught" : "NOT   "} ${judgement.seconds.toFixed(1)} s ${mutant.path}:${mutant.line} ${mutant.operator} (${judgement.how})`,
    );
  });
  return known;
}

function report(mutants: readonly Mutant[], judged: readonly Map<string, Judgement>[], tree: Tree): void {
  const caught = ({ id }: Mutant) => judged.map((verdicts) => verdicts.get(id)?.caught === true);
  const groups: Readonly<Record<string, string>> =
    judged.length === 1
      ? { true: "caught", false: "not caught" }
      : { "true,true": "both", "false,true": "only old", "true,false": "only new", "false,false": "neither" };
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
    const how = judged.map((verdicts) => verdicts.get(mutant.id)?.how).join(" / ");
    console.log(
      `src/${mutant.path}:${mutant.line} ${mutant.operator}, ${groups[String(caught(mutant))]} (${how})`,
    );
    console.log(`  - ${text.slice(mutant.start, mutant.end)}\n  + ${mutant.replacement}`);
  }
}

if (values.help) process.stdout.write(usage);
else {
  const checkouts = [
    resolve(import.meta.dirname, "../.."),
    ...(values.against ? [resolve(values.against)] : []),
  ];
  const trees: Tree[] = [];
  try {
    for (const checkout of checkouts) trees.push(await openTree(checkout, Math.min(2, Number(values.jobs))));
    const [tree, ...others] = trees as [Tree, ...Tree[]];
    const named = others.map(({ candidates }) => new Set(candidates.map(({ id }) => id)));
    const shared = tree.candidates.filter(({ id }) => named.every((ids) => ids.has(id)));
    const textOf = (path: string) => readFileSync(join(tree.copies[0] ?? "", "src", path), "utf8");
    const drawn = draw(shared, { seed: values.seed, count: 2 * Number(values.count), among })
      .filter((mutant) => planted(textOf(mutant.path), mutant) !== undefined)
      .slice(0, Number(values.count));
    const mutants = values.only ? drawn.slice(Number(values.only) - 1, Number(values.only)) : drawn;
    console.log(
      `${mutants.length} mutants of ${shared.length} (${tree.candidates.length} in the last commit)`,
    );
    const judged: Map<string, Judgement>[] = [];
    for (const each of trees) judged.push(await judgeAll(each, mutants));
    report(mutants, judged, tree);
    const total = (verdicts: Map<string, Judgement> | undefined) =>
      mutants.filter(({ id }) => verdicts?.get(id)?.caught).length;
    if (judged.length > 1 && total(judged[0]) < total(judged[1])) process.exitCode = 1;
  } finally {
    for (const each of trees.toReversed()) await each.close();
  }
}
