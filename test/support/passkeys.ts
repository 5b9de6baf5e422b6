/** Users with passkeys in software authenticators. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { newChallenge } from "../../src/crypto/passkey_challenge.ts";
import { handleOf, type Passkey } from "../../src/people/authenticators/passkeys/own_passkeys.ts";
import type { PasskeyKind } from "../../src/people/authenticators/passkeys/passkey_options.ts";
import { passkeySite } from "../../src/people/authenticators/passkeys/passkey_site.ts";
import {
  proveNewPasskey,
  registrationPurpose,
  storePasskey,
} from "../../src/people/authenticators/passkeys/register_passkey.ts";
import type { IdentityContext } from "../../src/people/core/context/context.ts";
import type { User } from "../../src/records/definition/definition.ts";
import { hiddenField, signInAs, type TestApp, type TestBrowser, testBrowser } from "./app.ts";
import { type AuthenticatorOptions, type Changes, softwareAuthenticator } from "./authenticator.ts";
import { issuer } from "./authorization_server.ts";

export const passkeyOrigin = { client_ip: "192.0.2.1", user_agent: null, request_id: "r" };

/** The site of test servers. */
export const testSite = passkeySite(issuer) ?? assert.fail("no site");

export type Device = ReturnType<typeof softwareAuthenticator>;

/** Creates a passkey of this user, as adding one on the page would. */
export async function aPasskey(
  user: User,
  context: IdentityContext,
  {
    kind = "passkey",
    name = "Key",
    changes = {},
    ...options
  }: Partial<AuthenticatorOptions> & { kind?: PasskeyKind; name?: string; changes?: Changes } = {},
): Promise<{ device: Device; passkey: Passkey }> {
  const user_handle = await handleOf(user, context);
  const { rp_id, origin } = testSite;
  const device = softwareAuthenticator({ rp_id, origin, user_handle, ...options });
  const requested = { purpose: registrationPurpose[kind], holder: randomUUID() };
  const challenge = newChallenge(requested, context.sealer, context.now());
  const answer = JSON.stringify(device.register(challenge, changes));
  const proof = await proveNewPasskey({ kind, name, requested, answer }, testSite, context);
  assert.ok(proof.type === "proved", JSON.stringify(proof));
  const stored = await context.store.transaction((tx) =>
    storePasskey(tx, user, proof.passkey, passkeyOrigin, context),
  );
  assert.ok("passkey" in stored, JSON.stringify(stored));
  return { device, passkey: stored.passkey };
}

/** Returns the options of the first form of a page that requests a passkey. */
export function optionsOf({ body }: { readonly body: string }): Record<string, unknown> {
  const text = /data-options="([^"]*)"/.exec(body)?.[1] ?? assert.fail("the page asks for no passkey");
  return JSON.parse(text.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
}

/** Submits a passkey on the login page, as its script would. */
export async function signInByPasskey(
  browser: TestBrowser,
  device: Device,
  { redirect = "/account", changes = {} }: { redirect?: string; changes?: Changes } = {},
) {
  const page = await browser.get(`/login?redirect=${encodeURIComponent(redirect)}&account=another`);
  const challenge = String(optionsOf(page).challenge);
  return browser.post("/sign-in/passkey", {
    redirect,
    csrf_token: hiddenField(page, "csrf_token"),
    answer: JSON.stringify(device.assert(challenge, changes)),
  });
}

/** Returns a browser that this user has used for two days, now without a session. */
export async function aKnownBrowser({ app, clock }: Pick<TestApp, "app" | "clock">, user: User) {
  const browser = testBrowser(app);
  await signInAs(browser, user);
  clock.advance(2 * 86_400);
  return browser;
}

/** Confirms that the recovery codes on this page are stored, and continues with the page's fields. */
export async function storeCodes(browser: TestBrowser, page: Awaited<ReturnType<TestBrowser["get"]>>) {
  assert.match(page.body, /action="\/account\/recovery-codes\/confirm"/);
  const redirect = /name="redirect" value="[^"]*"/.test(page.body)
    ? hiddenField(page, "redirect")
    : undefined;
  return browser.post("/account/recovery-codes/confirm", {
    csrf_token: hiddenField(page, "csrf_token"),
    stored: "yes",
    ...(redirect !== undefined && { redirect }),
  });
}
