/** Where the sudo page leads who no longer has the passkey that it asks for (MF-15). */
export const lostPasskeyPath = "/account/lost-passkey";
