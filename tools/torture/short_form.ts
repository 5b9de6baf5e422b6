/**
 * Runs scenarios as tests: with few rounds and short failures, and without time limits that could fail on
 * a busy machine.
 */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { play } from "./play.ts";
import { randomFrom } from "./random.ts";
import type { Scenario } from "./scenario.ts";
import { openScenario, type Setup, type SetupOptions } from "./setup.ts";
import { faultsOf, stageName } from "./table.ts";

export interface Part {
  /** The title of the test, with the numbers of the reliability findings that it covers. */
  readonly title: string;
  readonly scenario: Scenario;
  readonly rounds?: number;
}

/** Maximum milliseconds of all parts, on a busy machine. */
const timeout = 300_000;

/**
 * Milliseconds until the first success. The long form has the real limit, because it runs on an idle
 * machine.
 */
const maxWait = 60_000;

/** Factor for the duration of failures. */
const pace = 0.15;

/** Runs the parts in order with one setup, so that each starts with the results of the previous one. */
export function tortured(options: SetupOptions, parts: readonly Part[]): void {
  describe(`under torture on ${stageName(options)}`, { timeout }, () => {
    let setup: Setup | undefined;
    before(async () => {
      setup = await openScenario(options);
    });
    after(async () => {
      if (setup !== undefined) assert.equal(await setup.end(), "0", "the exit code after SIGTERM");
    });

    for (const { title, scenario, rounds = 1 } of parts) {
      test(title, { skip: scenario.unplayable?.() ?? false }, async () => {
        assert.ok(setup);
        const reported: string[] = [];
        const played = await play(scenario, setup, {
          ...{ rounds, pace, clients: 5, client_max_wait: 6000, random: randomFrom(Date.now()) },
          deadline: Number.POSITIVE_INFINITY,
          progress: (sentence) => reported.push(sentence),
        });
        const about = {
          scenario: scenario.id,
          title: scenario.title,
          setup: options,
          rounds_wanted: rounds,
          soon: maxWait,
        };
        assert.deepEqual(
          faultsOf({ ...about, played }),
          [],
          `${reported.join("\n")}\n${setup.server.said()}`,
        );
        assert.ok(played.checked > 0);
      });
    }
  });
}
