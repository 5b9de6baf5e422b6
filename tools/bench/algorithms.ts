/**
 * The algorithms of access tokens and id_tokens in the scenarios: one that every client knows, and a cheap
 * one.
 */
export const algorithms = ["RS256", "ES256", "EdDSA"] as const;
export type Algorithm = (typeof algorithms)[number];

/** Algorithms that a record has to select, because RS256 is the default. */
export const chosenAlgorithms = ["ES256", "EdDSA"] as const satisfies readonly Algorithm[];
