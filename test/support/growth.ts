import assert from "node:assert/strict";

/**
 * Processor time of this thread in milliseconds: other load on the machine is not counted. It advances in
 * ticks of some milliseconds.
 */
function cost(work: () => void, times: number): number {
  const before = process.threadCpuUsage();
  for (let turn = 0; turn < times; turn++) work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Enough milliseconds that a tick more or less decides nothing. */
const enough = 40;

/** How much larger the large input is: a machine that is shared slows either run by half at times. */
export const larger = 8;

/**
 * So many inputs against one that is as much larger: linear work costs the same, quadratic work eight times
 * as much. The bound is as far from the one as from the other.
 */
const most = Math.sqrt(larger);

/** Tries, one of which must be linear: a garbage collection in the large run makes a try too slow. */
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
