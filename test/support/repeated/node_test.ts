/**
 * Replaces `node:test` for repeated tests: a test whose title contains one of the wanted texts runs many
 * times, no other runs.
 */
import type * as NodeTest from "node:test";

const real = process.getBuiltinModule("node:test") as unknown as typeof NodeTest;

const times = Number(process.env.REPEATED_TIMES);
const seconds = Number(process.env.REPEATED_SECONDS);
const titles = JSON.parse(process.env.REPEATED_TITLES ?? "[]") as readonly string[];

export const { describe, before, beforeEach, after, afterEach, mock, run } = real;

/** From the first turn on, so that what a file sets up before costs it none. */
let begun: number | undefined;

function isTimeLeft(): boolean {
  begun ??= performance.now();
  return performance.now() - begun < seconds * 1000;
}

/** Accepts the arguments of `test` of `node:test`; runs without time left are skipped. */
export const test = ((title: string, ...rest: NodeTest.TestFn[]) => {
  const work = rest.pop();
  if (work === undefined || !titles.some((wanted) => title.includes(wanted))) return;
  const inTime: NodeTest.TestFn = async (context, done) => {
    if (!isTimeLeft()) return context.skip("time is up");
    // It takes `node:test` itself, so it is read once this module is.
    const { inTurn } = await import("../at_end.ts");
    await inTurn(() => work(context, done));
  };
  // A function of two parameters would have to call the second.
  const turned: NodeTest.TestFn = work.length > 1 ? inTime : (context) => inTime(context, () => {});
  for (let turn = 1; turn <= times; turn++)
    real.test(`${title} (${turn})`, ...(rest as unknown as [NodeTest.TestOptions]), turned);
}) as unknown as typeof NodeTest.test;
export const it = test;
export default test;
