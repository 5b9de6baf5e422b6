/** What signs access tokens and id_tokens in the scenarios: what every client knows, and what is cheap. */
export const algorithms = ["RS256", "ES256", "EdDSA"] as const;
export type Algorithm = (typeof algorithms)[number];

/** Those that a record chooses. */
export const chosenAlgorithms = ["ES256", "EdDSA"] as const satisfies readonly Algorithm[];
