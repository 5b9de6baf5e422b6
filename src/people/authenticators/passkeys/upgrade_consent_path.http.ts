/** Where somebody agrees that their browser adds passkeys by itself, and takes it back (PK-13). */
export const upgradeConsentPath = "/account/passkeys/upgrades";
