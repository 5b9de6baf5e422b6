import assert from "node:assert/strict";

/**
 * Processor time of this thread in milliseconds: what else the machine does is not counted. It moves in ticks
 * of some milliseconds.
 */
function cost(work: () => void, times: number): number {
  const before = process.threadCpuUsage();
  for (let turn = 0; turn < times; turn++) work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Enough milliseconds that a tick more or less decides nothing. */
const enough = 40;

/**
 * Four inputs against one of four times their size: linear work costs the same, quadratic work four times as
 * much.
 */
const most = 2.5;

/** Asserts that the work grows no faster than its input, from `size` to four times `size`. */
export function assertLinear(work: (size: number) => void, size: number, what = "the work"): void {
  work(size);
  let times = 1;
  let small = cost(() => work(size), 4);
  while (small < enough) {
    times *= 2;
    small = cost(() => work(size), 4 * times);
  }
  const large = cost(() => work(4 * size), times);
  const ratio = (large / small).toFixed(1);
  assert.ok(
    large < small * most,
    `${what} grows faster than its input: ${ratio} times the cost for as much text`,
  );
}
