import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { draw } from "../../tools/mutants/draw.ts";
import { type Mutant, mutantsOf, planted } from "../../tools/mutants/operators.ts";
import { parse } from "../support/parsed_sources.ts";

const source = `import { f } from "./f.ts";
const outside = 1;
type Kind = "a" | "b";
// if (comment) return;
export async function g(n: number, kind: Kind) {
  if (n < 2) return "one";
  if (!kind) throw new Error("no kind");
  await f(n, kind);
  db.selectFrom("users").where("id", "=", n).execute();
  return sql\`SELECT 1 WHERE a = \${n} AND b = \${kind}\`;
}
`;

const path = "oauth/g.ts";
const file = (await parse(new Map([[path, source]]))).get(path);
assert.ok(file);
const mutants = mutantsOf(path, file);

describe("mutations of the source code", () => {
  const changed: readonly (readonly [operator: string, from: string, to: string])[] = [
    ["negated condition", "if (n < 2)", "if (!(n < 2))"],
    ["changed comparison", "n < 2", "n <= 2"],
    ["changed constant", "n < 2)", "n < (2 + 1))"],
    ["changed constant", 'return "one"', 'return "one~"'],
    ["removed return", 'return "one";', ";"],
    ["removed throw", 'throw new Error("no kind");', ";"],
    ["removed call", "await f(n, kind);", ";"],
    ["swapped arguments", "f(n, kind)", "f(kind, n)"],
    ["dropped condition of SQL", '.where("id", "=", n)', ""],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a source is text here.
    ["dropped condition of SQL", "AND b = ${kind}", ""],
  ];
  for (const [operator, from, to] of changed)
    test(`mutation ${operator}: ${from}`, () => {
      const made = mutants.filter((mutant) => mutant.operator === operator).map((m) => planted(source, m));
      assert.ok(made.includes(source.replace(from, () => to)));
    });

  test("types, imports, comments, messages and top-level code are never mutated", () => {
    const first = source.indexOf("export async");
    assert.ok(mutants.length > changed.length);
    assert.ok(mutants.every(({ start }) => start > first));
    assert.ok(!mutants.some((m) => m.operator === "changed constant" && m.replacement.includes("no kind")));
  });

  test("a mutation that does not parse is not used", () => {
    const [mutant] = mutants;
    assert.ok(mutant);
    assert.equal(planted(source, { ...mutant, replacement: "((" }), undefined);
  });

  test("a mutant keeps its name when other code changes or its file moves", async () => {
    const later = `const more = () => f(1, 2);\n${source}`;
    const moved = "people/steps/g.ts";
    const other = (await parse(new Map([[moved, later]]))).get(moved);
    assert.ok(other);
    const names = new Set(mutantsOf(moved, other).map(({ id }) => id));
    assert.ok(mutants.every(({ id }) => names.has(id)));
  });
});

describe("the random selection of mutants", () => {
  const made = (room: string, at: number, operator: string): Mutant => {
    const id = `${room} ${at}`;
    return { id, path: `${room}/a.ts`, operator, start: 0, end: 0, replacement: "", line: 1 };
  };
  const all = ["oauth", "http"].flatMap((room) =>
    Array.from({ length: 60 }, (_, at) => made(room, at, at < 50 ? "common" : "rare")),
  );
  const drawn = (seed: string) => draw(all, { seed, count: 20, among: ["oauth", "http"] });

  test("is the same for the same seed and differs for another", () => {
    assert.deepEqual(drawn("1"), drawn("1"));
    assert.notDeepEqual(drawn("1"), drawn("2"));
  });

  test("selects from folders and operators in equal parts", () => {
    const count = (is: (mutant: Mutant) => boolean) => drawn("1").filter(is).length;
    assert.equal(
      count(({ path }) => path.startsWith("oauth/")),
      10,
    );
    assert.equal(
      count(({ operator }) => operator === "rare"),
      10,
    );
  });
});
