/** The virtual authenticator of Chromium, controlled through the DevTools protocol (domain `WebAuthn`). */
import type { CDPSession, Page } from "playwright-core";

export interface VirtualAuthenticatorOptions {
  /** Whether it verifies its user. */
  readonly uv?: boolean;
  /** Whether its passkeys are on several devices. */
  readonly synced?: boolean;
  /** Whether it is part of the device; otherwise it is a security key. */
  readonly internal?: boolean;
}

export interface VirtualAuthenticator {
  /** Returns the ids of its passkeys, in base64. */
  credentialIds(): Promise<string[]>;
  /** Sets whether its user touches it when prompted. */
  touch(present: boolean): Promise<void>;
  /** Resolves with the id of the passkey that the page made it delete or hide. */
  readonly deleted: Promise<string>;
}

/** Adds an authenticator to the browser of a page. */
export async function virtualAuthenticator(
  page: Page,
  { uv = true, synced = false, internal = true }: VirtualAuthenticatorOptions = {},
): Promise<VirtualAuthenticator> {
  const session: CDPSession = await page.context().newCDPSession(page);
  await session.send("WebAuthn.enable");
  const { authenticatorId } = await session.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      ctap2Version: "ctap2_1",
      transport: internal ? "internal" : "usb",
      hasResidentKey: true,
      hasUserVerification: uv,
      isUserVerified: uv,
      automaticPresenceSimulation: true,
      defaultBackupEligibility: synced,
      defaultBackupState: synced,
    },
  });
  const { promise: deleted, resolve } = Promise.withResolvers<string>();
  session.on("WebAuthn.credentialDeleted", ({ credentialId }) => resolve(credentialId));
  const credentials = async () =>
    (await session.send("WebAuthn.getCredentials", { authenticatorId })).credentials;
  return {
    credentialIds: async () => (await credentials()).map(({ credentialId }) => credentialId),
    touch: async (enabled) => {
      await session.send("WebAuthn.setAutomaticPresenceSimulation", { authenticatorId, enabled });
    },
    deleted,
  };
}
