/** Passkeys in a real browser with its virtual authenticator, from the button to the stored row. */
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { BrowserContext, Page } from "playwright-core";
import type { User } from "../../src/records/definition/definition.ts";
import { aPerson, browserOf, password, type TestApp, testApp } from "../support/app.ts";
import { browser } from "../support/browser.ts";
import { complaintsOf } from "../support/complaints.ts";
import { inForm } from "../support/form.ts";
import { freePort } from "../support/free_port.ts";
import {
  type VirtualAuthenticator,
  type VirtualAuthenticatorOptions,
  virtualAuthenticator,
} from "../support/virtual_authenticator.ts";

let it: TestApp;
let base_url: string;

before(async () => {
  const port = await freePort();
  base_url = `http://localhost:${port}`;
  it = await testApp({ base_url, throttle: false, identity_settings: { extra_sign_in: ["passkey"] } });
  await it.app.listen({ host: "127.0.0.1", port });
});
after(() => it.app.close());

interface Visit {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly key: VirtualAuthenticator;
  readonly user: User;
  readonly complaints: string[];
}

let people = 0;

/** Returns a user with a password, in a new browser with an authenticator. */
async function visit(options: VirtualAuthenticatorOptions = {}): Promise<Visit> {
  const context = await (await browser()).newContext();
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const complaints = complaintsOf(page, /status of 4\d\d/);
  const key = await virtualAuthenticator(page, options);
  const user = await aPerson(it, { email: `person${++people}@example.com` });
  return { page, context, key, user, complaints };
}

/** Opens the security page in a new session. */
async function openSecurity({ page, context, user }: Visit): Promise<void> {
  const { cookies } = await browserOf(it, user);
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: base_url })));
  await page.goto(`${base_url}/account/security`);
}

async function givePassword({ page, user }: Visit): Promise<void> {
  await page.goto(`${base_url}/login?redirect=%2Faccount%2Fsecurity`);
  await page.getByLabel("Email").fill(user.email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function storeCodes(page: Page): Promise<void> {
  await page.getByLabel("I have stored these codes").check();
  await page.getByRole("button", { name: "Finish" }).click();
}

async function enrol(visited: Visit, add = "Add a passkey", submit = "Create the passkey"): Promise<void> {
  const { page } = visited;
  await openSecurity(visited);
  await page.getByRole("button", { name: add }).click();
  await page.getByLabel("Name").fill("Test key");
  await page.getByRole("button", { name: submit }).click();
  await storeCodes(page);
  await page.getByText("Passkey added.").waitFor();
}

async function signOut({ context, page }: Visit): Promise<void> {
  // Two sessions of the same millisecond have no order.
  it.clock.advance(1);
  await context.clearCookies();
  await page.goto("about:blank");
}

const sessionOf = async ({ user }: Visit) =>
  (await it.store.list("sessions", { user_id: user.id }, { order_by: "id", descending: true }))[0];

describe("passkeys in a browser", () => {
  for (const synced of inForm([true], [true, false])) {
    const kind = synced ? "a synced passkey" : "a passkey of one device";
    test(`PK-2, PK-8 ${kind} is added to an account, and then signs in through autofill without a click`, async () => {
      const visited = await visit({ synced });
      const { page, complaints, context } = visited;
      await enrol(visited);
      await page.getByText(synced ? "Synced" : "This device only", { exact: true }).waitFor();
      await signOut(visited);
      await page.goto(`${base_url}/login?redirect=%2Faccount%2Fsecurity`);
      await page.waitForURL("**/account/security");
      assert.equal((await sessionOf(visited))?.acr, "phr");
      assert.deepEqual(complaints, []);
      await context.close();
    });
  }

  test("PK-8 the passkey button cancels the pending autofill request, and signs in", async () => {
    const visited = await visit();
    const { page, key, complaints, context } = visited;
    await enrol(visited);
    await signOut(visited);
    await key.touch(false);
    await page.goto(`${base_url}/login?redirect=%2Faccount%2Fsecurity`);
    const button = page.getByRole("button", { name: "Sign in with a passkey" });
    await button.waitFor();
    await key.touch(true);
    await button.click();
    await page.waitForURL("**/account/security");
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test("PK-8 while a passkey could be used, a password also works", async () => {
    const visited = await visit();
    const { page, key, context } = visited;
    await enrol(visited);
    await signOut(visited);
    await key.touch(false);
    await page.goto(`${base_url}/login`);
    await page.getByLabel("Email").fill(visited.user.email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL((url) => url.pathname !== "/login");
    await context.close();
  });

  test("PK-2 a device that has a passkey of the account creates no second one, and the page says so", async () => {
    const visited = await visit();
    const { page, context } = visited;
    await enrol(visited);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("button", { name: "Create the passkey" }).click();
    await page.getByText("This device already has a passkey for your account.").waitFor();
    assert.equal(await it.store.count("passkeys", { user_id: visited.user.id }), 1);
    await context.close();
  });

  test("PK-13 a passkey offered after a sign-in by password can be created there, and then signs in", async () => {
    const visited = await visit();
    const { page, complaints, context } = visited;
    await givePassword(visited);
    await page.waitForURL("**/account/security");
    it.clock.advance(2 * 86_400);
    await givePassword(visited);
    await page.getByRole("button", { name: "Create the passkey" }).click();
    await storeCodes(page);
    await page.getByText("My passkey").waitFor();
    await signOut(visited);
    await page.goto(`${base_url}/login?redirect=%2Faccount%2Fsecurity`);
    await page.waitForURL("**/account/security");
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test("PK-6 a key without user verification is refused as a passkey, and accepted as a second factor", async () => {
    const visited = await visit({ uv: false, internal: false });
    const { page, context } = visited;
    await openSecurity(visited);
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await page.getByRole("button", { name: "Create the passkey" }).click();
    await page.getByText("No passkey was used.").waitFor();
    await page.getByRole("link", { name: "Another way" }).click();
    await page.getByRole("button", { name: "Add a security key" }).click();
    await page.getByRole("button", { name: "Register the security key" }).click();
    await storeCodes(page);
    await page.getByText("Second factor only", { exact: true }).waitFor();
    const [stored] = await it.store.list("passkeys", { user_id: visited.user.id });
    assert.deepEqual([stored?.signs_in, stored?.uv_initialized], [false, false]);
    await context.close();
  });

  test("PK-6, PK-9 a security key is requested after the password, and completes the sign-in", async () => {
    const visited = await visit({ uv: false, internal: false });
    const { page, user, complaints, context } = visited;
    await openSecurity(visited);
    await page.getByRole("button", { name: "Add a security key" }).click();
    await page.getByRole("button", { name: "Register the security key" }).click();
    await storeCodes(page);
    await page.getByText("Second factor only", { exact: true }).waitFor();
    const [stored] = await it.store.list("passkeys", { user_id: user.id });
    const before = await it.store.count("sessions", { user_id: user.id });
    await signOut(visited);
    await page.goto(`${base_url}/login?redirect=%2Faccount%2Fsecurity`);
    assert.ok(stored && !(await page.content()).includes(stored.credential_id));
    await page.getByLabel("Email").fill(user.email);
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.waitForURL("**/sign-in/second-factor**");
    assert.ok((await page.content()).includes(stored.credential_id));
    assert.equal(await it.store.count("sessions", { user_id: user.id }), before);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.waitForURL("**/account/security");
    const session = await sessionOf(visited);
    assert.equal(session?.acr, "urn:postern:acr:mfa");
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test("PK-5 a passkey whose signature counter decreased cannot sign in", async () => {
    const visited = await visit();
    const { page, key, context } = visited;
    await enrol(visited);
    await it.store.update("passkeys", { user_id: visited.user.id }, { counter: 1000 });
    await signOut(visited);
    await page.goto(`${base_url}/login`);
    await page.getByText("may have been copied").waitFor();
    assert.equal((await key.credentialIds()).length, 1);
    await context.close();
  });

  test("PK-10, PK-11 a passkey is removed after confirmation by it, and the password manager forgets it", async () => {
    const visited = await visit();
    const { page, key, complaints, context } = visited;
    await enrol(visited);
    const [id] = await key.credentialIds();
    it.clock.advance(301);
    await page.getByRole("link", { name: "Remove: Test key" }).click();
    await page.getByRole("button", { name: "Remove the passkey" }).click();
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await page.getByText("Passkey removed.").waitFor();
    assert.equal(await key.deleted, id);
    assert.deepEqual(await key.credentialIds(), []);
    assert.deepEqual(complaints, []);
    await context.close();
  });

  test("PK-10 the password manager forgets a passkey that was removed on another device when the user tries it", async () => {
    const visited = await visit();
    const { page, key, context } = visited;
    await enrol(visited);
    const [id] = await key.credentialIds();
    await signOut(visited);
    await it.store.remove("passkeys", { user_id: visited.user.id });
    await page.goto(`${base_url}/login`);
    await page.getByText("This server does not know that passkey.").waitFor();
    assert.equal(await key.deleted, id);
    await context.close();
  });
});
