/** Records of users and clients still work after the database was copied. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { copyInto, namedAddress, openSource } from "../../src/storage/copy/copy.ts";
import type { DatabaseAddress } from "../../src/storage/store.ts";
import { aPerson, hiddenField, signInAs, type TestApp, testApp, testBrowser } from "../support/app.ts";
import { anApp, anOAuthAccount } from "../support/builders.ts";
import { databases, openDriver, openStoreAt } from "../support/databases.ts";
import { basic, codeFlow, credentialsOf, redeem, signedIn } from "../support/flows.ts";
import { aPasskey, signInByPasskey } from "../support/passkeys.ts";
import { aProvider, scriptedClient, upstreamPerson } from "../support/scripted_providers.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";

const factorPath = "/sign-in/second-factor";

/** Starts a server on this database, with a clock this many days ahead of the first one. */
async function serverAt(address: DatabaseAddress, days: number) {
  const store = await openStoreAt(address);
  await store.migrate(new Date("2027-01-01T00:00:00Z"));
  const client = scriptedClient();
  const it = await testApp({
    store,
    provider_client: client,
    identity_settings: { extra_sign_in: ["passkey"] },
  });
  it.clock.advance(days * 86_400);
  return { ...it, client };
}

/** Creates every kind of credential of a user and a client on this server. */
async function makeThem(it: TestApp) {
  const provider = await aProvider(it.store);
  const ada = await aPerson(it, { email: "ada@example.com" });
  const totp = await anAuthenticatorApp(ada, it.identity);
  const ben = await aPerson(it, { email: "ben@example.com" });
  const { device } = await aPasskey(ben, it.identity);
  const cleo = await aPerson(it, { email: "cleo@example.com" });
  const link = await anOAuthAccount(it.store, { user_id: cleo.id, provider_user_id: "upstream-1" });
  const sealed = it.server.sealer.seal("linked_account", "upstream token", link.id);
  await it.store.update("oauth_accounts", { id: link.id }, { access_token: sealed });
  const app = await anApp(it.store, { allowed_scopes: ["openid", "offline_access"] });
  const credentials = await credentialsOf(it, app);
  const scope = "openid offline_access";
  const tokens = await codeFlow(it, app, credentials, await signedIn(it, ada), { scope });
  return { provider, ada, totp, ben, device, cleo, link, app, refresh_token: tokens.refresh_token };
}

type Made = Awaited<ReturnType<typeof makeThem>>;

/**
 * Signs in with each credential, and continues as the client with its secret. Returns the client's latest
 * refresh token.
 */
async function useThem(
  it: Awaited<ReturnType<typeof serverAt>>,
  made: Made,
  refresh_token: string | undefined,
) {
  const { server, store, clock, client } = it;
  const ada = testBrowser(it.app);
  assert.equal((await signInAs(ada, made.ada)).headers.location, factorPath);
  const page = await ada.get(factorPath);
  const done = await ada.post(factorPath, {
    csrf_token: hiddenField(page, "csrf_token"),
    method: hiddenField(page, "method"),
    code: totpCode(made.totp.secret, clock.now()),
  });
  assert.equal(done.statusCode, 302, done.body);
  assert.match((await ada.get("/account")).body, /ada@example\.com/);

  const ben = testBrowser(it.app);
  const byPasskey = await signInByPasskey(ben, made.device);
  assert.equal(byPasskey.headers.location, "/account", byPasskey.body);
  assert.match((await ben.get("/account")).body, /ben@example\.com/);

  const cleo = testBrowser(it.app);
  const login = await cleo.get("/login?account=another&redirect=%2Faccount");
  const sent = await cleo.post(`/sign-in/${made.provider.slug}`, {
    csrf_token: hiddenField(login, "csrf_token"),
    redirect: hiddenField(login, "redirect"),
  });
  const state = new URL(String(sent.headers.location)).searchParams.get("state") ?? "";
  client.people.set("code", upstreamPerson());
  await cleo.get(`/sign-in/${made.provider.slug}/callback?${new URLSearchParams({ state, code: "code" })}`);
  assert.match((await cleo.get("/account")).body, /cleo@example\.com/);
  const link = await store.find("oauth_accounts", { id: made.link.id });
  assert.equal(
    server.sealer.open("linked_account", link?.access_token ?? "", made.link.id),
    "upstream token",
  );

  const credentials = basic(made.app.client_id, `secret of ${made.app.client_id}`);
  assert.ok(refresh_token);
  const answer = await redeem(it, made.app, credentials, { grant_type: "refresh_token", refresh_token });
  assert.equal(typeof answer.access_token, "string");
  return answer.refresh_token;
}

async function move(from: DatabaseAddress, to: DatabaseAddress): Promise<void> {
  const source = await openSource(from);
  const target = await openDriver(namedAddress(to));
  try {
    await copyInto(source, target, { now: new Date(), onRows() {} });
  } finally {
    await target.close();
    await source.close();
  }
}

test("F-42: after the database was copied to another engine and back, users sign in and clients refresh as before", async () => {
  const [sqlite, postgres] = databases;
  assert.ok(sqlite && postgres);
  const places = [await sqlite.address(), await postgres.address(), await sqlite.address()] as const;
  const first = await serverAt(places[0], 0);
  const made = await makeThem(first);
  await first.store.close();
  let { refresh_token } = made;
  let before = places[0];
  for (const [index, place] of places.slice(1).entries()) {
    await move(before, place);
    const next = await serverAt(place, index + 1);
    refresh_token = await useThem(next, made, refresh_token);
    await next.store.close();
    before = place;
  }
});
