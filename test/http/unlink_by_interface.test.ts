/** One's own linked account, removed through the management API: as on the account page (EP-12, EP-13). */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createOutbox } from "../../src/ops/mail.ts";
import type { User } from "../../src/records/definition.ts";
import { aPerson, hiddenField, type TestBrowser, testApp, testBrowser } from "../support/app.ts";
import { anOAuthAccount } from "../support/builders.ts";
import { aProvider, scriptedLeg, upstreamPerson } from "../support/scripted_providers.ts";

async function setUp(given: Partial<User> = {}) {
  const outbox = createOutbox({
    log: { warn() {}, error() {} },
    metrics: { count() {} },
    now: () => new Date(0),
  });
  const leg = scriptedLeg();
  const it = await testApp({ mail: outbox, provider_leg: leg });
  await aProvider(it.store, {});
  const user = await aPerson(it, given);
  const key = { provider: "example", provider_user_id: "upstream-1" };
  const link = await anOAuthAccount(it.store, { user_id: user.id, ...key });
  let codes = 0;

  /** Signs in through the link. */
  async function through(browser: TestBrowser) {
    const page = await browser.get("/login");
    const fields = { csrf_token: hiddenField(page, "csrf_token"), redirect: "/account" };
    const sent = await browser.post("/sign-in/example", fields);
    const state = new URL(String(sent.headers.location)).searchParams.get("state") ?? "";
    codes += 1;
    leg.people.set(`code-${codes}`, upstreamPerson({ auth_time: it.clock.now() }));
    const back = await browser.get(
      `/sign-in/example/callback?${new URLSearchParams({ state, code: `code-${codes}` })}`,
    );
    assert.equal(back.headers.location, "/account");
  }

  const unlink = (browser: TestBrowser) =>
    it.app.inject({
      method: "DELETE",
      url: `/api/v1/linked-accounts/${link.id}`,
      headers: {
        origin: "https://id.example",
        cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      },
    });
  const subjects = async () => {
    await outbox.settled();
    return outbox.kept().map(({ subject }) => subject);
  };
  return { ...it, user, link, through, unlink, subjects };
}

describe("a linked account removed through the interface by its person", () => {
  test("EP-13: the last way in stays, and the refusal says what to add", async () => {
    const it = await setUp();
    await it.store.update("users", { id: it.user.id }, { password_hash: null });
    const browser = testBrowser(it.app);
    await it.through(browser);
    const refused = await it.unlink(browser);
    assert.equal(refused.statusCode, 409);
    assert.match(refused.json().detail, /set a password/);
    assert.equal(await it.store.count("oauth_accounts"), 1);
    assert.equal((await browser.get("/account")).statusCode, 200);
  });

  test("EP-12, EP-13: it is mailed, and every session that rests on it ends", async () => {
    const it = await setUp();
    const [browser, other] = [testBrowser(it.app), testBrowser(it.app)];
    await it.through(browser);
    await it.through(other);
    const before = (await it.subjects()).length;
    assert.equal((await it.unlink(browser)).statusCode, 204);
    assert.equal((await it.subjects()).length, before + 1);
    assert.equal((await other.get("/account")).statusCode, 302);
  });
});
