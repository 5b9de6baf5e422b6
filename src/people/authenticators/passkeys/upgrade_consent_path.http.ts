/** Consent to passkeys that the browser adds automatically, and its withdrawal (PK-13). */
export const upgradeConsentPath = "/account/passkeys/upgrades";
