/** Names the form of the suite: `long` for all that a test knows to do, anything else for the short form. */
export const formVariable = "TEST_FORM";

/**
 * After how many milliseconds a test of the short form counts as hanging: the longest takes a fifth of it on
 * two busy cores.
 */
export const hangsAfter = 300_000;

/**
 * How much a test does: in the short form enough to find nearly every error within minutes, in the long form
 * (`npm run test:long`) the rest too.
 */
export function inForm<T>(short: T, long: T): T {
  return process.env[formVariable] === "long" ? long : short;
}

/** The cases of a test: in the short form every n-th of many similar ones, in the long form all. */
export function someOf<T>(all: readonly T[], nth: number): readonly T[] {
  return all.filter((_, at) => at % inForm(nth, 1) === 0);
}
