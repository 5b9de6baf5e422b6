/**
 * The management API unlinks a user's own linked account by the same rules as the account page (EP-12,
 * EP-13).
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { aPersonAt, cookieOf } from "../support/account.ts";
import { type TestBrowser, testBrowser } from "../support/app.ts";
import { anOAuthAccount } from "../support/builders.ts";
import { aProvider, scriptedClient, upstreamPerson, visitProvider } from "../support/scripted_providers.ts";

async function setUp() {
  const client = scriptedClient();
  const it = await aPersonAt({ provider_client: client });
  await aProvider(it.store, {});
  const key = { provider: "example", provider_user_id: "upstream-1" };
  const link = await anOAuthAccount(it.store, { user_id: it.user.id, ...key });
  /** Signs in through the linked account. */
  const through = async (browser: TestBrowser) => {
    const back = await visitProvider(browser, client, upstreamPerson({ auth_time: it.clock.now() }));
    assert.equal(back.headers.location, "/account");
  };
  const unlink = (browser: TestBrowser) =>
    it.app.inject({
      method: "DELETE",
      url: `/api/v1/linked-accounts/${link.id}`,
      headers: { origin: "https://id.example", cookie: cookieOf(browser) },
    });
  return { ...it, through, unlink };
}

describe("users who unlink their own account through the management API", () => {
  test("EP-12, EP-13: the user is notified, and every session that depends on it ends", async () => {
    const it = await setUp();
    const [browser, other] = [testBrowser(it.app), testBrowser(it.app)];
    await it.through(browser);
    await it.through(other);
    const before = (await it.mails()).length;
    assert.equal((await it.unlink(browser)).statusCode, 204);
    assert.equal((await it.mails()).length, before + 1);
    assert.equal((await other.get("/account")).statusCode, 302);
  });
});
