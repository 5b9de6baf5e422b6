/**
 * The algorithms of access tokens and id_tokens in the scenarios: one that every client knows, and a cheap
 * one.
 */
export const algorithms = ["RS256", "ES256", "EdDSA"] as const;
export type Algorithm = (typeof algorithms)[number];

/** Those that a record chooses. */
export const chosenAlgorithms = ["ES256", "EdDSA"] as const satisfies readonly Algorithm[];
