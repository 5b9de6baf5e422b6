/**
 * Stands for `node:test` where tests are repeated: a test whose title holds one of the wanted texts runs many
 * times, no other runs.
 */
import type * as NodeTest from "node:test";

const real = process.getBuiltinModule("node:test") as unknown as typeof NodeTest;

const times = Number(process.env.REPEATED_TIMES);
const titles = JSON.parse(process.env.REPEATED_TITLES ?? "[]") as readonly string[];

export const { describe, before, beforeEach, after, afterEach, mock, run } = real;

/** Takes what `test` of `node:test` takes. */
export const test = ((title: string, ...rest: [NodeTest.TestFn]) => {
  if (!titles.some((wanted) => title.includes(wanted))) return;
  for (let turn = 1; turn <= times; turn++) real.test(`${title} (${turn})`, ...rest);
}) as unknown as typeof NodeTest.test;
export const it = test;
export default test;
