/** Causes one failure under load, and audits every response. */
import { setTimeout as wait } from "node:timers/promises";
import { audit, type Findings } from "../torture/audit.ts";
import { proofOf } from "../torture/fixture.ts";
import { activeOf, type Requester } from "../torture/http.ts";
import type { Ledger, Token } from "../torture/ledger.ts";
import type { Load } from "../torture/load.ts";
import type { DrillScenario, DrillSetup } from "./drill_scenarios.ts";

/** Number of responses before the failure is caused. */
const before = 300;
/** Milliseconds of load after the takeover, and after the repair. */
const after = 3000;
/** Maximum milliseconds to wait for `before` responses. */
const maxWait = 60_000;

export interface DrillRound extends Findings {
  /** Milliseconds until another node committed; nearly 0 if the database was not affected. */
  readonly takeover: number;
  /** Milliseconds from the failure to the last failed response; 0 if none failed. */
  readonly errors_for: number;
  /** Failed responses more than `grace` after the takeover. */
  readonly late: number;
  readonly failures: number;
  /** Introspections that reported a token as active that had been revoked before the round. */
  readonly stale: number;
  /** The number of responses in this round, by operation and status. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** Milliseconds after the takeover in which failed responses are still attributed to it. */
const grace = 3000;

/**
 * Introspects ended tokens repeatedly. The returned function stops this, and returns how often one was
 * reported as active.
 */
function watchDead(requester: Requester, dead: readonly Token[]) {
  let running = true;
  let stale = 0;
  async function watch(): Promise<void> {
    for (let at = 0; running; at++) {
      const token = dead[at % dead.length];
      if (token !== undefined) {
        const form = { token: token.access_token };
        const path = "/oauth/introspect";
        const active = activeOf(await requester.ask({ path, form, headers: proofOf(token.client) }));
        if (active === true) stale += 1;
      }
      await wait(20);
    }
  }
  const watching = watch();
  return async () => {
    running = false;
    await watching;
    return stale;
  };
}

export interface DrillLoad {
  readonly requester: Requester;
  readonly ledger: Ledger;
  readonly load: Load;
  /** The number of tokens in the ledger that earlier rounds audited. */
  audited: number;
}

export async function playRound(
  scenario: DrillScenario,
  setup: DrillSetup,
  drill: DrillLoad,
): Promise<DrillRound> {
  const { requester, ledger, load } = drill;
  await setup.cluster.whole();
  await ledger.answers(before, maxWait);
  const dead = ledger.tokens.filter(({ state }) => state === "ended").slice(-200);
  const failures: number[] = [];
  const statuses: Record<string, number> = {};
  const unhear = hearAnswers(ledger, (operation, { status, retry_after }) => {
    const kind = `${operation} ${status}${retry_after ? " with Retry-After" : ""}`;
    statuses[kind] = (statuses[kind] ?? 0) + 1;
    if (typeof status !== "number" || status >= 500) failures.push(performance.now());
  });
  const began = performance.now();
  const endWatch = watchDead(requester, dead);
  const { over, mend } = await scenario.happen(setup);
  await over;
  const takeover = performance.now() - began;
  await ledger.answers(before, maxWait);
  await wait(after);
  await mend();
  await setup.cluster.whole();
  await ledger.answers(before, maxWait);
  await wait(after);
  unhear();
  const stale = await endWatch();
  await load.pause();
  const fresh = ledger.tokens.slice(drill.audited);
  drill.audited = ledger.tokens.length;
  const found = await audit(requester, fresh, { waiting: () => setup.front.revocationsWaiting() });
  load.resume();
  const last = failures.at(-1);
  return {
    ...found,
    ...{ takeover, stale, statuses, failures: failures.length },
    errors_for: last === undefined ? 0 : last - began,
    late: failures.filter((at) => at > began + takeover + grace).length,
  };
}

/** Calls the listener for every response that the ledger records, until the returned function is called. */
function hearAnswers(ledger: Ledger, listener: Ledger["note"]): () => void {
  const note = ledger.note;
  ledger.note = (operation, answer) => {
    listener(operation, answer);
    note.call(ledger, operation, answer);
  };
  return () => {
    ledger.note = note;
  };
}
