/** A failure, and the setups in which it can occur. */
import { setTimeout as wait } from "node:timers/promises";
import type { Ledger } from "./ledger.ts";
import type { Random } from "./random.ts";
import type { Setup, SetupOptions } from "./setup.ts";

export interface Scene {
  readonly setup: Setup;
  readonly ledger: Ledger;
  readonly random: Random;
  /** Waits for the duration of the failure, in seconds; less in the short form (short_form.ts). */
  last(seconds: number): Promise<void>;
  /** Records an error with this text if the condition is false. */
  demand(truth: boolean, otherwise: string): void;
}

export interface Scenario {
  /** The ID in `--scenarios`. */
  readonly id: string;
  /** The name in the table. */
  readonly title: string;
  readonly setups: readonly SetupOptions[];
  /** The number of rounds in the long form. */
  readonly rounds: number;
  /** Maximum milliseconds until the first success; by default two seconds. */
  readonly soon?: number;
  /** Returns why the scenario cannot run on this machine; undefined if it can. */
  readonly unplayable?: () => string | undefined;
  /**
   * Causes one failure under load, and resolves when the service can recover. The time to the first
   * success is measured from then.
   */
  readonly round: (scene: Scene) => Promise<void>;
  /** Conditions that must also hold once tokens are issued again. */
  readonly afterwards?: (scene: Scene) => Promise<void>;
}

/** Evaluates the condition every few milliseconds, and returns whether it became true in time. */
export async function becomes(
  condition: () => boolean | Promise<boolean>,
  milliseconds: number,
): Promise<boolean> {
  for (const deadline = Date.now() + milliseconds; Date.now() < deadline; await wait(20))
    if (await condition()) return true;
  return false;
}

/** Records an error unless `/readyz` soon returns 503, which makes load balancers stop sending requests. */
export async function demandNotReady({ setup, demand }: Scene): Promise<void> {
  const { server } = setup;
  const refused = await becomes(async () => !(await server.isReady()), 6000);
  demand(refused || !server.is_running, "/readyz still returned 200 while no token could be issued");
}
