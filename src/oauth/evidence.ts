/**
 * Evidence of a refusal, as the places that refuse give it: raw, because `noteRefusal` bounds it and takes
 * secrets out.
 */
import type { Evidence } from "../errors.ts";
import type { EvidenceFact, EvidenceKind } from "../records/evidence.ts";

type Value = string | readonly string[] | null | undefined;

/**
 * What came (`received`) where something else was expected; null or undefined is nothing, or nothing that may
 * be shown.
 */
export function evidence(
  kind: EvidenceKind,
  name: string,
  received?: Value,
  expected?: Value,
): readonly [Evidence] {
  return [{ kind, name, received: received ?? null, expected: expected ?? null }];
}

/** The same where what came is one of the facts that the pages have words for. */
export function fact(
  kind: EvidenceKind,
  name: string,
  received: EvidenceFact,
  expected?: Value,
): readonly [Evidence] {
  return evidence(kind, name, received, expected);
}

/** Seconds from one moment to another, as evidence holds them. */
export function secondsBetween(from: Date, to: Date): string {
  return String(Math.floor((to.getTime() - from.getTime()) / 1000));
}
