/** Numbers left to chance, the same for the same seed. */
export interface Random {
  /** From 0 to below 1. */
  uniform(): number;
  exponential(mean: number): number;
  /** One of them. */
  oneOf(values: readonly number[]): number;
}

/** The generator "splitmix32": its state is a counter, so any seed is a good one. */
export function randomOf(seed: number): Random {
  let state = seed | 0;
  function uniform(): number {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }
  return {
    uniform,
    exponential: (mean) => -mean * Math.log(1 - uniform()),
    oneOf: (values) => values[Math.floor(uniform() * values.length)] ?? 0,
  };
}
