/**
 * An attacker who prepares an account under another person's address has no access to it afterwards. Every
 * order of steps is tested, and each state once.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { databasesInForm } from "../../support/databases.ts";
import { inForm } from "../../support/form.ts";
import { preHijackingFixture, type State, type StepName } from "./pre_hijacking_steps.ts";

const [sqlite] = databasesInForm;
assert.ok(sqlite);

/** The number of consecutive steps. Every order of them is run, or one that leads to the same state. */
const depth = inForm(3, 7);

interface Reached {
  readonly state: State;
  readonly shape: string;
  readonly order: readonly StepName[];
}

/** The long form runs some hundred thousand steps. */
const timeout = inForm(120_000, 5_400_000);

describe("attacks that prepare an account before the victim signs in", { timeout }, () => {
  test(`EP-11: after any ${depth} steps of such an attack, the attacker has no access to the victim's account`, {
    timeout,
  }, async () => {
    const fixture = await preHijackingFixture(await sqlite.open());
    const start = await fixture.save();
    const seen = new Set([await fixture.shapeOf(start)]);
    let frontier: readonly Reached[] = [{ state: start, shape: await fixture.shapeOf(start), order: [] }];
    let let_in = 0;
    for (let steps = 0; steps < depth; steps++) {
      const next: Reached[] = [];
      for (const { state, shape, order } of frontier) {
        let is_there = false;
        for (const step of fixture.steps) {
          if (!is_there) await fixture.restore(state);
          await fixture.play(step);
          const reached = [...order, step];
          assert.deepEqual(await fixture.held(), [], reached.join(", "));
          const after = await fixture.save();
          const shapeAfter = await fixture.shapeOf(after);
          is_there = shapeAfter === shape;
          if (seen.has(shapeAfter)) continue;
          seen.add(shapeAfter);
          if (after.outside.victims.length > 0) let_in += 1;
          next.push({ state: after, shape: shapeAfter, order: reached });
        }
      }
      frontier = next;
    }
    assert.ok(let_in > 20, `the victim was let in ${let_in} times`);
  });

  test("EP-11: after known preparations, the attacker has no access and the victim can sign in", async () => {
    const fixture = await preHijackingFixture(await sqlite.open());
    const start = await fixture.save();
    const imported = "an import makes the account with the attacker's password";
    const prepared = [imported, "the attacker signs in", "the attacker links"] as const;
    const reset = [
      "somebody asks for a reset",
      "the victim resets by the mail",
      "the victim signs in",
    ] as const;
    const orders: readonly (readonly StepName[])[] = [
      [...prepared, "the victim comes by provider", ...reset],
      [...prepared, "the victim comes by a doubtful provider", ...reset],
      [...prepared, ...reset, "the victim comes by provider"],
      [imported, "the attacker comes by provider", ...reset],
      [
        imported,
        "somebody asks for a reset",
        "the victim comes by provider",
        "the victim resets by the mail",
        "the victim signs in",
      ],
      ["somebody asks to register", "the victim registers by the mail", "the victim signs in"],
      [
        "the attacker signs in as themselves",
        "the attacker asks for the victim's address",
        "the victim comes by provider",
        "the victim opens the links to addresses",
      ],
      [
        "the victim comes by provider",
        "the victim asks for another address",
        "the victim opens the links to addresses",
        ...prepared,
        "the victim brings the address back",
      ],
    ];
    for (const order of orders) {
      await fixture.restore(start);
      for (const step of order) await fixture.play(step);
      const what = order.join(", ");
      assert.deepEqual(await fixture.held(), [], what);
      assert.ok((await fixture.save()).outside.victims.length > 0, `the victim gets in: ${what}`);
    }
  });
});
