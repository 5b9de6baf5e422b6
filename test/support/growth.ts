import assert from "node:assert/strict";

/**
 * Returns the processor time of this thread in milliseconds, which excludes other load on the machine. It
 * advances in ticks of some milliseconds.
 */
function cost(work: () => void, times: number): number {
  const before = process.threadCpuUsage();
  for (let turn = 0; turn < times; turn++) work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Long enough in milliseconds that a tick more or less makes no difference. */
const enough = 40;

/** How many times larger the large input is; on a shared machine either run can be slower by half. */
export const larger = 8;

/**
 * The limit for the ratio of one large input to `larger` small ones: linear work costs the same, and
 * quadratic work eight times as much. The limit is the geometric mean of both.
 */
const most = Math.sqrt(larger);

/** One of these tries must be linear; a garbage collection in the large run makes a try too slow. */
const tries = 5;

/** Asserts that the work grows no faster than its input, from `size` to `larger` times `size`. */
export function assertLinear(work: (size: number) => void, size: number, what = "the work"): void {
  const ratios: number[] = [];
  while (ratios.length < tries) {
    const ratio = growth(work, size);
    if (ratio < most) return;
    ratios.push(ratio);
  }
  const least = Math.min(...ratios).toFixed(1);
  assert.fail(`${what} grows faster than its input: ${least} times the cost for as much text`);
}

function growth(work: (size: number) => void, size: number): number {
  work(size);
  let times = 1;
  let small = cost(() => work(size), larger);
  while (small < enough) {
    times *= 2;
    small = cost(() => work(size), larger * times);
  }
  return cost(() => work(larger * size), times) / small;
}
