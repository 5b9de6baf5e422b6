/** Runs the rounds of a scenario under load, and audits the responses after each. */
import { setTimeout as wait } from "node:timers/promises";
import { audit, auditChains, type Findings, nothingFound, sum } from "./audit.ts";
import { signIn } from "./fixture.ts";
import { requesterOf } from "./http.ts";
import { newLedger } from "./ledger.ts";
import { startLoad } from "./load.ts";
import type { Random } from "./random.ts";
import { halvesIn } from "./rows.ts";
import type { Scenario } from "./scenario.ts";
import type { Setup } from "./setup.ts";

/** Milliseconds after which a server that does not recover is restarted by the test. */
const maxWait = 30_000;

export interface PlayOptions {
  readonly rounds: number;
  readonly clients: number;
  readonly random: Random;
  /** Factor for the duration of failures. */
  readonly pace: number;
  /** Milliseconds that a client waits for a response. */
  readonly client_max_wait: number;
  /** No round begins after this time, in milliseconds of Date.now(). */
  readonly deadline: number;
  readonly progress: (sentence: string) => void;
}

export interface Played extends Findings {
  rounds: number;
  requests: number;
  /** Number of processes that exited unexpectedly. */
  gone: number;
  /** Number of restarts by the test. */
  by_hand: number;
  /** Milliseconds from the end of each failure to the first issued token. */
  readonly first_success: number[];
  /** The maximum time that a request waited, in milliseconds. */
  longest: number;
  signed_out: number;
  /** Contradictory rows in the database, as sentences. */
  readonly halves: string[];
  readonly statuses: Readonly<Record<string, number>>;
  /** Errors that the caused failure does not explain, as sentences. */
  readonly odd: string[];
}

/**
 * Resolves with the milliseconds until tokens are issued again; undefined if the server exited or did not
 * recover in time.
 */
async function recovery(setup: Setup, success: Promise<number | undefined>): Promise<number | undefined> {
  const later = Symbol();
  for (;;) {
    const first = await Promise.race([success, wait(50, later)]);
    if (first !== later) return first as number | undefined;
    if (!setup.server.is_running) return undefined;
  }
}

async function startByHand({ server }: Setup): Promise<void> {
  await server.kill();
  for (let attempt = 1; ; attempt++) {
    try {
      return await server.start();
    } catch (error) {
      if (attempt === 5) throw error;
      await wait(500);
    }
  }
}

export async function play(scenario: Scenario, setup: Setup, options: PlayOptions): Promise<Played> {
  const { random, progress, pace } = options;
  const { server } = setup;
  const ledger = newLedger();
  const requester = requesterOf(server.port, options.client_max_wait);
  const cookie = await signIn(server.url);
  const waiting = () => server.revocationsWaiting();
  const goneBefore = server.gone();
  const played = {
    ...{ rounds: 0, by_hand: 0, first_success: [] as number[], found: nothingFound(), odd: [] as string[] },
  };
  const demand = (truth: boolean, otherwise: string) => {
    if (!truth) played.odd.push(otherwise);
  };
  const scene = { setup, ledger, random, demand, last: (seconds: number) => wait(seconds * 1000 * pace) };
  const load = startLoad({ ...options, requester, ledger, cookie });
  let audited = 0;
  try {
    while (played.rounds < options.rounds && Date.now() < options.deadline) {
      await ledger.answers(random.between(30, 300), maxWait);
      await scenario.round(scene);
      const first = await recovery(setup, ledger.nextSuccess(maxWait));
      if (first === undefined) {
        played.by_hand += 1;
        await startByHand(setup);
        await ledger.nextSuccess(maxWait);
      } else played.first_success.push(first);
      await scenario.afterwards?.(scene);
      await load.pause();
      const fresh = ledger.tokens.slice(audited);
      audited = ledger.tokens.length;
      const found = await audit(requester, fresh, { waiting });
      played.found = sum(played.found, found);
      played.rounds += 1;
      progress(
        `  round ${played.rounds}: ${first === undefined ? "started by hand" : `first success after ${Math.round(first)} ms`}, ` +
          `${found.checked} checked, ${found.lost} lost, ${found.undone} undone, ${server.gone() - goneBefore} gone so far`,
      );
      load.resume();
    }
  } finally {
    await load.pause();
  }
  // Each check that passed after every round must also pass after the last one.
  const again = await audit(requester, ledger.tokens, { waiting });
  const chains = await auditChains(requester, ledger, random);
  const halves = await halvesIn(setup.address());
  requester.close();
  const { found, odd, ...rest } = played;
  const { requests, longest, signed_out } = ledger;
  return {
    ...rest,
    checked: again.checked + chains.checked,
    lost: Math.max(found.lost, again.lost) + chains.lost,
    undone: Math.max(found.undone, again.undone) + chains.undone,
    unanswered: Math.max(found.unanswered, again.unanswered) + chains.unanswered,
    gone: server.gone() - goneBefore,
    ...{ requests, longest, signed_out, halves },
    statuses: Object.fromEntries([...ledger.statuses].sort()),
    odd: [...odd, ...ledger.odd],
  };
}
