/** Where users give and withdraw consent to automatic passkeys (PK-13). */
export const upgradeConsentPath = "/account/passkeys/upgrades";
