/**
 * The signature algorithms of access tokens and id_tokens in the scenarios: RS256, which every client
 * supports, and two with cheaper signatures.
 */
export const algorithms = ["RS256", "ES256", "EdDSA"] as const;
export type Algorithm = (typeof algorithms)[number];

/** RS256 is the default. The server uses the others only if the record of an app or API selects them. */
export const chosenAlgorithms = ["ES256", "EdDSA"] as const satisfies readonly Algorithm[];
