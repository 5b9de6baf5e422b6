/**
 * Replaces `node:test` for repeated tests: a test whose title contains one of the wanted texts runs many
 * times, and other tests do not run.
 */
import type * as NodeTest from "node:test";

const real = process.getBuiltinModule("node:test") as unknown as typeof NodeTest;

const times = Number(process.env.REPEATED_TIMES);
const seconds = Number(process.env.REPEATED_SECONDS);
const titles = JSON.parse(process.env.REPEATED_TITLES ?? "[]") as readonly string[];

export const { describe, before, beforeEach, after, afterEach, mock, run } = real;

/** The start of the first run, so the time for the file's setup does not count. */
let begun: number | undefined;

function isTimeLeft(): boolean {
  begun ??= performance.now();
  return performance.now() - begun < seconds * 1000;
}

/** Accepts the arguments of `test` from `node:test`; runs without time left are skipped. */
export const test = ((title: string, ...rest: NodeTest.TestFn[]) => {
  const work = rest.pop();
  if (work === undefined || !titles.some((wanted) => title.includes(wanted))) return;
  const inTime: NodeTest.TestFn = async (context, done) => {
    if (!isTimeLeft()) return context.skip("time is up");
    // `at_end.ts` imports `node:test`, so it is loaded only after this module.
    const { inTurn } = await import("../at_end.ts");
    await inTurn(() => work(context, done));
  };
  // Node waits for the callback if the function has two parameters.
  const turned: NodeTest.TestFn = work.length > 1 ? inTime : (context) => inTime(context, () => {});
  for (let turn = 1; turn <= times; turn++)
    real.test(`${title} (${turn})`, ...(rest as unknown as [NodeTest.TestOptions]), turned);
}) as unknown as typeof NodeTest.test;
export const it = test;
export default test;
