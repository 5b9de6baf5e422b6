import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import type { Store } from "../../src/storage/store.ts";
import type { RedemptionOutcome } from "../../src/storage/tokens/grants.ts";
import { accessOnly, later } from "../support/builders.ts";
import { everyDatabaseInForm, serializable } from "../support/databases.ts";
import { reactivate } from "../support/endings.ts";
import { inForm } from "../support/form.ts";
import {
  type Authorization,
  anAuthorization,
  collapses,
  descendant,
  firstToken,
  liveRows,
  redeem,
  rotate,
  soon,
} from "./authorization.ts";

/** Only PostgreSQL runs transactions concurrently; on SQLite a few rounds are enough. */
const rounds = { SQLite: 8, PostgreSQL: 40 };

/**
 * Runs both concurrently, with a lead that changes from round to round; in some rounds one follows the other.
 */
async function race<A, B>(round: number, one: () => Promise<A>, other: () => Promise<B>): Promise<[A, B]> {
  const lead = (round % 8) - 4;
  if (lead === -4) return [await one(), await other()];
  if (lead === 3) {
    const b = await other();
    return [await one(), b];
  }
  return Promise.all([wait(Math.max(0, lead)).then(one), wait(Math.max(0, -lead)).then(other)]);
}

/** Runs a few rounds at a time, so that transactions of different rounds also conflict. */
async function everyRound(rounds: number, work: (round: number) => Promise<void>): Promise<void> {
  const width = 4;
  for (let from = 0; from < rounds; from += width)
    await Promise.all(Array.from({ length: width }, (_, index) => work(from + index)));
}

/** The ways to issue a token into a family that already has one, or into a new family. */
const issues: Record<string, (store: Store, of: Authorization, id: string) => Promise<RedemptionOutcome>> = {
  "a rotation": rotate,
  "a rotation in a window": (store, of, id) => {
    const ends_at = later(60);
    const signature = Buffer.from(id.replaceAll("-", "").repeat(2), "hex");
    const window = { ends_at, access_ends_at: ends_at, refresh_ends_at: ends_at, signature, answer: "" };
    return store.rotateRefreshToken({ id, replacement: descendant(of), now: soon, window });
  },
  "a refresh without rotation": (store, of, id) =>
    store.refreshWithoutRotation({ id, addition: { ...descendant(of), ...accessOnly }, now: soon }),
  "an exchange of a code": (store, of) => redeem(store, of),
};

for (const database of everyDatabaseInForm)
  describe(`concurrent changes to token families on ${database.title}`, () => {
    const many = database === serializable ? inForm(12, 40) : rounds[database.name];
    const few = Math.min(many, inForm(8, 16));
    let store: Store;
    before(async () => {
      store = await database.open();
    });

    for (const [what, issue] of Object.entries(issues)) {
      if (what !== "an exchange of a code")
        test(`R-3: if a family is revoked while ${what} runs, no token is active afterwards`, async () => {
          const verdicts = new Set<RedemptionOutcome>();
          await everyRound(many, async (round) => {
            const of = await anAuthorization(store);
            const { id } = await firstToken(store, of);
            const [outcome] = await race(
              round,
              () => issue(store, of, id),
              () => store.revokeFamily(of.code.id, "replay", soon),
            );
            verdicts.add(outcome);
            assert.equal(await liveRows(store, of), 0, `round ${round}: ${outcome}`);
          });
          assert.deepEqual([...verdicts].toSorted(), ["ended", "spent"], "both orders were seen");
        });

      for (const name of ["the consent was withdrawn", "the session was ended", "the password was changed"])
        test(`A-30: ${what} leaves no active token if ${name} at the same time`, async () => {
          await everyRound(few, async (round) => {
            const of = await anAuthorization(store);
            const { id } = await firstToken(store, of);
            const collapse = collapses[name];
            assert.ok(collapse);
            const [outcome] = await race(
              round,
              () => issue(store, of, id),
              () => collapse(store, of, soon),
            );
            assert.equal(await liveRows(store, of), 0, `round ${round}: ${outcome}`);
          });
        });

      for (const name of ["the user was deleted", "the app was deleted", "the organization was deleted"])
        test(`A-30: ${what} leaves no row if ${name} at the same time, and is refused or succeeds, but never fails`, async () => {
          await everyRound(few, async (round) => {
            const of = await anAuthorization(store);
            const { id } = await firstToken(store, of);
            const collapse = collapses[name];
            assert.ok(collapse);
            const [outcome] = await race(
              round,
              () => issue(store, of, id),
              () => collapse(store, of, soon),
            );
            assert.ok(outcome === "spent" || outcome === "ended", outcome);
            assert.equal(await store.count("oauth_tokens", { family_id: of.code.id }), 0);
          });
        });
    }

    for (const name of [
      "the app was deactivated",
      "the organization was deactivated",
      "the user was deactivated",
    ])
      test(`design 6.18: a token from a refresh during which ${name} stays inactive after the reactivation`, async () => {
        const collapse = collapses[name];
        assert.ok(collapse);
        await everyRound(few, async (round) => {
          const of = await anAuthorization(store);
          const { id } = await firstToken(store, of);
          // The rotation's clock is ahead, so its row is newer than the deactivation.
          const replacement = descendant(of, later(11));
          await race(
            round,
            () => store.rotateRefreshToken({ id, replacement, now: later(11) }),
            () => collapse(store, of, soon),
          );
          await reactivate(store, "oauth_apps", of.app.id, later(20));
          await reactivate(store, "organizations", of.organization.id, later(20));
          await reactivate(store, "users", of.user.id, later(20));
          assert.notEqual(await rotate(store, of, replacement.id, later(30)), "spent", `round ${round}`);
        });
      });
  });
