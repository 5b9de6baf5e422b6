/** `npm run torture`: causes failures under load, and prints a table of their effects (docs/testing.md). */
import { readOptions, type TortureSettings, usage } from "./options.ts";
import { play } from "./play.ts";
import { randomFrom } from "./random.ts";
import type { Scenario } from "./scenario.ts";
import { allScenarios } from "./scenarios/all_scenarios.ts";
import { openScenario, type SetupOptions } from "./setup.ts";
import { faultsOf, type Result, resultTable, stageName, timeIsUp } from "./table.ts";

/** Seconds in which a scenario may finish after the time limit. */
const grace = 180;

const progress = (sentence: string) => process.stderr.write(`${sentence}\n`);

async function main(args: readonly string[]): Promise<number> {
  let settings: TortureSettings;
  try {
    settings = readOptions(args, allScenarios);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${usage(allScenarios)}`);
    return 2;
  }
  if (settings.help) process.stdout.write(usage(allScenarios));
  else if (settings.list) process.stdout.write(allScenarios.map(described).join(""));
  else return torture(settings);
  return 0;
}

const described = ({ id, title, setups, rounds, unplayable }: Scenario) =>
  `${id.padEnd(24)}${title}; ${rounds} rounds on ${setups.map(stageName).join(" and ")}` +
  `${unplayable?.() === undefined ? "" : ` (not here: ${unplayable()})`}\n`;

async function torture(settings: TortureSettings): Promise<number> {
  const began = Date.now();
  const results: Result[] = [];
  const { seed, clients, json } = settings;
  const close = () => {
    const seconds = Math.round((Date.now() - began) / 1000);
    const text = `Seed ${seed}, ${seconds} s, ${clients} clients, Node ${process.version}.\n\n${resultTable(results)}\n`;
    return json ? `${JSON.stringify({ seed, seconds, clients, results }, null, 2)}\n` : `\n${text}`;
  };
  const watchdog = setTimeout(
    () => {
      progress("the run was stopped because it exceeded its time limit");
      process.stdout.write(close());
      process.exit(1);
    },
    (settings.duration + grace) * 1000,
  );
  const deadline = began + settings.duration * 1000;
  for (const scenario of settings.scenarios) {
    for (const setup of scenario.setups.filter(({ database }) => settings.databases.includes(database))) {
      progress(`${scenario.title}, ${stageName(setup)}`);
      results.push(await resultOf(scenario, setup, settings, deadline));
    }
  }
  clearTimeout(watchdog);
  process.stdout.write(close());
  return results.some((result) => faultsOf(result).length > 0) ? 1 : 0;
}

async function resultOf(
  scenario: Scenario,
  options: SetupOptions,
  { rounds = scenario.rounds, clients, seed }: TortureSettings,
  deadline: number,
): Promise<Result> {
  const { soon = 2000 } = scenario;
  const about = { scenario: scenario.id, title: scenario.title, setup: options, rounds_wanted: rounds, soon };
  const skipped = Date.now() > deadline ? timeIsUp : scenario.unplayable?.();
  if (skipped !== undefined) {
    progress(`  not played: ${skipped}`);
    return { ...about, skipped };
  }
  try {
    const setup = await openScenario(options);
    try {
      const random = randomFrom(seed);
      const how = { rounds, clients, random, pace: 1, client_max_wait: 20_000, deadline, progress };
      const played = await play(scenario, setup, how);
      const ending = await setup.end();
      if (ending !== "0") progress(setup.server.said());
      return { ...about, played, ending };
    } catch (error) {
      await setup.end().catch(() => {});
      throw error;
    }
  } catch (error) {
    progress(`  ${messageOf(error)}`);
    return { ...about, error: messageOf(error) };
  }
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1));
process.exitCode = await main(process.argv.slice(2));
process.exit();
