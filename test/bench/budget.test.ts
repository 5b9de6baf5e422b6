import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import {
  judge,
  newBudget,
  readBudget,
  suffixOfMembers,
  verdictTable,
} from "../../tools/bench/budget_verdict.ts";

const budget = { introspection: 2, refresh: 1.5 };
const overIn = (found: Readonly<Record<string, readonly number[]>>) =>
  judge(budget, new Map(Object.entries(found))).flatMap(({ route, over }) => (over ? [route] : []));

describe("the processor-time budget of the routes", () => {
  test("tolerates up to ten percent above the accepted median, and names the routes above that", () => {
    assert.deepEqual(overIn({ introspection: [1.9, 2.19, 9], refresh: [1.4, 1.66, 1.7] }), ["refresh"]);
    assert.deepEqual(overIn({ introspection: [2.19], refresh: [0.5] }), []);
  });

  test("refuses a route without an accepted figure, and a route that was not measured", () => {
    assert.deepEqual(overIn({ jwks: [1], refresh: [Number.NaN] }), ["jwks", "refresh"]);
  });

  test("stores newly accepted figures, and keeps those of other routes", () => {
    const found = new Map([
      ["refresh", [1.2, 1.301, 1.4]],
      ["jwks", [3]],
    ]);
    assert.deepEqual(newBudget(budget, found), { introspection: 2, refresh: 1.3, jwks: 3 });
  });

  test("is reported as a table", () => {
    const table = verdictTable(judge(budget, new Map([["introspection", [3]]])));
    assert.match(table, /^\| introspection \| 3\.00 \| 2\.00 \| 1\.50 \| \*\*over\*\* \|$/m);
  });

  test("lists every hot route in the committed file, with ratios only", () => {
    const text = readFileSync(new URL("../../tools/bench/budget.json", import.meta.url), "utf8");
    assert.deepEqual(Object.keys(readBudget(text)).toSorted(), [
      ...["client-credentials", "code-flow", "code-flow-of-members", "discovery", "introspection"],
      ...["jwks", "refresh", "refresh-of-members", "revocation", "userinfo"],
    ]);
    // Organization, roles and groups add at most a twentieth to the cost of a token.
    for (const [route, ratio] of Object.entries(readBudget(text)))
      if (route.endsWith(suffixOfMembers)) assert.ok(ratio <= 1.05, route);
    for (const wrong of ['{"a":"1"}', '{"a":0}', "null", "[null]"]) assert.throws(() => readBudget(wrong));
  });
});
