/** A scenario: a failure, on the stages where it can happen. */
import { setTimeout as wait } from "node:timers/promises";
import type { Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";
import type { Setup, SetupOptions } from "./setup.ts";

export interface Scene {
  readonly setup: Setup;
  readonly ledger: Ledger;
  readonly random: Random;
  /** Lets the failure last so many seconds; fewer in the short form. */
  last(seconds: number): Promise<void>;
  /** Notes what should have been true and was not. */
  demand(truth: boolean, otherwise: string): void;
}

export interface Scenario {
  /** As `--scenarios` names it. */
  readonly id: string;
  /** For the table. */
  readonly title: string;
  readonly setups: readonly SetupOptions[];
  /** In the long form. */
  readonly rounds: number;
  /** Milliseconds for the first success where they are other than two seconds. */
  readonly soon?: number;
  /** Why it cannot be played on this machine; undefined where it can. */
  readonly unplayable?: () => string | undefined;
  /**
   * One failure under load, from its beginning until the service is restored: the time to the first success
   * counts from its end.
   */
  readonly round: (scene: Scene) => Promise<void>;
  /** Conditions that must also hold once tokens are issued again. */
  readonly afterwards?: (scene: Scene) => Promise<void>;
}

/** Asks every few milliseconds until the answer is true; whether it became so in time. */
export async function becomes(
  condition: () => boolean | Promise<boolean>,
  milliseconds: number,
): Promise<boolean> {
  for (const deadline = Date.now() + milliseconds; Date.now() < deadline; await wait(20))
    if (await condition()) return true;
  return false;
}

/** Records an error unless `/readyz` says 503 soon: load balancers must learn to stop sending traffic. */
export async function demandNotReady({ setup, demand }: Scene): Promise<void> {
  const { server } = setup;
  const refused = await becomes(async () => !(await server.isReady()), 6000);
  demand(refused || !server.is_running, "/readyz went on saying 200 while no token could be issued");
}
