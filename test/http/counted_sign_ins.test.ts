import assert from "node:assert/strict";
import { test } from "node:test";
import { createLog } from "../../src/ops/log.ts";
import { createMetrics } from "../../src/ops/metrics.ts";
import { UpstreamError } from "../../src/providers/upstream_error.ts";
import type { UpstreamIdentity } from "../../src/providers/upstream_identity.ts";
import { reporter } from "../../src/server/report.ts";
import { factorPage, giveFactor } from "../support/account.ts";
import { aPerson, signInAs, testApp, testBrowser } from "../support/app.ts";
import { softwareAuthenticator } from "../support/authenticator.ts";
import { anOAuthAccount } from "../support/builders.ts";
import { aPasskey, signInByPasskey, testSite } from "../support/passkeys.ts";
import { aProvider, scriptedClient, upstreamPerson, visitProvider } from "../support/scripted_providers.ts";
import { anAuthenticatorApp, someRecoveryCodes } from "../support/second_factors.ts";
import { totpCode, wrongTotpCode } from "../support/totp.ts";

const silent = createLog({ level: "silent", destination: { write() {} } });

async function setUp() {
  const client = scriptedClient();
  const it = await testApp({
    provider_client: client,
    identity_settings: { extra_sign_in: ["passkey", "totp"] },
  });
  await aProvider(it.store, { sign_up: "never" });
  /** Goes to the provider, and returns as a user or with an error. */
  const visit = (who: UpstreamIdentity | UpstreamError) => visitProvider(testBrowser(it.app), client, who);

  /** Returns the sign-ins counted since the last call, as Prometheus reads them. */
  async function counted(): Promise<string[]> {
    const metrics = await createMetrics();
    const report = reporter({ store: it.store, log: silent, metrics, now: it.clock.now });
    for (const event of it.events.splice(0)) report(event);
    const text = await metrics.text();
    return [...text.matchAll(/^postern_sign_ins_total\{method="(\w+)",outcome="(\w+)"\} (\d+)$/gm)]
      .map(([, method, outcome, count]) => `${method} ${outcome} ${count}`)
      .toSorted();
  }
  return { ...it, visit, counted };
}

test("metrics count sign-ins by password with their result", async () => {
  const it = await setUp();
  const user = await aPerson(it);
  assert.equal((await signInAs(testBrowser(it.app), user)).statusCode, 302);
  await signInAs(testBrowser(it.app), user, { password: "another one" });
  await signInAs(testBrowser(it.app), { email: "nobody@example.com" });
  assert.deepEqual(await it.counted(), ["password failure 2", "password success 1"]);
});

test("metrics count sign-ins by the second factor that completed or failed them", async () => {
  const it = await setUp();
  const user = await aPerson(it);
  const totp = await anAuthenticatorApp(user, it.identity);
  const recovery = await someRecoveryCodes(user, it.identity);
  const give = async (method: string, fields: Record<string, string>) => {
    const browser = testBrowser(it.app);
    await signInAs(browser, user);
    await giveFactor(browser, fields, `${factorPage}?method=${method}`);
  };
  await give("totp", { code: wrongTotpCode(totp.secret, it.clock.now()) });
  await give("totp", { code: totpCode(totp.secret, it.clock.now()) });
  await give("recovery_code", { recovery_code: "0".repeat(16) });
  await give("recovery_code", { recovery_code: recovery[0] ?? "" });
  assert.deepEqual(await it.counted(), [
    "recovery_code failure 1",
    "recovery_code success 1",
    "totp failure 1",
    "totp success 1",
  ]);
});

test("metrics count sign-ins by passkey, and a failed one leaves no row about a user", async () => {
  const it = await setUp();
  const user = await aPerson(it);
  const { device } = await aPasskey(user, it.identity);
  await it.counted();
  await signInByPasskey(testBrowser(it.app), device);
  await signInByPasskey(testBrowser(it.app), softwareAuthenticator(testSite));
  assert.deepEqual(await it.counted(), ["passkey failure 1", "passkey success 1"]);
  await it.store.flush();
  assert.equal(await it.store.count("audit_events", { type: "sign_in", outcome: "failure" }), 0);
});

test("metrics count sign-ins by provider, including provider errors and accounts that are not admitted", async () => {
  const it = await setUp();
  const { id: user_id } = await aPerson(it);
  const { id } = await anOAuthAccount(it.store, {
    user_id,
    provider: "example",
    provider_user_id: "upstream-1",
  });
  assert.equal((await it.visit(upstreamPerson())).headers.location, "/account");
  await it.visit(new UpstreamError("iss", { expected: "a", received: "b" }));
  assert.deepEqual(await it.counted(), ["provider failure 1", "provider success 1"]);
  await it.store.update("users", { id: user_id }, { active: false });
  await it.visit(upstreamPerson());
  await it.store.remove("oauth_accounts", { id });
  await it.visit(upstreamPerson({ email: "nobody@example.com" }));
  assert.deepEqual(await it.counted(), ["provider failure 2"]);
});
