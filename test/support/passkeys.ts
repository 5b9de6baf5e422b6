/** People with passkeys in authenticators of software. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { newChallenge } from "../../src/crypto/passkey_challenge.ts";
import type { IdentityContext } from "../../src/identity/context.ts";
import { handleOf, type Passkey } from "../../src/identity/passkeys/own_passkeys.ts";
import type { PasskeyKind } from "../../src/identity/passkeys/passkey_options.ts";
import { passkeySite } from "../../src/identity/passkeys/passkey_site.ts";
import { registerPasskey, registrationPurpose } from "../../src/identity/passkeys/register_passkey.ts";
import { startSession } from "../../src/identity/sessions.ts";
import type { User } from "../../src/records/definition.ts";
import { hiddenField, type TestBrowser } from "./app.ts";
import { type AuthenticatorOptions, type Changes, softwareAuthenticator } from "./authenticator.ts";
import { issuer } from "./authorization_server.ts";
import { byPassword } from "./builders.ts";

export const passkeyOrigin = { client_ip: "192.0.2.1", user_agent: null, request_id: "r" };

/** The site of test servers. */
export const testSite = passkeySite(issuer) ?? assert.fail("no site");

export type Device = ReturnType<typeof softwareAuthenticator>;

/** A passkey of this user, registered as a person would. */
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
  const holder = randomUUID();
  const use = { purpose: registrationPurpose[kind], holder };
  const challenge = newChallenge(use, context.sealer, context.now());
  const { session } = await startSession({ user, methods: byPassword(), origin: passkeyOrigin }, context);
  const outcome = await registerPasskey(
    { kind, name, holder, answer: JSON.stringify(device.register(challenge, changes)) },
    { user, session },
    { site: testSite, origin: passkeyOrigin },
    context,
  );
  assert.ok(outcome.type === "registered", JSON.stringify(outcome));
  return { device, passkey: outcome.passkey };
}

/** The options of the first form of a page that asks for a passkey. */
export function optionsOf({ body }: { readonly body: string }): Record<string, unknown> {
  const text = /data-options="([^"]*)"/.exec(body)?.[1] ?? assert.fail("the page asks for no passkey");
  return JSON.parse(text.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
}

/** Answers the login page with a passkey, as its script would. */
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
