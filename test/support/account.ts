/** A person in front of the pages of their account. */
import assert from "node:assert/strict";
import type { OAuthApp, User } from "../../src/records/definition.ts";
import {
  aPerson,
  hiddenField,
  signInAs,
  type TestApp,
  type TestBrowser,
  testApp,
  testBrowser,
} from "./app.ts";
import { authorizeParameters, codeParameters, formOf, type Parameters } from "./flows.ts";

const form = { "content-type": "application/x-www-form-urlencoded" };

/** Somebody signed in. */
export interface Setting extends TestApp {
  readonly user: User;
  readonly browser: TestBrowser;
}

/** Signed in a second ago. */
export async function setUp(given: Partial<User> = {}, throttle = false): Promise<Setting> {
  const it = await testApp({ throttle });
  const user = await aPerson(it, { email: "ada@example.com", ...given });
  const browser = testBrowser(it.app);
  assert.equal((await signInAs(browser, user)).statusCode, 302);
  it.clock.advance(1);
  return { ...it, user, browser };
}

/** Posts a form with the token of the page at `from`. */
export async function submit(browser: TestBrowser, from: string, url: string, fields: Parameters = {}) {
  const page = await browser.get(from);
  assert.equal(page.statusCode, 200, page.body);
  return browser.post(url, { csrf_token: hiddenField(page, "csrf_token"), ...fields });
}

/** Follows the answer to a form to the page that says what was done. */
export async function landed(browser: TestBrowser, answer: Awaited<ReturnType<TestBrowser["post"]>>) {
  assert.equal(answer.statusCode, 303, answer.body);
  const page = await browser.get(String(answer.headers.location));
  assert.equal(page.statusCode, 200, page.body);
  assert.match(page.body, /class="notice notice-success" role="status"/);
  return page.body;
}

/** Every token of a code flow in this browser. */
export async function tokensOf(
  { app }: TestApp,
  browser: TestBrowser,
  client: OAuthApp,
  authorization: string,
  given: Parameters = {},
): Promise<Record<string, string>> {
  let answer = await browser.get(`/oauth/authorize?${formOf(authorizeParameters(client, given))}`);
  if (answer.statusCode === 200) {
    answer = await browser.post("/consent", {
      request: hiddenField(answer, "request"),
      csrf_token: hiddenField(answer, "csrf_token"),
      decision: "allow",
    });
  }
  const code = new URL(String(answer.headers.location)).searchParams.get("code") ?? "";
  const issued = await app.inject({
    method: "POST",
    url: "/oauth/token",
    headers: { ...form, authorization },
    payload: formOf(codeParameters(client, code)),
  });
  assert.equal(issued.statusCode, 200, issued.body);
  return issued.json();
}

/** Whether introspection calls the token active. */
export async function isActive({ app }: TestApp, authorization: string, token = ""): Promise<boolean> {
  const answer = await app.inject({
    method: "POST",
    url: "/oauth/introspect",
    headers: { ...form, authorization },
    payload: formOf({ token }),
  });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json().active;
}

/** The pages of the account that are at an address of their own. */
export const places = [
  "/account",
  "/account/security",
  "/account/password",
  "/account/sessions",
  "/account/apps",
  "/account/linked-accounts",
  "/account/api-keys",
  "/account/api-keys/new",
  "/account/organizations",
];
