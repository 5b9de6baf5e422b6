/** Sudo through a provider: the way there and back, and the form that waits meanwhile. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { createOutbox } from "../../src/ops/mail.ts";
import { UpstreamFault } from "../../src/providers/upstream_fault.ts";
import type { UpstreamIdentity } from "../../src/providers/upstream_identity.ts";
import type { Provider } from "../../src/records/definition.ts";
import { aPerson, hiddenField, signInAs, testApp, testBrowser } from "../support/app.ts";
import { anOAuthAccount } from "../support/builders.ts";
import { aProvider, scriptedLeg, upstreamPerson } from "../support/scripted_providers.ts";
import { anAuthenticatorApp } from "../support/second_factors.ts";
import { totpCode } from "../support/totp.ts";

const path = "/account/api-keys/new";
const confirm = "/account/confirm";
const session = "__Host-postern_session";
const typed = { name: `Backup <"ü" 备份>`, lifetime: "30", scope: "postern:users:read" };

/** A person without a password, signed in an hour ago in a browser known for two days. */
async function setUp(given: Partial<Provider> = {}) {
  const outbox = createOutbox({
    log: { warn() {}, error() {} },
    metrics: { count() {} },
    now: () => new Date(0),
  });
  const leg = scriptedLeg();
  const it = await testApp({ mail: outbox, provider_leg: leg });
  const provider = await aProvider(it.store, given);
  const created_at = new Date(it.clock.now().getTime() - 30 * 86_400_000);
  const user = await aPerson(it, { is_platform_admin: true, created_at });
  const browser = testBrowser(it.app);
  await signInAs(browser, user);
  const key = { provider: provider.slug, provider_user_id: "upstream-1" };
  const link = await anOAuthAccount(it.store, { user_id: user.id, ...key });
  await it.store.update("users", { id: user.id }, { password_hash: null });
  const at = it.clock.now().getTime();
  it.clock.advance(2 * 86_400);
  const methods = [{ kind: "provider", credential: link.id, at }] as const;
  await it.store.update("sessions", { user_id: user.id }, { methods, last_seen_at: it.clock.now() });
  let codes = 0;

  async function filledIn(more: Record<string, string> = {}) {
    const page = await browser.get(path);
    const [csrf_token, form_id] = ["csrf_token", "form_id"].map((name) => hiddenField(page, name));
    return { csrf_token: String(csrf_token), form_id: String(form_id), ...typed, ...more };
  }

  /** Presses the button of the provider on the page that asks; where the browser is sent. */
  const leave = async (page: LightMyRequestResponse, at_path = path) =>
    browser.post(at_path, {
      csrf_token: hiddenField(page, "csrf_token"),
      sudo_form: hiddenField(page, "sudo_form"),
      sudo_provider: provider.slug,
    });

  const stateOf = ({ headers }: LightMyRequestResponse) =>
    new URL(String(headers.location)).searchParams.get("state") ?? "";

  async function comeBack(
    sent: LightMyRequestResponse,
    who: UpstreamIdentity | UpstreamFault = upstreamPerson({ auth_time: it.clock.now() }),
    person = browser,
  ) {
    codes += 1;
    leg.people.set(`code-${codes}`, who);
    const query = new URLSearchParams({ state: stateOf(sent), code: `code-${codes}` });
    return person.get(`/sign-in/${provider.slug}/callback?${query}`);
  }

  /** Sends the form on that came back. */
  const finish = (page: LightMyRequestResponse, more: Record<string, string> = {}) =>
    browser.post(path, {
      csrf_token: hiddenField(page, "csrf_token"),
      sudo_form: hiddenField(page, "sudo_form"),
      ...more,
    });

  const keys = () => it.store.list("api_keys", { user_id: user.id });
  const mails = async () => {
    await outbox.settled();
    return outbox.kept();
  };
  return { ...it, leg, provider, user, link, browser, filledIn, leave, comeBack, finish, keys, mails };
}

const asks = ({ body }: LightMyRequestResponse) => body.includes("<h1>Confirm that it is you</h1>");

describe("sudo through a provider", () => {
  test("SU-6: a fresh sign-in at the provider confirms, and the form goes on with its fields", async () => {
    const it = await setUp();
    const { browser } = it;
    const asked = await browser.post(path, await it.filledIn());
    assert.ok(asks(asked));
    assert.match(asked.body, /name="sudo_provider" value="example"/);
    assert.match(asked.body, /Confirm with Example/);
    assert.match(String(asked.headers["content-security-policy"]), /form-action 'self' [^;]*https:/);
    const sent = await it.leave(asked);
    assert.equal(sent.statusCode, 303);
    const { prompt, max_age } = it.leg.begun[0] ?? {};
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

  test("SU-6: with a password the password is asked for, and no provider", async () => {
    const it = await setUp();
    const { password_hash } = await aPerson(it);
    await it.store.update("users", { id: it.user.id }, { password_hash });
    const asked = await it.browser.post(path, await it.filledIn());
    assert.ok(asks(asked) && asked.body.includes("sudo_password"));
    assert.ok(!asked.body.includes("sudo_provider"));
    const pressed = await it.leave(asked);
    assert.ok(pressed.statusCode === 200 && asks(pressed), "a form of one's own making leads nowhere");
    assert.equal(it.leg.begun.length, 0);
  });

  test("SU-6: a provider that asks nobody anew is no way, however it is named", async () => {
    const it = await setUp({ slug: "github", preset: "github" });
    const asked = await it.browser.post(path, await it.filledIn());
    assert.ok(asks(asked) && !asked.body.includes("sudo_provider"));
    assert.match(asked.body, /name="sudo_mail_send"/);
    assert.equal((await it.leave(asked)).statusCode, 200);
    assert.equal(it.leg.begun.length, 0);
  });

  test("SU-6: what waits is for its session and browser, ten minutes, one form of 16 kB for each", async () => {
    const it = await setUp();
    const { browser } = it;
    const count = () => it.store.count("ephemera", { kind: "proof" });
    const asked = await browser.post(path, await it.filledIn());
    const before = await count();
    for (let turn = 0; turn < 5; turn++) await it.leave(asked);
    assert.equal(await count(), before + 5 * 2 + 1, "two rows for each sign-in, and one form");
    const thief = testBrowser(it.app);
    thief.cookies.set(session, String(browser.cookies.get(session)));
    assert.equal((await thief.get(confirm)).headers.location, "/account");
    const sent = await it.leave(asked);
    const stolen = await it.comeBack(sent, undefined, thief);
    assert.equal(stolen.headers.location, `/login?redirect=${encodeURIComponent(confirm)}`);
    assert.equal(it.leg.expected.length, 0, "nothing was asked of the provider");
    assert.equal((await browser.get(confirm)).statusCode, 200);
    it.clock.advance(600);
    assert.equal((await browser.get(confirm)).headers.location, "/account");
    const long = await browser.post(path, await it.filledIn({ name: "x".repeat(17_000) }));
    await it.comeBack(await it.leave(long));
    const page = await browser.get(confirm);
    assert.match(page.body, /too long to keep/);
    assert.doesNotMatch(page.body, /sudo_form/);
    const again = await browser.post(path, await it.filledIn());
    assert.deepEqual(
      [asks(again), (await it.keys()).length],
      [false, 1],
      "for five minutes nothing is asked",
    );
  });

  test("SU-6, EP-16: who turns back, fails, or comes with another account is asked again, without a loop", async () => {
    const it = await setUp();
    const { browser, leg } = it;
    const asked = await browser.post(path, await it.filledIn());
    const sent = await it.leave(asked);
    const state = new URL(String(sent.headers.location)).searchParams.get("state");
    const turned = await browser.get(`/sign-in/example/callback?state=${state}&error=access_denied`);
    assert.equal(turned.headers.location, confirm);
    const page = await browser.get(confirm);
    assert.ok(asks(page) && page.body.includes('value="example"'));
    for (const fault of [new UpstreamFault("nonce"), new UpstreamFault("timeout")]) {
      const failed = await it.comeBack(await it.leave(page), fault);
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
    assert.match(other.body, /not the account of Example that is linked/);
    assert.match(other.body, /href="\/account\/confirm"/);
    leg.begin = async () => {
      throw new UpstreamFault("unreachable");
    };
    const down = await it.leave(page);
    assert.equal(down.statusCode, 400);
    assert.match(down.body, /href="\/account\/confirm"/);
    const still = await it.finish(await browser.get(confirm));
    assert.ok(asks(still) && (await it.keys()).length === 0);
  });

  test("SU-6: a provider that does not prove that it asked is no proof; the mailbox then stands in for it", async () => {
    const it = await setUp();
    const { browser } = it;
    const asked = await browser.post(path, await it.filledIn());
    const silent = await it.comeBack(await it.leave(asked), upstreamPerson());
    assert.equal(silent.headers.location, confirm);
    assert.match(
      (await browser.get(confirm)).body,
      /name="sudo_provider"/,
      "an undated one is fresh for nothing",
    );
    const refused = await it.comeBack(await it.leave(asked), new UpstreamFault("auth_time"));
    assert.match(refused.body, /did not ask you/);
    const page = await browser.get(confirm);
    assert.match(page.body, /name="sudo_mail_send"/);
    const mailed = await it.finish(page, { sudo_mail_send: "yes" });
    const code = /\b(\d{4} \d{4})\b/.exec((await it.mails())[0]?.text ?? "")?.[1] ?? "";
    const done = await it.finish(mailed, { sudo_mail_code: code });
    assert.deepEqual([asks(done), (await it.keys()).length], [false, 1]);
  });

  test("SU-6: with an authenticator app its code is asked for beside the provider", async () => {
    const it = await setUp();
    const { browser } = it;
    const { secret } = await anAuthenticatorApp(it.user, it.identity);
    const asked = await browser.post(path, await it.filledIn());
    assert.ok(asked.body.includes("sudo_provider") && asked.body.includes("sudo_totp"));
    await it.comeBack(await it.leave(asked));
    const page = await browser.get(confirm);
    assert.ok(!page.body.includes("sudo_provider") && page.body.includes("sudo_totp"));
    const without = await it.finish(page);
    assert.ok(asks(without) && (await it.keys()).length === 0);
    const done = await it.finish(without, { sudo_totp: totpCode(secret, it.clock.now()) });
    assert.deepEqual([asks(done), (await it.keys()).length], [false, 1]);
  });
});
