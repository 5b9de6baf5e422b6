/**
 * Sudo through a provider: the redirects to the provider and back, and the form that is pending meanwhile.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { UpstreamError } from "../../src/providers/upstream_error.ts";
import type { UpstreamIdentity } from "../../src/providers/upstream_identity.ts";
import type { Provider } from "../../src/records/definition/definition.ts";
import { aPersonAt, sendForm, submit, withCookie } from "../support/account.ts";
import { aPerson } from "../support/app.ts";
import { anOAuthAccount } from "../support/builders.ts";
import {
  aProvider,
  returnAs,
  scriptedClient,
  stateOf,
  upstreamPerson,
} from "../support/scripted_providers.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";

const path = "/account/api-keys/new";
const confirm = "/account/confirm";
const session = "__Host-postern_session";
const typed = { name: `Backup <"ü" 备份>`, lifetime: "30", scope: "postern:users:read" };

/** Returns a user without a password who signed in two days ago, in a browser known since then. */
async function setUp(overrides: Partial<Provider> = {}) {
  const client = scriptedClient();
  const person = { is_platform_admin: true, created_at: new Date("2029-12-01T00:00:00Z") };
  const it = await aPersonAt({ person, days: 0, throttle: true, provider_client: client });
  const { store, user, clock, browser } = it;
  const provider = await aProvider(store, overrides);
  const key = { provider: provider.slug, provider_user_id: "upstream-1" };
  const link = await anOAuthAccount(store, { user_id: user.id, ...key });
  await store.update("users", { id: user.id }, { password_hash: null });
  const methods = [{ kind: "provider", credential: link.id, at: clock.now().getTime() }] as const;
  clock.advance(2 * 86_400);
  await store.update("sessions", { user_id: user.id }, { methods, last_seen_at: clock.now() });

  /** Sends the completed form of a new API key. */
  const make = (more: Record<string, string> = {}) => submit(browser, path, undefined, { ...typed, ...more });
  /** Sends the form of the sudo page, or of the page after the return. */
  const finish = (page: LightMyRequestResponse, more: Record<string, string> = {}) =>
    sendForm(browser, page, path, more);
  /** Presses the provider's button on the sudo page. */
  const leave = (page: LightMyRequestResponse) => finish(page, { sudo_provider: provider.slug });
  const comeBack = (
    sent: LightMyRequestResponse,
    who: UpstreamIdentity | UpstreamError = upstreamPerson({ auth_time: clock.now() }),
    there = browser,
  ) => returnAs(there, client, stateOf(sent), who, provider.slug);
  const keys = () => store.list("api_keys", { user_id: user.id });
  return { ...it, client, link, make, leave, comeBack, finish, keys };
}

const asks = ({ body }: LightMyRequestResponse) => body.includes("<h1>Confirm that it is you</h1>");

describe("confirming a sensitive action through a provider", () => {
  test("SU-6: a fresh sign-in at the provider confirms the action, and the form continues with its fields", async () => {
    const it = await setUp();
    const { browser } = it;
    const requested = await it.make();
    assert.ok(asks(requested));
    assert.match(requested.body, /name="sudo_provider" value="example"/);
    assert.match(requested.body, /Confirm with Example/);
    assert.match(String(requested.headers["content-security-policy"]), /form-action 'self' [^;]*https:/);
    const sent = await it.leave(requested);
    assert.equal(sent.statusCode, 303);
    const { prompt, max_age } = it.client.begun[0] ?? {};
    assert.deepEqual([prompt, max_age], ["login", 0]);
    assert.doesNotMatch(decodeURIComponent(String(sent.headers.location)), /Backup|postern:users/);
    const rows = JSON.stringify(await it.store.list("ephemera", { kind: "proof" }));
    assert.ok(!rows.includes("Backup"), "what waits is sealed");
    const before = browser.cookies.get(session);
    const back = await it.comeBack(sent);
    assert.equal(back.headers.location, confirm);
    assert.notEqual(browser.cookies.get(session), before, "SU-5");
    const page = await browser.get(confirm);
    assert.ok(asks(page) && !page.body.includes("Backup"));
    assert.match(page.body, /Confirmed\. You can finish/);
    assert.equal((await it.keys()).length, 0, "nothing happens without the person's button");
    const done = await it.finish(page);
    assert.deepEqual([done.statusCode, asks(done)], [200, false]);
    assert.deepEqual(
      (await it.keys()).map(({ name, scopes }) => [name, scopes]),
      [[typed.name, [typed.scope]]],
    );
    const [row] = await it.store.list("sessions", { user_id: it.user.id });
    const fresh = row?.methods?.filter(({ at }) => at === it.clock.now().getTime());
    assert.deepEqual(
      fresh?.map(({ kind, credential }) => [kind, credential]),
      [["provider", it.link.id]],
    );
    const audited = it.events.filter(({ type, outcome }) => type === "step_up" && outcome === "success");
    assert.equal(audited.length, 1);
  });

  test("SU-6: a user who has a password is asked for it instead", async () => {
    const it = await setUp();
    const { password_hash } = await aPerson(it);
    await it.store.update("users", { id: it.user.id }, { password_hash });
    const requested = await it.make();
    assert.ok(asks(requested) && requested.body.includes("sudo_password"));
    assert.ok(!requested.body.includes("sudo_provider"));
    const pressed = await it.leave(requested);
    assert.ok(pressed.statusCode === 200 && asks(pressed), "a form of one's own making leads nowhere");
    assert.equal(it.client.begun.length, 0);
  });

  test("SU-6: a provider that cannot reauthenticate is not offered, whatever its name", async () => {
    const it = await setUp({ slug: "github", preset: "github" });
    const requested = await it.make();
    assert.ok(asks(requested) && !requested.body.includes("sudo_provider"));
    assert.match(requested.body, /name="sudo_mail_send"/);
    assert.equal((await it.leave(requested)).statusCode, 200);
    assert.equal(it.client.begun.length, 0);
  });

  test("SU-6: a waiting form belongs to its session and browser, for ten minutes and up to 16 kB", async () => {
    const it = await setUp();
    const { browser } = it;
    const count = () => it.store.count("ephemera", { kind: "proof" });
    const requested = await it.make();
    const before = await count();
    for (let turn = 0; turn < 5; turn++) await it.leave(requested);
    assert.equal(await count(), before + 5 * 2 + 1, "two rows for each sign-in, and one form");
    const attacker = withCookie(it.app, browser.cookies.get(session));
    assert.equal((await attacker.get(confirm)).headers.location, "/account");
    const sent = await it.leave(requested);
    const stolen = await it.comeBack(sent, undefined, attacker);
    assert.equal(stolen.headers.location, `/login?redirect=${encodeURIComponent(confirm)}`);
    assert.equal(it.client.expected.length, 0, "nothing was asked of the provider");
    assert.equal((await browser.get(confirm)).statusCode, 200);
    it.clock.advance(600);
    assert.equal((await browser.get(confirm)).headers.location, "/account");
    const long = await it.make({ name: "x".repeat(17_000) });
    await it.comeBack(await it.leave(long));
    const page = await browser.get(confirm);
    assert.match(page.body, /too long to save/);
    assert.doesNotMatch(page.body, /sudo_form/);
    const again = await it.make();
    assert.deepEqual(
      [asks(again), (await it.keys()).length],
      [false, 1],
      "for five minutes nothing is asked",
    );
  });

  test("SU-6, EP-16: a user who cancels, fails or returns with another account is asked again, without a loop", async () => {
    const it = await setUp();
    const { browser, client } = it;
    const requested = await it.make();
    const sent = await it.leave(requested);
    const cancelled = `/sign-in/example/callback?state=${stateOf(sent)}&error=access_denied`;
    const turned = await browser.get(cancelled);
    assert.equal(turned.headers.location, confirm);
    const page = await browser.get(confirm);
    assert.ok(asks(page) && page.body.includes('value="example"'));
    for (const error of [new UpstreamError("nonce"), new UpstreamError("timeout")]) {
      const failed = await it.comeBack(await it.leave(page), error);
      assert.equal(failed.statusCode, 400);
      assert.match(failed.body, /href="\/account\/confirm"/);
      assert.doesNotMatch(failed.body, /action="\/sign-in\//);
    }
    const auth_time = it.clock.now();
    const other = await it.comeBack(
      await it.leave(page),
      upstreamPerson({ subject: "somebody-else", auth_time }),
    );
    assert.equal(other.statusCode, 400);
    assert.match(other.body, /not the account at Example that is linked/);
    assert.match(other.body, /href="\/account\/confirm"/);
    client.begin = async () => {
      throw new UpstreamError("unreachable");
    };
    const down = await it.leave(page);
    assert.equal(down.statusCode, 400);
    assert.match(down.body, /href="\/account\/confirm"/);
    const still = await it.finish(await browser.get(confirm));
    assert.ok(asks(still) && (await it.keys()).length === 0);
  });

  test("SU-6: a provider that does not prove reauthentication is not accepted, and a mailed code replaces it", async () => {
    const it = await setUp();
    const { browser } = it;
    const requested = await it.make();
    const silent = await it.comeBack(await it.leave(requested), upstreamPerson());
    assert.equal(silent.headers.location, confirm);
    assert.match(
      (await browser.get(confirm)).body,
      /name="sudo_provider"/,
      "an undated one is fresh for nothing",
    );
    const refused = await it.comeBack(await it.leave(requested), new UpstreamError("auth_time"));
    assert.match(refused.body, /did not ask you/);
    const page = await browser.get(confirm);
    assert.match(page.body, /name="sudo_mail_send"/);
    const mailed = await it.finish(page, { sudo_mail_send: "yes" });
    const sent = (await it.mails()).length;
    assert.match((await it.finish(page, { sudo_mail_send: "yes" })).body, /name="sudo_mail_code"/);
    assert.equal((await it.mails()).length, sent, "a form that is sent again mails no second code");
    const done = await it.finish(mailed, { sudo_mail_code: await it.mailedCode() });
    assert.deepEqual([asks(done), (await it.keys()).length], [false, 1]);
  });

  test("SU-6: a user with an authenticator app must also enter its code", async () => {
    const it = await setUp();
    const { browser } = it;
    const { secret } = await anAuthenticatorApp(it.user, it.identity);
    const requested = await it.make();
    assert.ok(requested.body.includes("sudo_provider") && requested.body.includes("sudo_totp"));
    await it.comeBack(await it.leave(requested));
    const page = await browser.get(confirm);
    assert.ok(!page.body.includes("sudo_provider") && page.body.includes("sudo_totp"));
    const without = await it.finish(page);
    assert.ok(asks(without) && (await it.keys()).length === 0);
    const done = await it.finish(without, { sudo_totp: totpCode(secret, it.clock.now()) });
    assert.deepEqual([asks(done), (await it.keys()).length], [false, 1]);
  });
});
