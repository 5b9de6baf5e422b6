/** Names the form of the suite: `long` for all that a test knows to do, anything else for the short form. */
export const formVariable = "TEST_FORM";

/**
 * After how many milliseconds a test of the short form counts as hanging: the longest takes a fifth of it on
 * two busy cores.
 */
export const hangsAfter = 300_000;

/**
 * How much a test does: in the short form what finds nearly every fault within minutes, in the long form
 * (`npm run test:long`) the rest too.
 */
export function inForm<T>(short: T, long: T): T {
  return process.env[formVariable] === "long" ? long : short;
}

/**
 * How often a property of what stands above the storage is tried: always on SQLite, and in the short form a
 * quarter as often on the other database, which only reads and writes elsewhere.
 */
export function runsOn({ name }: { readonly name: string }, runs: number): number {
  return name === "SQLite" ? runs : inForm(Math.ceil(runs / 4), runs);
}
