/**
 * After any actions with any keys in any order, every permission that an actor has was granted by a holder of
 * that permission. `POSTERN_TEST_ATTACKS=5000` sets the number of runs; fast-check prints the seed of a
 * failure.
 */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import fc from "fast-check";
import { bearer } from "../http/api/server.ts";
import { databasesInForm } from "../support/databases.ts";
import { words } from "../support/lists.ts";
import { beginScenario, type Scenario, type ScenarioFixture, scenarioFixture } from "./attack_scenario.ts";
import { everyWord } from "./permission_model.ts";
import { foreignRoles, permissionsHeld, permissionsOfKey, type Rows, readRows } from "./permission_oracle.ts";
import { type Choice, stepKinds, takeStep } from "./scenario_steps.ts";

const input = Number(process.env.POSTERN_TEST_ATTACKS ?? 0);

const scopes = fc.uniqueArray(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(
        ...everyWord.filter((word) => word.endsWith(":write")).map((word) => `postern:${word}`),
      ),
    },
    { weight: 1, arbitrary: fc.constantFrom(...everyWord.map((word) => `postern:${word}`)) },
    {
      weight: 1,
      arbitrary: fc.constantFrom("postern:manage", "postern:read", "token:introspect", "orders:read"),
    },
  ),
  { minLength: 1, maxLength: 3 },
);

/** The most dangerous permissions of a restricted key. */
const dangerous = words("api_keys apps app_secrets users memberships consents service_accounts key_pairs");

const choice: fc.Arbitrary<Choice> = fc.record({
  by: fc.nat(30),
  kind: fc.constantFrom(...stepKinds),
  on: fc.oneof(fc.nat(30), fc.constant(0)),
  to: fc.nat(5),
  scopes,
  role: fc.constantFrom("owner", "admin", "developer", "member", "visitor"),
  flag: fc.boolean(),
});

/** Up to eight steps. An invitation is often followed by its acceptance. */
const manySteps = fc
  .array(
    fc.oneof(
      { weight: 8, arbitrary: choice.map((one) => [one]) },
      {
        weight: 1,
        arbitrary: choice.map((one): Choice[] => [
          { ...one, kind: "invite" },
          { ...one, kind: "accept" },
        ]),
      },
    ),
    { minLength: 4, maxLength: 8, size: "max" },
  )
  .map((steps) => steps.flat().slice(0, 8));

const narrowKeys = fc.array(
  fc.record({
    of: fc.oneof(fc.nat(8), fc.constant(0)),
    scopes: fc.oneof(
      scopes,
      fc.uniqueArray(fc.constantFrom(...dangerous.map((resourceType) => `postern:${resourceType}:write`)), {
        minLength: 1,
        maxLength: 2,
      }),
    ),
  }),
  { minLength: 3, maxLength: 6 },
);

/** Fails if an actor has a permission that neither they nor the grantor had. */
function judge(
  scenario: Scenario,
  is: Rows,
  had: readonly ReadonlySet<string>[],
  by: ReadonlySet<string>,
  what: string,
): void {
  assert.deepEqual(foreignRoles(is), [], `a role of another organization was given by ${what}`);
  for (const [index, { holder }] of scenario.actors.entries()) {
    const gained = [...permissionsHeld(is, holder)].filter((permission) => !had[index]?.has(permission));
    const beyond = gained.filter((permission) => !by.has(permission));
    assert.deepEqual(beyond, [], `${holder.name} gained by ${what}`);
  }
}

for (const database of databasesInForm)
  describe(`permissions on ${database.name}`, () => {
    let fixture: ScenarioFixture;
    before(async () => {
      fixture = await scenarioFixture(database);
    });

    test("H-21: a caller gains a permission only if a caller who already has it grants it", async (context) => {
      const done = new Map<string, number>();
      await fc.assert(
        fc.asyncProperty(narrowKeys, manySteps, async (of, choices) => {
          const scenario = await beginScenario(fixture, of);
          for (const [index, each] of choices.entries()) {
            const was = await readRows(scenario.it.store);
            const had = scenario.actors.map(({ holder }) => permissionsHeld(was, holder));
            const taken = await takeStep(scenario, each);
            if (taken === undefined) continue;
            assert.ok(taken.status < 500, `${each.kind}: ${taken.status}`);
            if (taken.status < 300) done.set(each.kind, (done.get(each.kind) ?? 0) + 1);
            judge(
              scenario,
              await readRows(scenario.it.store),
              had,
              taken.by,
              `${each.kind} (step ${index + 1}, by ${taken.who})`,
            );
          }
          await compareWithServer(scenario);
        }),
        { numRuns: input || (database.name === "SQLite" ? 60 : 15) },
      );
      context.diagnostic(JSON.stringify(Object.fromEntries(done)));
      assert.ok([...done.values()].reduce((sum, count) => sum + count, 0) > 10, "next to nothing succeeded");
    });

    /** The permissions that the server reports for each key never exceed the rules. */
    async function compareWithServer({ it, actors }: Scenario): Promise<void> {
      const rows = await readRows(it.store);
      for (const { id, text } of actors.flatMap(({ texts }) => texts)) {
        const answer = await it.app.inject({ url: "/api/v1/me", headers: bearer(text) });
        if (answer.statusCode !== 200) continue;
        const { actor, is_platform_admin, permissions, organizations } = answer.json() as {
          actor: { kind: string; id: string };
          is_platform_admin: boolean;
          permissions: string[];
          organizations: { id: string; permissions: string[] }[];
        };
        const place = is_platform_admin ? "everywhere" : `own:${actor.id}`;
        const reported = [
          ...(actor.kind === "user" ? permissions.map((word) => `${word}@${place}`) : []),
          ...organizations.flatMap((each) => each.permissions.map((word) => `${word}@${each.id}`)),
        ];
        const rightful = new Set(permissionsOfKey(rows, id));
        assert.deepEqual(
          reported.filter((permission) => !rightful.has(permission)),
          [],
          `the server grants more to ${actor.kind}`,
        );
      }
    }
  });
