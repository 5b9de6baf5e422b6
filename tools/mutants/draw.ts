/** Selects the mutants of a run: the same for the same seed. */
import { createHash } from "node:crypto";
import type { Mutant } from "./operators.ts";

export const rooms = ["oauth", "people", "storage", "admin", "http", "console", "api"];

export const roomOf = (path: string) => path.slice(0, path.indexOf("/"));

/**
 * Returns the first `count` mutants in a random order that the seed determines. Each folder contributes the
 * same number, and within a folder the operators alternate. The order of two mutants does not depend on other
 * mutants.
 */
export function draw(
  mutants: readonly Mutant[],
  { seed, count, among }: { seed: string; count: number; among: readonly string[] },
): Mutant[] {
  const rank = (id: string) => createHash("sha256").update(`${seed} ${id}`).digest("hex");
  const ranked = mutants
    .map((mutant) => ({ mutant, rank: rank(mutant.id) }))
    .toSorted((a, b) => (a.rank < b.rank ? -1 : 1))
    .map(({ mutant }) => mutant);
  const inRoom = (room: string) =>
    inTurn(
      Object.values(
        Object.groupBy(
          ranked.filter(({ path }) => roomOf(path) === room),
          (m) => m.operator,
        ),
      ),
    );
  return inTurn(among.map(inRoom)).slice(0, count);
}

/** Returns the first item of each list, then the second of each, and so on. */
function inTurn(lists: readonly (readonly Mutant[] | undefined)[]): Mutant[] {
  const longest = Math.max(0, ...lists.map((list) => list?.length ?? 0));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list?.[at] ?? [])).flat();
}
