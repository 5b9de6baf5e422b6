/** Accounts that are created with a passkey, in a real browser with its virtual authenticator. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Page } from "playwright-core";
import { createOutbox } from "../../src/ops/mail.ts";
import { makeSetupLink } from "../../src/people/entry/setup.ts";
import { type TestApp, testApp } from "../support/app.ts";
import { browser } from "../support/browser.ts";
import { complaintsOf } from "../support/complaints.ts";
import { freePort } from "../support/free_port.ts";
import { virtualAuthenticator } from "../support/virtual_authenticator.ts";

const silent = { log: { warn() {}, error() {} }, metrics: { count() {} } };
const outbox = createOutbox({ ...silent, now: () => new Date(0) });

let it: TestApp;
let base_url: string;

before(async () => {
  const port = await freePort();
  base_url = `http://localhost:${port}`;
  const identity_settings = { extra_sign_in: ["passkey"], sign_up: "open" } as const;
  it = await testApp({ base_url, throttle: false, mail: outbox, identity_settings });
  await it.app.listen({ host: "127.0.0.1", port });
});
after(() => it.app.close());

const byPasskey = "Create a passkey instead";

/** Runs `work` on a page of a new browser, and asserts that the browser reports no error. */
async function visit(
  work: (page: Page, key: Awaited<ReturnType<typeof virtualAuthenticator>>) => Promise<void>,
) {
  const context = await (await browser()).newContext();
  try {
    const page = await context.newPage();
    page.setDefaultTimeout(60_000);
    const complaints = complaintsOf(page);
    await work(page, await virtualAuthenticator(page));
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

/** Signs in again with the passkey that this browser offers automatically. */
async function signInAgain(page: Page): Promise<void> {
  // Two sessions of the same millisecond have no order.
  it.clock.advance(1);
  await page.context().clearCookies();
  await page.goto(`${base_url}/login?redirect=%2Faccount%2Fsecurity`);
  await page.waitForURL("**/account/security");
}

async function accountOf(email: string) {
  const [user] = await it.store.list("users", { email });
  assert.ok(user && user.password_hash === null);
  const sessions = await it.store.list("sessions", { user_id: user.id });
  return { user, levels: sessions.map(({ acr }) => acr) };
}

describe("an account without a password, in a browser", () => {
  test("SS-2, SU-6 a user registers with only a passkey, signs in by it, and confirms sensitive actions by it", async () => {
    await visit(async (page, key) => {
      await page.goto(`${base_url}/login?redirect=%2Faccount%2Fsecurity`);
      await page.getByRole("link", { name: "Create an account" }).click();
      await page.getByLabel("Email").fill("ada@example.com");
      await page.getByRole("button", { name: "Send the link" }).click();
      await page.getByRole("heading", { name: "Check your email" }).waitFor();
      await outbox.settled();
      const link = /http:\/\/\S+\/register\/finish\S+/.exec(outbox.kept()[0]?.text ?? "")?.[0] ?? "";
      await page.goto(link);
      await page.getByRole("button", { name: byPasskey }).click();
      // The form requires the name before it prompts the authenticator.
      assert.equal(await page.locator("#name:invalid").count(), 1);
      assert.deepEqual(await key.credentialIds(), []);
      await page.getByLabel("Name").fill("Ada");
      await page.getByRole("button", { name: byPasskey }).click();
      await page.waitForURL("**/account/security");
      await signInAgain(page);
      const { levels } = await accountOf("ada@example.com");
      assert.deepEqual(levels, ["phr", "phr"]);
      it.clock.advance(400);
      await page.goto(`${base_url}/account/password`);
      await page.getByLabel("New password", { exact: true }).fill("brand new words");
      await page.getByLabel("Repeat the new password").fill("brand new words");
      await page.locator("form[action='/account/password'] button[type=submit]").click();
      await page.getByRole("button", { name: "Use a passkey" }).click();
      await page.waitForURL("**/account/password?done=password_changed");
      const [user] = await it.store.list("users", { email: "ada@example.com" });
      assert.notEqual(user?.password_hash, null);
    });
  });

  test("SS-2 without JavaScript, registration requires a password", async () => {
    const second = await testApp({ base_url, identity_settings: { extra_sign_in: ["passkey"] } });
    const port = await freePort();
    await second.app.listen({ host: "127.0.0.1", port });
    const context = await (await browser()).newContext({ javaScriptEnabled: false });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(60_000);
      await page.goto(`http://localhost:${port}${await makeSetupLink(second.identity)}`);
      assert.equal(await page.getByRole("button", { name: byPasskey }).isVisible(), false);
      await page.getByLabel("Name").fill("Root");
      await page.getByLabel("Email").fill("root@example.com");
      await page.getByLabel("Password").fill("brand new words");
      await page.getByRole("button", { name: "Create administrator" }).click();
      await page.waitForURL("**/console");
    } finally {
      await context.close();
      await second.app.close();
    }
  });
});
