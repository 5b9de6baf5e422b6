/** Names the form of the suite: `long` runs all of every test, any other value the short form. */
export const formVariable = "TEST_FORM";

/**
 * The milliseconds after which a test of the short form counts as hung: the slowest takes a fifth of it on
 * two busy cores.
 */
export const hangsAfter = 300_000;

/**
 * Chooses how much a test does: in the short form enough to find nearly every error within minutes, in the
 * long form (`npm run test:long`) everything.
 */
export function inForm<T>(short: T, long: T): T {
  return process.env[formVariable] === "long" ? long : short;
}

/** Returns the cases of a test: in the short form every n-th of many similar ones, in the long form all. */
export function someOf<T>(all: readonly T[], nth: number): readonly T[] {
  return all.filter((_, at) => at % inForm(nth, 1) === 0);
}
