/**
 * The path at which users give and withdraw consent to passkeys that the browser adds automatically
 * (PK-13).
 */
export const upgradeConsentPath = "/account/passkeys/upgrades";
